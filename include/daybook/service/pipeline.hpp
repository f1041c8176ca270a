// SPDX-License-Identifier: MIT
//
// One whole pass, as every command and the service run it: removals that were cut off are finished,
// then vault -> rows -> MEMORY.md -> full text, under the pipeline lock. Files are the truth, so a
// pass may be cut off anywhere and simply run again. Failure leaves what was finished before it:
// rows without a publication are published by the next pass.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/service/work_progress.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace daybook::capture {
struct LearningGuard;
}
namespace daybook::state {
class SharedPipelineLock;
struct PassRequest;
}  // namespace daybook::state
namespace daybook::model {
class RequestPace;
}

namespace daybook::service {

enum class Extent : std::uint8_t {
  changes,     ///< read what stat says has changed
  everything,  ///< read every file and build the index anew
  nothing,     ///< look at no file: only bring MEMORY.md up to the rows and the time
};

/// Whether a run is to make full text too: of all months that are behind, or, if it looks at hinted
/// sessions only, of theirs. Somebody else may have more time for it.
enum class Text : std::uint8_t { with_full_text, without_full_text };

/// Whether a report counts the sessions and what is wrong, which takes a look at all of them.
enum class Counting : std::uint8_t { wanted, not_wanted };

/// Whether a memory/ without a single note, where there were some, is believed. A service does not
/// at once: a vault that was unmounted, or is being restored, looks just so.
enum class Emptiness : std::uint8_t { believed, doubted };

struct PassRequest {
  Extent extent = Extent::changes;
  Text text = Text::with_full_text;
  std::string agent;                     ///< publish only this agent's projection; empty: all
  std::string command = "daybook";       ///< who holds the lock, for people
  std::chrono::milliseconds wait{5000};  ///< for the lock and the lease
  unsigned threads = 0;
  /// Workspace-relative paths that have probably changed: if it can be done with these alone, only
  /// their sessions are looked at. Empty: all of the vault.
  std::vector<std::string> hints;
  Counting counting = Counting::wanted;
  Emptiness emptiness = Emptiness::believed;
  std::optional<parse::Config> config;  ///< nothing: as daybook.yaml says now
};

struct PublishedProjection {
  std::string path;
  std::string agent_id;
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::uint64_t rows = 0;
  std::uint64_t clipped = 0;
  bool written = false;   ///< false: it said so already, or it was withheld
  bool withheld = false;  ///< it could not be published now; a notice says why
  bool behind = false;    ///< another device publishes it, and it does not say the same yet
};

struct PassReport {
  std::uint64_t scanned = 0;
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
  std::uint64_t invalid = 0;
  std::uint64_t sessions = 0;
  std::uint64_t future = 0;  ///< sessions that lie after now: warned about, not shown
  std::uint64_t generation = 0;
  bool narrow = false;   ///< only the hinted sessions were looked at
  bool emptied = false;  ///< memory/ has not one note left, which was doubted: nothing was done
  bool rows_changed = false;  ///< the index says something else than before
  std::vector<PublishedProjection> projections;
  std::vector<std::string> notices;  ///< what was mended or put off on the way, one sentence each
  double seconds = 0;
  double ledger_seconds = 0;  ///< until MEMORY.md stood
};

/// Whether the MEMORY.md of one of these agents, or of any if none is named, may still show what is
/// gone: it was withheld, or waits for another device.
bool may_show_what_is_gone(const PassReport& report, const std::vector<std::string>& agents);

/// How long the databases of the state folder stay open.
enum class Keeping : std::uint8_t {
  for_one_run,
  between_runs,  ///< for a service: opening them is most of the cost of a small pass
};

class KeptDatabases;
class SideThread;
struct PublicationReport;

class Pipeline {
 public:
  /// All must outlive it.
  Pipeline(base::Disk& disk,
           const state::StateFolder& folder,
           const base::Clock& clock,
           Keeping keeping = Keeping::for_one_run);
  ~Pipeline();

  Result<PassReport> run(const PassRequest& request, WorkProgress& progress);
  /// Begins to bring the full text up to the rows, on a thread of its own: runs go on beside it,
  /// under the same lock, and between two months other processes get their turn. May be cancelled
  /// at any document; what was not reached is done by the next one. Not while one is under way.
  /// `ended` is called on that thread.
  void begin_text(const PassRequest& request, WorkProgress& progress, std::function<void()> ended);
  /// How that ended, once: how many documents were left out, because they had changed since they
  /// were indexed. Nothing while it is under way, or when there is nothing to tell.
  std::optional<Result<std::uint64_t>> take_text_outcome();
  /// Whether there is full text to make.
  bool is_text_behind();
  /// Returns when no full text is being made any more.
  void stop_text();
  /// Begins to embed what has no vectors, as the request's configuration says, on a thread of its
  /// own: runs go on beside it; only while a batch is written do they wait for each other.
  /// Not while one is under way. `ended` is called on that thread.
  void begin_vectors(const PassRequest& request,
                     WorkProgress& progress,
                     std::function<void()> ended);
  /// How that ended, once: how many files were left out.
  std::optional<Result<std::uint64_t>> take_vectors_outcome();
  /// Returns when nothing is being embedded any more.
  void stop_vectors();
  /// When MEMORY.md will say something else though no file changes: a session enters or leaves its
  /// window, or something learned expires.
  Result<std::optional<lineage::Timestamp>> next_window_change(lineage::Timestamp now);
  /// What a pass would find by stat; nothing is written and no lock is taken.
  Result<PassReport> preview(const PassRequest& request);

 private:
  /// As the request says, or daybook.yaml now.
  Result<parse::Config> config_of(const PassRequest& request);
  /// For the lock, whoever works beside the runs.
  state::PassRequest asking(const PassRequest& request) const;
  Result<void> run_extent(const PassRequest& request,
                          const parse::Config& config,
                          WorkProgress& progress,
                          PassReport& report);
  Result<bool> run_narrowly(const PassRequest& request,
                            const parse::Config& config,
                            state::StateDb& state,
                            WorkProgress& progress,
                            PassReport& report);
  Result<void> publish_rows(const PassRequest& request,
                            const parse::Config& config,
                            state::StateDb& state,
                            WorkProgress& progress,
                            PassReport& report);
  Result<PublicationReport> publish(const PassRequest& request,
                                    const parse::Config& config,
                                    state::StateDb& state,
                                    const base::Stopwatch& stopwatch,
                                    PassReport& report);
  Result<void> run_wholly(const PassRequest& request,
                          const parse::Config& config,
                          state::StateDb& state,
                          WorkProgress& progress,
                          PassReport& report);
  void note_shown(const PublicationReport& publication, const PassReport& report);
  void follow_with_text(const PassRequest& request,
                        const std::vector<std::int64_t>& months,
                        WorkProgress& progress,
                        PassReport& report);
  Result<void> erase(state::StateDb& state, unsigned threads, WorkProgress& progress);
  Result<void> write_logs_back();

  base::Disk& disk_;
  const state::StateFolder& folder_;
  const base::Clock& clock_;
  std::unique_ptr<state::SharedPipelineLock> lock_;
  std::unique_ptr<KeptDatabases> databases_;
  std::unique_ptr<capture::LearningGuard> guard_;  // of the pass under way
  std::string shown_index_;             // whose rows MEMORY.md was last made from by this object
  std::uint64_t shown_generation_ = 0;  // ... and of when
  std::mutex writing_vectors_;          // for an index that is built, set aside or wiped meanwhile
  parse::EmbeddingConfig paced_;        // which endpoint the pace is that of
  std::unique_ptr<model::RequestPace> pace_;  // from one run of vectors to the next
  // Last, so that they end before what they use.
  std::unique_ptr<SideThread> text_;
  std::unique_ptr<SideThread> vectors_;
};

/// The same for a workspace that has no state folder yet: everything would be new.
Result<PassReport> preview_unindexed(base::Disk& disk, const std::string& workspace);

}  // namespace daybook::service
