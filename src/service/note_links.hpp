// SPDX-License-Identifier: MIT
//
// The wikilinks of one file -> its findings, and the links that the index keeps. However many there
// are, a file tells and keeps only so many: what is beyond is told in a sentence. Writes into what
// it was given, which outlives it; one thread.
#pragma once

#include "daybook/index/rows.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/parse/wikilinks.hpp"
#include "service/link_judge.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace daybook::service {

/// A file tells this many findings one by one; what is beyond is told in a sentence.
inline constexpr std::size_t kMostFindings = 100;

/// Links of one file that are kept; what is beyond is told in a sentence.
inline constexpr std::size_t kMostLinks = 5000;
static_assert(kMostLinks <= index::kMostLinksOfFile);

class NoteLinks {
 public:
  /// What a link may be blamed for.
  enum class Source : std::uint8_t {
    artifact,
    learning,    ///< written by hand, too: may link as people do
    transcript,  ///< quoted speech: its links are known, never wrong
  };
  enum class Keep : std::uint8_t { nothing, links };

  /// `folder`: of the file.
  NoteLinks(LinkJudge& judge,
            std::string_view folder,
            Source source,
            Keep keep,
            std::vector<lineage::Diagnostic>& findings,
            std::vector<index::LinkRow>& kept)
      : judge_(judge),
        folder_(folder),
        source_(source),
        keep_(keep),
        findings_(findings),
        kept_(kept) {}

  /// `body_line`: on which line of the file the body begins.
  void judge(const parse::Wikilink& link, std::uint32_t body_line);
  /// How many were too many; after the last link.
  void report_excess();

 private:
  bool is_wrong(const LinkJudgement& link) const;
  void keep(index::LinkOrigin origin, std::uint32_t line, const LinkJudgement& link);

  LinkJudge& judge_;
  std::string_view folder_;
  Source source_;
  Keep keep_;
  std::vector<lineage::Diagnostic>& findings_;
  std::vector<index::LinkRow>& kept_;
  std::size_t wrong_ = 0;
  lineage::Code last_code_ = lineage::Code::link_missing_target;
  std::size_t not_judged_ = 0;  // after kMostFindings wrong ones
  std::size_t not_kept_ = 0;    // after kMostLinks
};

}  // namespace daybook::service
