// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/embedding.hpp"
#include "cli/reading.hpp"
#include "cli/run_memory_json.hpp"
#include "cli/service_health.hpp"
#include "cli/session_json.hpp"
#include "cli/status_page.hpp"
#include "cli/terminal.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/service/status.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/service_lock.hpp"

#include <filesystem>
#include <memory>

namespace daybook::cli {
namespace {

using service::StatusReport;

Json projections_json(const StatusReport& report, const parse::Config& config) {
  Json projections = Json::array();
  for (const service::ProjectionStatus& projection : report.projections) {
    projections.push_back(Json::object({{"path", projection.path},
                                        {"agent_id", projection.agent_id},
                                        {"bytes", projection.bytes},
                                        {"max_bytes", config.max_bytes},
                                        {"lines", projection.lines},
                                        {"max_lines", config.max_lines},
                                        {"rows", projection.rows},
                                        {"clipped", projection.clipped},
                                        {"published", projection.published}}));
  }
  return projections;
}

Json captures_json(const StatusReport& report) {
  Json captures = Json::array();
  for (const service::UnfinishedCapture& capture : report.captures) {
    captures.push_back(Json::object({{"session_token", capture.session_token},
                                     {"kind", capture.kind},
                                     {"state", capture.state},
                                     {"since", lineage::to_string(capture.since)}}));
  }
  return captures;
}

Json learnings_json(const index::LearningCounts& learnings) {
  Json counts = Json::object({{"invalid", learnings.invalid}});
  for (std::size_t i = 0; i < learnings.by_status.size(); ++i) {
    counts[lineage::kLearningStatusNames[i]] = learnings.by_status[i];
  }
  return counts;
}

void print_as_json(const StatusReport& report, const StatusPlace& place) {
  Json invalid = Json::array();
  for (const service::InvalidFile& file : report.invalid_files) {
    invalid.push_back(Json::object({{"path", file.path}, {"code", file.code}}));
  }
  print_json(Json::object(
      {{"workspace", place.workspace},
       {"state_dir", place.state_dir},
       {"device", text_or_null(place.device)},
       {"indexed", place.indexed},
       {"running", place.holder.has_value()},
       {"backend", place.health ? Json(place.health->backend) : Json(nullptr)},
       {"service", place.health ? health_json(*place.health) : Json(nullptr)},
       {"fresh", report.fresh()},
       {"changes", service::changes_json(report.freshness)},
       {"last_sweep", time_or_null(last_sweep(report, place))},
       {"generation", report.generation},
       {"artifacts", report.artifacts},
       {"sessions", report.sessions},
       {"learnings", learnings_json(report.learnings)},
       {"invalid", report.invalid},
       {"invalid_files", invalid},
       {"diagnostics",
        Json::object({{"error", report.diagnostics.errors},
                      {"warning", report.diagnostics.warnings},
                      {"info", report.diagnostics.infos}})},
       {"projections", projections_json(report, place.config)},
       {"sizes",
        Json::object({{"index", report.index_bytes},
                      {"full_text", report.text_bytes},
                      {"state", report.state_bytes}})},
       {"months_behind", report.months_behind},
       {"removals", report.removals},
       {"telemetry", report.telemetry},
       {"captures", captures_json(report)},
       {"spool",
        Json::object({{"captures", report.spool.captures},
                      {"hooks", report.spool.hooks},
                      {"snapshots", report.spool.snapshots}})},
       {"redacted",
        Json::object({{"secrets", report.redacted_secrets}, {"pii", report.redacted_pii}})},
       {"embeddings", to_json(report.embeddings)},
       {"run_memory", to_json(report.run_memory)},
       {"session_memory",
        Json::object(
            {{"metrics",
              Json::object({{"prompt_limit_omitted_total", report.run_memory.learned_omitted}})}})},
       {"pipeline_holder", text_or_null(report.pipeline_holder.value_or(""))},
       {"lease_holder", text_or_null(report.lease_holder.value_or(""))},
       {"degraded", report.degraded},
       {"notices", report.notices}}));
}

/// Nothing is made for a workspace that was never indexed.
int never_indexed(const Settings& settings, const parse::Config& config) {
  const auto workspace = open_workspace(settings);
  const auto state_dir = workspace ? chosen_state_path(settings, *workspace) : workspace;
  if (!state_dir) {
    return fail(state_dir.error(), settings);
  }
  const std::filesystem::path memory =
      std::filesystem::path(*workspace) / std::string(scan::kMemoryFolder);
  std::error_code trouble;
  if (!std::filesystem::is_directory(memory, trouble)) {
    return fail({ErrorKind::no_workspace,
                 "there is no workspace here: the folder has no memory/",
                 *workspace,
                 "Make one with 'daybook init', or name yours with --workspace DIR."},
                settings);
  }
  const StatusPlace place{*workspace, *state_dir, {}, false, config, {}, {}};
  settings.json ? print_as_json({}, place) : print_status_page({}, place, settings);
  return kDone;
}

/// What the service knows against itself.
void add_service_reasons(const StatusPlace& place, StatusReport& report) {
  if (!place.holder) {
    return;
  }
  if (!place.health) {
    report.degraded.emplace_back(kNoAnswer);
    return;
  }
  report.degraded.insert(
      report.degraded.end(), place.health->degraded.begin(), place.health->degraded.end());
}

/// Whoever reads that the settings are wrong wants to know what the running service makes of that.
Error with_word_of_service(Error error, const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::never);
  const auto holder = vault ? state::service_holder(vault->state) : std::nullopt;
  if (error.kind == ErrorKind::usage && holder) {
    error.hint.append(error.hint.empty() ? "" : " ")
        .append("The service, ")
        .append(base::printable(holder->note))
        .append(", goes on with the settings it had.");
  }
  return error;
}

int run_status(const Settings& settings) {
  const auto workspace = open_configured_workspace(settings);
  if (!workspace) {
    return fail(with_word_of_service(workspace.error(), settings), settings);
  }
  const parse::Config& config = workspace->config;
  const auto vault = open_vault(settings, state::Create::never);
  if (!vault) {
    return vault.error().kind == ErrorKind::not_found ? never_indexed(settings, config)
                                                      : fail(vault.error(), settings);
  }
  StatusReport report =
      service::look_at_status(base::real_disk(), vault->state, config, vault->now());
  StatusPlace place{
      vault->workspace, vault->state.path(), vault->state.device(), true, config, {}, {}};
  place.holder = state::service_holder(vault->state);
  place.health = place.holder ? ask_health(vault->state) : std::nullopt;
  add_service_reasons(place, report);
  settings.json ? print_as_json(report, place) : print_status_page(report, place, settings);
  return report.degraded.empty() && report.invalid == 0 ? kDone : kProblemsFound;
}

}  // namespace

void add_status(const Command& program, Run& run) {
  const Command command =
      program.add("status",
                  "Say what is indexed, how fresh it is, what is wrong, and how the service is",
                  ".\nLooks at every file's time and size.");
  command.when_given([&run] { run = run_status; });
}

}  // namespace daybook::cli
