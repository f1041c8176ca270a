// SPDX-License-Identifier: MIT
#include "daybook/service/status.hpp"

#include "daybook/capture/hook_spool.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/ledger.hpp"
#include "daybook/state/boot_clock.hpp"
#include "daybook/state/holders.hpp"
#include "service/embedding_status.hpp"
#include "service/erasure.hpp"
#include "service/text_pass.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace daybook::service {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostInvalidShown = 5;
constexpr std::size_t kMostFindingsRead = 1000;
constexpr int kBusyTimeoutMs = 1000;
/// As long a clock may run behind the last publication.
constexpr std::int64_t kMostClockLagMs = 24LL * 60 * 60 * 1000;

std::uint64_t size_of(const fs::path& path) {
  std::error_code trouble;
  const auto size = fs::file_size(path, trouble);
  return trouble ? 0 : size;
}

std::uint64_t size_of_database(const std::string& path) {
  return size_of(path) + size_of(path + "-wal") + size_of(path + "-shm");
}

std::uint64_t size_of_folder(const std::string& path) {
  std::uint64_t sum = 0;
  std::error_code trouble;
  for (const auto& entry : fs::directory_iterator(path, trouble)) {
    sum += size_of(entry.path());
  }
  return sum;
}

bool invalidates(const std::string& code) {
  const auto all = lineage::all_codes();
  const auto found = std::find_if(
      all.begin(), all.end(), [&code](const lineage::CodeInfo& info) { return info.name == code; });
  return found != all.end() && found->invalidates == lineage::Invalidates::yes;
}

/// Fills the report part by part; a part that fails is told and does not keep the others back.
class StatusLook {
 public:
  StatusLook(base::Disk& disk,
             const state::StateFolder& folder,
             const parse::Config& config,
             lineage::Timestamp now)
      : disk_(disk), folder_(folder), config_(config), now_(now) {}

  StatusReport run() {
    report_.notices = folder_.notices();
    look_at_sizes();
    look_at_state();
    if (const auto looked = look_at_spool(); !looked) {
      degrade(degraded::kUnfinishedCapture, looked.error());
    }
    if (!report_.captures.empty()) {
      degrade(degraded::kUnfinishedCapture);
    }
    look_at_index();
    look_at_embeddings();
    const state::SystemBootClock boot_clock;
    report_.pipeline_holder = state::pipeline_holder(folder_);
    report_.lease_holder = state::lease_holder(folder_, boot_clock);
    return std::move(report_);
  }

 private:
  void degrade(std::string_view reason) {
    if (std::find(report_.degraded.begin(), report_.degraded.end(), reason) ==
        report_.degraded.end()) {
      report_.degraded.emplace_back(reason);
    }
  }
  void degrade(std::string_view reason, const Error& error) {
    degrade(reason);
    report_.notices.push_back(error.path.empty() ? error.message
                                                 : error.path + ": " + error.message);
  }

  void look_at_sizes();
  void look_at_state();
  Result<void> ask_state(state::StateDb& state);
  Result<void> ask_run_memory(state::StateDb& state);
  Result<void> look_at_spool();
  void look_at_index();
  void look_at_embeddings();
  Result<void> ask_index(index::Reader& reader);
  Result<void> ask_findings(index::Reader& reader);
  Result<void> ask_projections(index::Reader& reader);
  void look_at_files();
  bool says_just_that(const RenderedLedger& ledger);

  base::Disk& disk_;
  const state::StateFolder& folder_;
  const parse::Config& config_;
  lineage::Timestamp now_;
  std::vector<std::string> published_;  // paths that were ever published
  StatusReport report_;
};

void StatusLook::look_at_sizes() {
  report_.index_bytes = size_of_database(folder_.file(index::kIndexFile));
  report_.text_bytes = size_of_folder(folder_.file(index::kTextFolder));
  report_.state_bytes =
      size_of_database(folder_.file("state.db")) + size_of_database(folder_.file("lease.db"));
}

void StatusLook::look_at_state() {
  if (!folder_.has_state()) {
    // Made by the next pass. Where none ever was, it is not gone: a hook makes the folder alone.
    std::error_code trouble;
    if (fs::exists(folder_.file(index::kIndexFile), trouble)) {
      degrade(degraded::kStateMissing);
    }
    return;
  }
  auto state = state::StateDb::open(folder_, kBusyTimeoutMs);
  if (!state) {
    degrade(degraded::kStateBusy, state.error());
    return;
  }
  if (!state->set_aside().empty()) {
    report_.notices.push_back("state.db was damaged; it was set aside as " + state->set_aside() +
                              " and made anew");
  }
  if (const auto asked = ask_state(*state); !asked) {
    degrade(degraded::kStateBusy, asked.error());
  }
}

Result<void> StatusLook::ask_state(state::StateDb& state) {
  TRY_ASSIGN(auto troubles, publication_troubles(state, now_));
  for (const std::string& reason : troubles) {
    degrade(reason);
  }
  TRY_ASSIGN(const bool pending, is_erasure_pending(state));
  if (pending) {
    degrade(degraded::kErasurePending);
  }
  TRY_ASSIGN(const auto flows, state.flows().unfinished());
  for (const state::Flow& flow : flows) {
    if (flow.kind == state::kRemovalFlow) {
      degrade(degraded::kUnfinishedRemoval);
    } else {
      report_.captures.push_back({flow.subject,
                                  flow.kind,
                                  std::string(state::partial_state_name(flow.step)),
                                  flow.started_at});
    }
  }
  TRY_ASSIGN(const auto tombstones, state.tombstones().all());
  report_.removals = static_cast<std::uint64_t>(
      std::count_if(tombstones.begin(), tombstones.end(), [](const lineage::Tombstone& tombstone) {
        return !tombstone.lifted_at;
      }));
  TRY_ASSIGN(report_.redacted_secrets, state.meta_number(state::kRedactedSecrets));
  TRY_ASSIGN(report_.redacted_pii, state.meta_number(state::kRedactedPii));
  TRY(ask_run_memory(state));
  TRY_ASSIGN(const std::int64_t telemetry, state.telemetry().size());
  report_.telemetry = static_cast<std::uint64_t>(telemetry);
  TRY_ASSIGN(const auto last, state.publications().last_of_each());
  for (const state::PublicationRecord& record : last) {
    published_.push_back(record.projection);
  }
  return {};
}

Result<void> StatusLook::ask_run_memory(state::StateDb& state) {
  RunMemoryStatus& memory = report_.run_memory;
  TRY_ASSIGN(memory.policy, state::run_memory_policy(state));
  TRY_ASSIGN(memory.maintenance, state.runs().report());
  RunMetrics& metrics = memory.metrics;
  for (const auto& [counter, name] :
       {std::pair{&metrics.stored, state::kStoredTotal},
        std::pair{&metrics.injected, state::kInjectedTotal},
        std::pair{&metrics.skipped_unreadable, state::kUnreadableTotal},
        std::pair{&metrics.pruned_ttl, state::kPrunedTtlTotal},
        std::pair{&metrics.pruned_overflow, state::kPrunedOverflowTotal},
        std::pair{&metrics.pruned_orphan, state::kPrunedOrphanTotal},
        std::pair{&metrics.redacted_fields, state::kRedactedFieldsTotal},
        std::pair{&metrics.ranked_candidates, state::kRankedTotal},
        std::pair{&metrics.prompt_limit_omitted, state::kOmittedTotal},
        std::pair{&memory.learned_omitted, state::kLearnedOmittedTotal}}) {
    TRY_ASSIGN(*counter, state.meta_number(name));
  }
  return {};
}

/// A record that no flow speaks of was spooled a moment before its process died.
Result<void> StatusLook::look_at_spool() {
  const auto count = [this](std::string_view suffix) -> Result<std::uint64_t> {
    TRY_ASSIGN(const auto names, capture::spooled_names(disk_, folder_, suffix));
    return names.size();
  };
  TRY_ASSIGN(report_.spool.hooks, count(capture::kHookSuffix));
  TRY_ASSIGN(report_.spool.snapshots, count(capture::kSnapshotSuffix));
  TRY_ASSIGN(const auto names, capture::spooled_names(disk_, folder_));
  report_.spool.captures = names.size();
  for (const std::string& name : names) {
    const auto record = capture::read_spooled(disk_, folder_, name);
    if (!record) {
      report_.notices.push_back("a file in the spool cannot be understood: " + name);
      continue;
    }
    const std::string token = record->token().to_string();
    const bool known = std::any_of(
        report_.captures.begin(), report_.captures.end(), [&token](const auto& capture) {
          return capture.session_token == token;
        });
    if (!known) {
      report_.captures.push_back(
          {token,
           record->kind,
           std::string(state::partial_state_name(state::capture_step::kSpooled)),
           record->session.captured_at});
    }
  }
  return {};
}

void StatusLook::look_at_index() {
  auto reader = index::Reader::open(folder_.file(index::kIndexFile));
  if (!reader) {
    const bool missing = reader.error().kind == ErrorKind::not_found;
    degrade(missing ? degraded::kIndexMissing : degraded::kIndexDamaged, reader.error());
    return;
  }
  if (const auto asked = ask_index(*reader); !asked) {
    degrade(degraded::kIndexDamaged, asked.error());
    return;
  }
  look_at_files();
}

void StatusLook::look_at_embeddings() {
  report_.embeddings = embedding_status(
      folder_.file(index::kIndexFile), config_.embeddings, folder_.workspace(), now_);
  const EmbeddingStatus& found = report_.embeddings;
  if (found.configured && !found.recorded.empty() && found.recorded != found.identity) {
    degrade(degraded::kEmbeddingModel,
            index::other_vectors({found.recorded, found.dimensions}, {found.identity, 0}));
  }
}

Result<void> StatusLook::ask_index(index::Reader& reader) {
  report_.last_sweep = lineage::Timestamp{reader.meta().swept_at_ms};
  report_.generation = reader.meta().generation;
  TRY_ASSIGN(report_.sessions, reader.count_sessions());
  TRY_ASSIGN(report_.learnings, reader.count_learnings({}));
  TRY_ASSIGN(const auto files, reader.count_files());
  for (const auto& [status, count] : files) {
    report_.artifacts += status == index::FileStatus::note ? 0 : count;
    const bool wrong = status == index::FileStatus::invalid || status == index::FileStatus::changed;
    report_.invalid += wrong ? count : 0;
  }
  TRY_ASSIGN(report_.run_memory.counts, count_runs(reader, report_.run_memory.policy, now_));
  report_.artifacts -= std::min(report_.artifacts, report_.learnings.notes());
  TRY(ask_findings(reader));
  TRY(ask_projections(reader));
  TRY_ASSIGN(report_.months_behind, reader.count_months_behind(folder_.file(index::kTextFolder)));
  if (report_.months_behind > 0) {
    degrade(degraded::kFullTextBehind);
  }
  return {};
}

Result<void> StatusLook::ask_findings(index::Reader& reader) {
  TRY_ASSIGN(report_.diagnostics, reader.count_diagnostics({}));
  TRY_ASSIGN(const auto findings, reader.diagnostics({}, kMostFindingsRead));
  std::set<std::string> seen;
  for (const index::FoundDiagnostic& finding : findings) {
    if (report_.invalid_files.size() == kMostInvalidShown) {
      break;
    }
    if (invalidates(finding.code) && seen.insert(finding.path).second) {
      report_.invalid_files.push_back({finding.path, finding.code});
    }
  }
  return {};
}

Result<void> StatusLook::ask_projections(index::Reader& reader) {
  TRY_ASSIGN(const auto agents, projected_agents(reader, published_));
  for (const std::string& agent : agents) {
    TRY_ASSIGN(const auto ledger,
               render_ledger(disk_, folder_.workspace(), reader, config_, agent, now_));
    report_.projections.push_back({ledger.path,
                                   agent,
                                   ledger.md.text.size(),
                                   ledger.md.lines,
                                   ledger.md.rows,
                                   ledger.md.clipped,
                                   says_just_that(ledger)});
  }
  return {};
}

bool StatusLook::says_just_that(const RenderedLedger& ledger) {
  const auto root = disk_.open_root(folder_.workspace());
  if (!root) {
    return false;
  }
  scan::FileReader reader(**root);
  const std::size_t slash = ledger.path.rfind('/');
  const bool at_root = slash == std::string::npos;
  const auto opened = reader.open(at_root ? std::string() : ledger.path.substr(0, slash),
                                  at_root ? ledger.path : ledger.path.substr(slash + 1),
                                  scan::kLargestNote);
  return opened && opened->complete && opened->first_piece == ledger.md.text;
}

void StatusLook::look_at_files() {
  auto freshness = look_at_freshness(disk_, folder_);
  if (!freshness) {
    degrade(degraded::kVaultUnreadable, freshness.error());
    return;
  }
  report_.freshness = *freshness;
  if (!freshness->fresh()) {
    degrade(degraded::kIndexStale);
  }
}

}  // namespace

Result<std::vector<std::string>> publication_troubles(state::StateDb& state,
                                                      lineage::Timestamp now) {
  std::vector<std::string> troubles;
  TRY_ASSIGN(const auto contested, state.publications().contested());
  if (!contested.empty()) {
    troubles.emplace_back(degraded::kMemoryMdContested);
  }
  TRY_ASSIGN(const auto last, state.publications().last());
  if (last && now.ms < last->published_at.ms - kMostClockLagMs) {
    troubles.emplace_back(degraded::kClock);
  }
  return troubles;
}

StatusReport look_at_status(base::Disk& disk,
                            const state::StateFolder& folder,
                            const parse::Config& config,
                            lineage::Timestamp now) {
  return StatusLook(disk, folder, config, now).run();
}

}  // namespace daybook::service
