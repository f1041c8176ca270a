// SPDX-License-Identifier: MIT
#include "service/publication.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/projection/publisher.hpp"
#include "daybook/service/ledger.hpp"
#include "daybook/state/boot_clock.hpp"
#include "daybook/state/lease.hpp"

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

/// Which of this device's manifests say something else than the ledgers do now.
struct StaleManifest {
  std::string path;
  std::vector<std::string> refs;
};

Result<std::vector<StaleManifest>> stale_manifests(index::Reader& reader,
                                                   const std::string& device,
                                                   const std::vector<RenderedLedger>& ledgers) {
  std::set<std::pair<std::string, lineage::SessionToken>> shown;
  std::set<std::string> agents;
  for (const RenderedLedger& ledger : ledgers) {
    agents.insert(ledger.agent_id);
    for (const lineage::SessionToken& token : ledger.shown) {
      shown.emplace(ledger.agent_id, token);
    }
  }
  std::vector<StaleManifest> stale;
  TRY(reader.files("WHERE kind = 3 AND status = 0 AND device = '" + device + "'",
                   [&](const index::FileRow& file) {
                     if (!file.session || !agents.contains(file.fields.agent_id)) {
                       return;
                     }
                     std::vector<std::string> wanted;
                     if (shown.contains({file.fields.agent_id, *file.session})) {
                       wanted.push_back(projection::ledger_reference(file.fields.agent_id));
                     }
                     if (wanted != file.memory_md_refs) {
                       stale.push_back({file.path(), std::move(wanted)});
                     }
                   }));
  return stale;
}

}  // namespace

Result<PublicationReport> publish_ledgers(base::Disk& disk,
                                          const state::StateFolder& folder,
                                          state::StateDb& state,
                                          const parse::Config& config,
                                          const base::Clock& clock,
                                          const PassRequest& request) {
  PublicationReport report;
  TRY_ASSIGN(index::Reader reader, index::Reader::open(folder.file(index::kIndexFile)));
  TRY_ASSIGN(const auto last, state.publications().last_of_each());
  std::vector<std::string> published;
  published.reserve(last.size());
  for (const state::PublicationRecord& record : last) {
    published.push_back(record.projection);
  }
  TRY_ASSIGN(auto agents, projected_agents(reader, published));
  if (!request.agent.empty()) {
    agents = {request.agent};
  }
  const lineage::Timestamp now{clock.now_ms()};
  std::vector<RenderedLedger> ledgers;
  for (const std::string& agent : agents) {
    TRY_ASSIGN(auto ledger,
               render_ledger(disk, folder.workspace(), reader, config, agent, now));
    report.projections.push_back({ledger.path,
                                  agent,
                                  ledger.md.text.size(),
                                  ledger.md.lines,
                                  ledger.md.rows,
                                  ledger.md.clipped,
                                  false});
    ledgers.push_back(std::move(ledger));
  }
  if (config.publisher != "any" && config.publisher != folder.device()) {
    report.notices.push_back("MEMORY.md is published by another device: daybook.yaml names '" +
                             base::printable(config.publisher) + "', this one is '" +
                             folder.device() + "'");
    return report;
  }
  TRY_ASSIGN(const std::int64_t fence, state.publications().highest_fence());
  const state::SystemBootClock boot_clock;
  TRY_ASSIGN(auto lease,
             state::Lease::acquire(
                 folder, boot_clock, {state::kLeaseTime, request.wait, fence, request.command}));
  projection::Publisher publisher(folder.workspace(), folder, state, clock);
  for (std::size_t i = 0; i < ledgers.size(); ++i) {
    const auto outcome = publisher.publish(
        {ledgers[i].path,
         ledgers[i].md.text,
         static_cast<std::int64_t>(reader.meta().generation)},
        lease);
    if (!outcome) {
      report.problem = report.problem ? report.problem : std::optional(outcome.error());
      continue;
    }
    report.projections[i].written = outcome->state == PublishState::published;
    if (std::string notice = explain(*outcome, ledgers[i].path); !notice.empty()) {
      report.notices.push_back(std::move(notice));
    }
  }
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
      ++report.manifests_updated;
    }
  }
  return report;
}

}  // namespace daybook::service
