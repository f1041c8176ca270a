// SPDX-License-Identifier: MIT
//
// Everything that Daybook knows of itself -> one report: what is indexed, how fresh that is, what
// needs a person, who is at work. Looks and writes nothing but what opening state.db mends. What
// cannot be learnt is a reason in `degraded`, not a failure of the whole report. One thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/freshness.hpp"
#include "daybook/service/run_maintenance.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::service {

/// Why something is not as it should be, by stable names.
namespace degraded {
inline constexpr std::string_view kMemoryMdContested = "memory-md-contested";
inline constexpr std::string_view kClock = "clock";
inline constexpr std::string_view kErasurePending = "erasure-pending";
inline constexpr std::string_view kUnfinishedRemoval = "unfinished-removal";
inline constexpr std::string_view kUnfinishedCapture = "unfinished-capture";
inline constexpr std::string_view kIndexMissing = "index-missing";
inline constexpr std::string_view kIndexDamaged = "index-damaged";
inline constexpr std::string_view kIndexStale = "index-stale";
inline constexpr std::string_view kFullTextBehind = "full-text-behind";
inline constexpr std::string_view kEmbeddingModel = "embedding-model-changed";
inline constexpr std::string_view kStateMissing = "state-missing";
inline constexpr std::string_view kStateBusy = "state-busy";
inline constexpr std::string_view kVaultUnreadable = "vault-unreadable";
}  // namespace degraded

struct ProjectionStatus {
  std::string path;
  std::string agent_id;
  std::uint64_t bytes = 0;  ///< as it would be published now
  std::uint64_t lines = 0;
  std::uint64_t rows = 0;
  std::uint64_t clipped = 0;
  bool published = false;  ///< the file in the vault says just that
};

struct InvalidFile {
  std::string path;
  std::string code;
};

/// A capture that was cut off, or whose rows or MEMORY.md are still to come.
struct UnfinishedCapture {
  std::string session_token;
  std::string kind;   ///< `session-end`, `compaction`
  std::string state;  ///< one of six: `transcript-without-summary`, …
  lineage::Timestamp since;
};

/// Counted since state.db was made.
struct RunMetrics {
  std::uint64_t stored = 0;  ///< taken up
  std::uint64_t injected = 0;
  std::uint64_t skipped_unreadable = 0;
  std::uint64_t pruned_ttl = 0;
  std::uint64_t pruned_overflow = 0;
  std::uint64_t pruned_orphan = 0;
  std::uint64_t redacted_fields = 0;
  std::uint64_t ranked_candidates = 0;
  std::uint64_t prompt_limit_omitted = 0;
};

/// What sessions are reminded of from their earlier runs.
struct RunMemoryStatus {
  state::RunMemoryPolicy policy;
  RunCounts counts;
  RunMetrics metrics;
  std::optional<state::RunMaintenance> maintenance;  ///< nothing: none yet
  std::uint64_t learned_omitted = 0;                 ///< learnings that did not fit a prompt
};

/// What waits in the spool.
struct SpoolCounts {
  std::uint64_t captures = 0;   ///< sanitised, not yet canonical
  std::uint64_t hooks = 0;      ///< left by a hook, not yet captured
  std::uint64_t snapshots = 0;  ///< kept until their session ends
};

/// What recall by meaning works with.
struct EmbeddingStatus {
  bool configured = false;
  std::string identity;          ///< of the model that is configured
  std::string recorded;          ///< of the model that the vectors are of; empty: there are none
  std::uint64_t dimensions = 0;  ///< 0: there are none
  std::uint64_t embedded = 0;    ///< notes
  std::uint64_t pending = 0;
  std::uint64_t left_out = 0;  ///< the model refused them
  index::VectorBackend backend = index::VectorBackend::exact;
  std::string last_error;  ///< of the last pass, or of the extension; empty: none
};

struct StatusReport {
  std::optional<Freshness> freshness;  ///< nothing: it could not be found out
  std::optional<lineage::Timestamp> last_sweep;
  std::uint64_t generation = 0;
  std::uint64_t artifacts = 0;
  std::uint64_t sessions = 0;
  index::LearningCounts learnings;
  std::uint64_t invalid = 0;
  std::vector<InvalidFile> invalid_files;  ///< the first few
  index::SeverityCounts diagnostics;
  std::vector<ProjectionStatus> projections;
  std::uint64_t index_bytes = 0;  ///< on disk, write-ahead logs included
  std::uint64_t text_bytes = 0;
  std::uint64_t state_bytes = 0;
  std::uint64_t months_behind = 0;
  std::uint64_t removals = 0;   ///< in force
  std::uint64_t telemetry = 0;  ///< sessions that have any
  std::vector<UnfinishedCapture> captures;
  SpoolCounts spool;
  std::uint64_t redacted_secrets = 0;  ///< by captures on this device
  std::uint64_t redacted_pii = 0;
  RunMemoryStatus run_memory;
  EmbeddingStatus embeddings;
  std::optional<std::string> pipeline_holder;
  std::optional<std::string> lease_holder;
  std::vector<std::string> degraded;  ///< names of `degraded`
  std::vector<std::string> notices;   ///< what was mended on the way, or why something is missing

  bool fresh() const { return freshness && freshness->fresh(); }
};

StatusReport look_at_status(base::Disk& disk,
                            const state::StateFolder& folder,
                            const parse::Config& config,
                            lineage::Timestamp now);

/// What keeps this device from publishing: kMemoryMdContested, kClock.
Result<std::vector<std::string>> publication_troubles(state::StateDb& state,
                                                      lineage::Timestamp now);

}  // namespace daybook::service
