// SPDX-License-Identifier: MIT
#include "service/publication.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/projection/publisher.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/ledger.hpp"
#include "daybook/state/lease.hpp"

#include <algorithm>
#include <set>

namespace daybook::service {
namespace {

using projection::PublishState;

constexpr const char* kLockFolder = "locks";

/// Why a projection was not written, for the user; empty when nothing needs to be said.
std::string explain(const projection::PublishOutcome& outcome, const std::string& path) {
  switch (outcome.state) {
    case PublishState::contested:
      return path +
             " was replaced by another program twice within ten minutes, so Daybook has stopped "
             "publishing it; end that, then run 'daybook render --take-over'";
    case PublishState::frozen_by_clock:
      return path +
             " was not written: the clock is more than a day behind the last publication; set the "
             "clock, or run 'daybook render --take-over' if it is right";
    case PublishState::superseded:
      return path + " was not written: another process has published a newer one";
    case PublishState::published:
    case PublishState::unchanged:
      break;
  }
  return outcome.replaced_copy.empty()
             ? std::string()
             : path + " was not Daybook's as it stood; a copy is kept as " + outcome.replaced_copy;
}

enum class Standing : std::uint8_t { same, different, missing };

/// What stands in the vault, beside what should.
Standing standing_of(scan::FileReader& reader, const RenderedLedger& ledger) {
  const std::size_t slash = ledger.path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? std::string() : ledger.path.substr(0, slash);
  const auto opened =
      reader.open(folder, ledger.path.substr(folder.empty() ? 0 : slash + 1), scan::kLargestNote);
  if (!opened) {
    return opened.error().kind == ErrorKind::not_found ? Standing::missing : Standing::different;
  }
  return opened->complete && opened->first_piece == ledger.md.text ? Standing::same
                                                                   : Standing::different;
}

/// Whether all of them stand in the vault already, as we published them: then there is nothing that
/// would need the lease.
bool all_stand(base::Disk& disk,
               const std::string& workspace,
               const std::vector<state::PublicationRecord>& last,
               const std::vector<RenderedLedger>& ledgers) {
  const auto root = disk.open_root(workspace);
  if (!root) {
    return false;
  }
  scan::FileReader reader(**root);
  return std::all_of(ledgers.begin(), ledgers.end(), [&](const RenderedLedger& ledger) {
    // The bytes first: after a change they differ, and need not be hashed.
    return standing_of(reader, ledger) == Standing::same &&
           std::any_of(last.begin(), last.end(), [&ledger](const auto& record) {
             return record.projection == ledger.path &&
                    record.sha256 == base::sha256(ledger.md.text);
           });
  });
}

/// Of a vault that another device publishes: what it has not brought up to date yet.
Result<void> leave_to_other_device(base::Disk& disk,
                                   const state::StateFolder& folder,
                                   const std::string& publisher,
                                   const std::vector<RenderedLedger>& ledgers,
                                   PublicationReport& report) {
  TRY_ASSIGN(const auto root, disk.open_root(folder.workspace()));
  scan::FileReader reader(*root);
  bool any = false;
  for (std::size_t i = 0; i < ledgers.size(); ++i) {
    report.projections[i].behind = standing_of(reader, ledgers[i]) == Standing::different;
    any = any || report.projections[i].behind;
  }
  report.notices.push_back("MEMORY.md is published by another device: daybook.yaml names '" +
                           base::printable(publisher) + "', this one is '" + folder.device() + "'" +
                           (any ? "; until that one publishes it shows what it did" : ""));
  return {};
}

/// Which of this device's manifests say something else than the ledgers do now.
struct StaleManifest {
  std::string path;
  std::vector<std::string> refs;
};

Result<std::vector<StaleManifest>> stale_manifests(index::Reader& reader,
                                                   const std::string& device,
                                                   const std::vector<RenderedLedger>& ledgers) {
  std::set<std::int64_t> shown;
  std::set<std::string> agents;
  std::vector<StaleManifest> stale;
  const auto judge = [&](const index::FileRow& file, std::vector<std::string> wanted) {
    if (file.status == index::FileStatus::valid && file.device == device &&
        wanted != file.memory_md_refs) {
      stale.push_back({file.path(), std::move(wanted)});
    }
  };
  for (const RenderedLedger& ledger : ledgers) {
    agents.insert(ledger.agent_id);
    for (const std::int64_t manifest : ledger.shown_manifests) {
      shown.insert(manifest);
      TRY_ASSIGN(const auto file, reader.file(manifest));
      if (file) {
        judge(*file, {projection::ledger_reference(ledger.agent_id)});
      }
    }
  }
  // Those that say they are shown, and are not any more.
  TRY(reader.files_naming_projections_of(device, [&](const index::FileRow& file) {
    if (!shown.contains(file.id) && agents.contains(file.fields.agent_id)) {
      judge(file, {});
    }
  }));
  return stale;
}

void publish(projection::Publisher& publisher,
             state::Lease& lease,
             std::uint64_t generation,
             const std::vector<RenderedLedger>& ledgers,
             PublicationReport& report) {
  for (std::size_t i = 0; i < ledgers.size(); ++i) {
    const auto outcome = publisher.publish(
        {ledgers[i].path, ledgers[i].md.text, static_cast<std::int64_t>(generation)}, lease);
    if (!outcome) {
      report.problem = report.problem ? report.problem : std::optional(outcome.error());
      continue;
    }
    report.projections[i].written = outcome->state == PublishState::published;
    report.projections[i].withheld =
        !report.projections[i].written && outcome->state != PublishState::unchanged;
    if (std::string notice = explain(*outcome, ledgers[i].path); !notice.empty()) {
      report.notices.push_back(std::move(notice));
    }
  }
}

/// A manifest that cannot be told now is told by a later pass.
Result<void> tell_manifests(base::Disk& disk,
                            const state::StateFolder& folder,
                            index::Reader& reader,
                            lineage::Timestamp now,
                            const std::vector<RenderedLedger>& ledgers,
                            PublicationReport& report) {
  TRY_ASSIGN(const auto stale, stale_manifests(reader, folder.device(), ledgers));
  for (const StaleManifest& manifest : stale) {
    const auto updated = canon::update_manifest(
        disk,
        {folder.workspace(), manifest.path, folder.file(kLockFolder)},
        now,
        [&](const lineage::Manifest&) {
          return canon::ManifestEdit().set_list("memory_md_refs", manifest.refs);
        });
    if (!updated) {
      report.notices.push_back(manifest.path + " could not be told where its session is shown: " +
                               updated.error().message);
    } else if (updated->write == canon::ManifestWrite::written) {
      report.manifests_updated.push_back(manifest.path);
    }
  }
  return {};
}

}  // namespace

Result<PublicationReport> publish_ledgers(base::Disk& disk,
                                          const state::StateFolder& folder,
                                          KeptDatabases& databases,
                                          state::StateDb& state,
                                          const parse::Config& config,
                                          const base::Clock& clock,
                                          const PassRequest& request) {
  PublicationReport report;
  TRY_ASSIGN(auto index, databases.index());
  TRY_ASSIGN(index::Reader reader,
             index::Reader::over(std::move(index), folder.file(index::kIndexFile)));
  report.rows = reader.meta();
  TRY_ASSIGN(const auto last, state.publications().last_of_each());
  std::vector<std::string> published;
  published.reserve(last.size());
  for (const state::PublicationRecord& record : last) {
    published.push_back(record.projection);
  }
  TRY_ASSIGN(auto agents, projected_agents(reader, published));
  if (!request.agent.empty()) {
    if (std::find(agents.begin(), agents.end(), request.agent) == agents.end()) {
      return Error{ErrorKind::usage,
                   "no session here belongs to the agent '" + request.agent + "'",
                   {},
                   "'daybook log --all' shows which agents there are."};
    }
    agents = {request.agent};
  }
  const lineage::Timestamp now{clock.now_ms()};
  std::vector<RenderedLedger> ledgers;
  for (const std::string& agent : agents) {
    TRY_ASSIGN(auto ledger,
               render_ledger(
                   disk, folder.workspace(), reader, config, agent, now, databases.older_days()));
    report.projections.push_back({ledger.path,
                                  agent,
                                  ledger.md.text.size(),
                                  ledger.md.lines,
                                  ledger.md.rows,
                                  ledger.md.clipped,
                                  false,
                                  false,
                                  false});
    ledgers.push_back(std::move(ledger));
  }
  if (config.publisher != "any" && config.publisher != folder.device()) {
    TRY(leave_to_other_device(disk, folder, config.publisher, ledgers, report));
    return report;
  }
  if (!all_stand(disk, folder.workspace(), last, ledgers)) {
    TRY_ASSIGN(const std::int64_t fence, state.publications().highest_fence());
    TRY_ASSIGN(
        auto lease,
        databases.lease().acquire({state::kLeaseTime, request.wait, fence, request.command}));
    projection::Publisher publisher(folder.workspace(), folder, state, clock);
    publish(publisher, lease, reader.meta().generation, ledgers, report);
  }
  TRY(tell_manifests(disk, folder, reader, now, ledgers, report));
  return report;
}

}  // namespace daybook::service
