// SPDX-License-Identifier: MIT
//
// A question -> the memories that answer it best: sessions, by the words of their notes. Each comes
// with what speaks for it, and with a line read from the file itself. A memory whose note is
// invalid, changed, removed, another agent's or noise is none, nor is one whose session's sentence
// stands in a file that has changed or gone. Reads only; any thread. Failure leaves nothing behind.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/snippet.hpp"
#include "daybook/recall/behalf.hpp"
#include "daybook/service/search.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace daybook::recall {

inline constexpr std::size_t kUsualResults = 5;
inline constexpr std::size_t kMostResults = 100;

enum class Noise : std::uint8_t { left_out, included };

/// Whether what was learned answers beside the sessions.
enum class Learned : std::uint8_t { left_out, included };

struct RecallRequest : service::SearchScope {
  std::string query;
  std::size_t top_k = kUsualResults;
  std::size_t snippet_width = 200;
  lineage::Timestamp now;
  Noise noise = Noise::left_out;
  Learned learned = Learned::left_out;
  std::vector<lineage::MemoryType> types;  ///< empty: all; sessions are episodic
  std::optional<Behalf> behalf;  ///< of a session: only what it may see
};

/// What speaks for a memory.
struct Why {
  std::vector<std::string> terms;  ///< of the question, that its notes hold
  std::size_t text_place = 0;      ///< in the list by words, from 1; 0: not in it
  double text_score = 0;           ///< BM25
};

struct Recalled {
  index::SessionRow session;  ///< empty for something learned
  std::optional<index::LearningRow> learning;
  index::FileRow note;  ///< the one that answers best
  double score = 0;     ///< 1 is the best there is
  Why why;
  index::Snippet snippet;
};

struct RecallReport {
  std::vector<Recalled> results;         ///< best first
  bool no_terms = false;                 ///< the question holds no word to look for
  std::vector<std::string> changed;      ///< would answer, but changed since they were indexed
  std::vector<std::int64_t> unreadable;  ///< months whose full text must be made anew
  std::uint64_t months_behind = 0;       ///< whose full text is older than the index
  std::uint64_t generation = 0;
  lineage::Timestamp last_sweep;

  /// Known to be stale; false says nothing: for that the vault has to be looked at.
  bool known_stale() const { return !changed.empty() || !unreadable.empty() || months_behind > 0; }
};

/// An index that is open for questions. What is asked of it after the first recall() comes from the
/// same snapshot.
struct OpenIndex {
  index::Reader reader;
  std::uint64_t months_behind = 0;  ///< when it was opened

  using Question = std::function<Result<void>(index::Reader&)>;
  /// not_found or damaged when there is no index that can be used. `first` is asked before the
  /// snapshot begins.
  static Result<OpenIndex> open(const state::StateFolder& folder, const Question& first = {});
};

/// Of an index of which nothing was asked yet, so that its rows are not older than the text.
Result<RecallReport> recall(base::Disk& disk,
                            const state::StateFolder& folder,
                            const std::vector<std::string>& noise,
                            const RecallRequest& request,
                            OpenIndex& index);

/// On an index that is opened for it alone.
Result<RecallReport> recall(base::Disk& disk,
                            const state::StateFolder& folder,
                            const std::vector<std::string>& noise,
                            const RecallRequest& request);

}  // namespace daybook::recall
