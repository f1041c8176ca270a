// SPDX-License-Identifier: MIT
//
// A query -> the best notes, with a line of each read from the file itself. Joins the full text
// with the rows of one snapshot of the index: a hit whose row says anything else by now (invalid,
// changed, removed, another agent's) is none, and one whose file has changed since is told and left
// out. Reads only; any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/full_text_search.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/snippet.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/redact/sanitizer.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::service {

/// Which notes are looked at.
struct SearchScope {
  std::string agent;    ///< empty: every agent
  std::string project;  ///< the whole text, or its last part; empty: every one
  std::optional<lineage::Timestamp> since;
  std::optional<lineage::Timestamp> until;
  std::vector<lineage::Kind> kinds;  ///< empty: every kind
};

struct SearchRequest : SearchScope {
  std::string query;
  std::size_t limit = 20;
  std::size_t snippet_width = 200;            ///< about so many bytes
  const redact::Policy* redaction = nullptr;  ///< of what is quoted; null: as the notes have it
};

struct SearchResult {
  std::string path;
  lineage::SessionToken token;
  std::string agent_id;
  std::string project;
  lineage::Kind kind = lineage::Kind::summary;
  double score = 0;
  lineage::Timestamp membership;
  index::Snippet snippet;
};

struct SearchReport {
  std::vector<SearchResult> results;
  bool no_terms = false;                 ///< nothing in the query can be looked for
  bool older_left_out = false;           ///< there may be older matches, which were not ranked
  std::vector<std::string> changed;      ///< would match, but changed since they were indexed
  std::vector<std::int64_t> unreadable;  ///< months whose full text must be made anew
  std::uint64_t months_behind = 0;       ///< whose full text is older than the index
  std::uint64_t generation = 0;
  lineage::Timestamp last_sweep;

  /// Known to be stale; false says nothing: for that the vault has to be looked at.
  bool known_stale() const { return !changed.empty() || !unreadable.empty() || months_behind > 0; }
};

/// The scope in the numbers of the index. Nothing: no document can be in it.
Result<std::optional<index::SearchFilter>> search_filter(index::Reader& reader,
                                                         const SearchScope& scope);

/// The full text may lag behind the rows, and a row's number may be used again: the row decides
/// whether a document of that time is in the scope.
bool is_in_scope(const index::FileRow& row, lineage::Timestamp time, const SearchScope& scope);

/// not_found or damaged when there is no index that can be used.
Result<SearchReport> search(base::Disk& disk,
                            const state::StateFolder& folder,
                            const SearchRequest& request);

}  // namespace daybook::service
