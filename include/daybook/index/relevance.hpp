// SPDX-License-Identifier: MIT
//
// A question and a filter -> the documents that hold any of its words, the most relevant first, by
// BM25 over all months. Unlike search_text(), which finds what holds every word, newest first, it
// looks at all of the vault; a document that holds only words that most others hold, too, is not
// looked at, since it could not come first. Threads and damage as there.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/full_text_search.hpp"
#include "daybook/index/question.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace daybook::index {

struct RelevantDocument {
  std::int64_t file = 0;
  double score = 0;
  lineage::Timestamp time;
  std::uint32_t terms = 0;  ///< bit n: holds the question's n-th term
};

/// Which of the question's terms a project's name holds, as bits, by the project's number. Such a
/// term counts for every document of that project as if its sentence held it.
using NamedProjects = std::map<std::int64_t, std::uint32_t>;

struct RelevantDocuments {
  /// By score, then newest first, then by file; those that are equal to the last come beyond the
  /// limit, too.
  std::vector<RelevantDocument> found;
  std::vector<std::int64_t> damaged;  ///< months to build anew; nothing of them was found
};

/// Documents that lie in no month: they are scored with the others, by the same frequencies.
struct OtherDocuments {
  struct Document {
    std::int64_t file = 0;
    lineage::Timestamp time;
    std::uint64_t bytes = 0;
    std::vector<double> frequencies;  ///< how often it holds each of the question's terms
  };
  std::vector<Document> list;   ///< those that hold any
  std::uint64_t documents = 0;  ///< all of them, and their length
  std::uint64_t bytes = 0;
  bool alone = false;  ///< none of a month is wanted: they only tell how rare each term is
};

Result<RelevantDocuments> find_relevant(const std::string& folder,
                                        const std::string& index_id,
                                        const Question& question,
                                        const NamedProjects& projects,
                                        const SearchFilter& filter,
                                        std::size_t limit,
                                        const OtherDocuments& others = {});

}  // namespace daybook::index
