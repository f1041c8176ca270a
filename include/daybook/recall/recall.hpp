// SPDX-License-Identifier: MIT
//
// A question -> the memories that answer it best: sessions and what was learned, by the words of
// their notes and, where an embedding model is configured, by what they mean. Each comes with what
// speaks for it, and with a line read from the file itself. A memory whose note is invalid,
// changed, removed, another agent's, noise or of the future is none, nor is one whose session's
// sentence stands in a file that has changed or gone. Reads only; any thread. Failure leaves
// nothing behind.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/snippet.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/recall/asked_question.hpp"
#include "daybook/recall/behalf.hpp"
#include "daybook/redact/sanitizer.hpp"
#include "daybook/service/search.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/store/database.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::recall {

inline constexpr std::size_t kUsualResults = 5;
inline constexpr std::size_t kMostResults = 100;

/// Temporary projects and the like, and what lies in the future.
enum class Noise : std::uint8_t { left_out, included };

/// Sessions of which a file has changed since it was sealed.
enum class ChangedSessions : std::uint8_t { told, left_out };

/// Whether what was learned answers beside the sessions.
enum class Learned : std::uint8_t { left_out, included };

/// Without an `until` what lies after `now` is noise.
struct RecallRequest : service::SearchScope {
  std::string query;
  std::size_t top_k = kUsualResults;
  std::size_t beyond = 0;  ///< so many sessions more are named, and not quoted
  std::size_t snippet_width = 200;
  const redact::Policy* redaction = nullptr;  ///< of what is quoted; null: as the notes have it
  lineage::Timestamp now;
  Noise noise = Noise::left_out;
  ChangedSessions changed_sessions = ChangedSessions::told;
  std::optional<Behalf> behalf;           ///< of a session: only what it may see
  const parse::Config* config = nullptr;  ///< who embeds the question; null: by words alone
  Learned learned = Learned::left_out;
  std::vector<lineage::MemoryType> types;        ///< empty: all; sessions are episodic
  const std::atomic<bool>* cancelled = nullptr;  ///< once true, nobody waits for the endpoint
};

/// What speaks for a memory.
struct Why {
  std::vector<std::string> terms;  ///< of the question, that its notes hold
  std::size_t text_place = 0;      ///< in the list by words, from 1; 0: not in it
  double text_score = 0;           ///< BM25
  std::size_t vector_place = 0;    ///< in the list by vectors, from 1; 0: not in it
  double vector_score = 0;         ///< the cosine
};

struct Recalled {
  index::SessionRow session;  ///< empty for something learned
  std::optional<index::LearningRow> learning;
  index::FileRow note;  ///< the one that answers best
  double score = 0;     ///< 1 is the best there is
  Why why;
  index::Snippet snippet;
};

/// Whether the quoted line says anything that the session's sentence does not.
bool tells_more(const Recalled& result);

struct RecallReport {
  std::vector<Recalled> results;              ///< best first
  std::vector<lineage::SessionToken> beyond;  ///< sessions that would come next
  std::optional<ModeReason> mode_reason;      ///< nothing: there was nothing to look for
  std::string mode_note;                 ///< for people, when vectors were wanted and not to be had
  bool no_terms = false;                 ///< the question holds no word to look for
  bool question_cut = false;             ///< it holds more than is looked for
  std::vector<std::string> changed;      ///< would answer, but changed since they were indexed
  std::vector<std::int64_t> unreadable;  ///< months whose full text must be made anew
  std::uint64_t months_behind = 0;       ///< whose full text is older than the index
  std::uint64_t generation = 0;
  lineage::Timestamp last_sweep;

  /// Known to be stale; false says nothing: for that the vault has to be looked at.
  bool known_stale() const { return !changed.empty() || !unreadable.empty() || months_behind > 0; }
};

/// An index that is open for questions. What is asked of it after a recall() comes from that one's
/// snapshot.
struct OpenIndex {
  index::Reader reader;
  std::optional<store::Database> database;  ///< the reader's own
  std::uint64_t months_behind = 0;          ///< when it was opened

  using FirstLook = std::function<Result<void>(index::Reader&)>;
  /// not_found or damaged when there is no index that can be used. `first` is asked before the
  /// snapshot begins.
  static Result<OpenIndex> open(const state::StateFolder& folder, const FirstLook& first = {});
};

/// `question`: the request's, prepared. A new snapshot of the index begins in it, so that its rows
/// are not older than the text; one that was built anew meanwhile is opened in its place.
Result<RecallReport> recall(base::Disk& disk,
                            const state::StateFolder& folder,
                            const std::vector<std::string>& noise,
                            const RecallRequest& request,
                            const AskedQuestion& question,
                            OpenIndex& index);

/// On an index that is opened for it alone.
Result<RecallReport> recall(base::Disk& disk,
                            const state::StateFolder& folder,
                            const std::vector<std::string>& noise,
                            const RecallRequest& request);

}  // namespace daybook::recall
