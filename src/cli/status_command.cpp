// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/reading.hpp"
#include "cli/service_health.hpp"
#include "cli/session_json.hpp"
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

/// Where the report was made; without a state folder the workspace was never indexed.
struct Place {
  std::string workspace;
  std::string state_dir;
  std::string device;
  bool indexed = true;
  parse::Config config;
  std::optional<state::ServiceHolder> holder;  ///< of the service's lock
  std::optional<daemon::Health> health;        ///< what it answers
};

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

/// The service sweeps more often than it has a reason to write so into the index.
std::optional<lineage::Timestamp> last_sweep(const StatusReport& report, const Place& place) {
  return place.health && place.health->last_sweep ? place.health->last_sweep : report.last_sweep;
}

Json changes_json(const StatusReport& report) {
  if (!report.freshness) {
    return nullptr;
  }
  return Json::object({{"added", report.freshness->added},
                       {"changed", report.freshness->changed},
                       {"removed", report.freshness->removed},
                       {"links", report.freshness->links_changed}});
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

void print_as_json(const StatusReport& report, const Place& place) {
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
       {"changes", changes_json(report)},
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
       {"pipeline_holder", text_or_null(report.pipeline_holder.value_or(""))},
       {"lease_holder", text_or_null(report.lease_holder.value_or(""))},
       {"degraded", report.degraded},
       {"notices", report.notices}}));
}

constexpr std::string_view kNoAnswer = "service-silent";

/// Those that there are, most wanted first.
std::string learnings_words(const index::LearningCounts& learnings) {
  std::string words;
  const auto add = [&words](std::uint64_t count, std::string_view what) {
    if (count > 0) {
      words.append(words.empty() ? "" : ", ").append(grouped(count)).append(" ").append(what);
    }
  };
  for (std::size_t i = 0; i < learnings.by_status.size(); ++i) {
    add(learnings.by_status[i], lineage::kLearningStatusNames[i]);
  }
  add(learnings.invalid, "invalid");
  add(learnings.duplicates, "with the learning_id of another");
  return words;
}

/// What a reason means and what to do, for people.
std::string explain(const std::string& reason, const Place& place) {
  namespace degraded = service::degraded;
  if (place.holder && reason == degraded::kIndexStale) {
    return "the files have changed since; the service follows by itself";
  }
  if (place.holder && reason == degraded::kFullTextBehind) {
    return "the full text is older than the index; the service is making it";
  }
  static const std::vector<std::pair<std::string_view, const char*>> kWords{
      {degraded::kMemoryMdContested,
       "another program keeps replacing MEMORY.md; end it, then 'daybook render --take-over'"},
      {degraded::kClock,
       "the clock is more than a day behind the last publication; set it, or 'daybook render "
       "--take-over' if it is right"},
      {degraded::kErasurePending,
       "removed text is not yet wiped from the state; 'daybook reindex'"},
      {degraded::kUnfinishedRemoval, "a removal was cut off; 'daybook reindex' finishes it"},
      {degraded::kUnfinishedCapture,
       "a capture was cut off or is not yet in MEMORY.md; 'daybook reindex' finishes it"},
      {degraded::kIndexMissing, "there is no index; 'daybook reindex' makes it"},
      {degraded::kIndexDamaged, "the index cannot be read; 'daybook reindex' makes it anew"},
      {degraded::kIndexStale, "the files have changed since; 'daybook reindex'"},
      {degraded::kFullTextBehind, "the full text is older than the index; 'daybook reindex'"},
      {degraded::kStateMissing, "state.db is gone; 'daybook reindex' makes it anew"},
      {degraded::kStateBusy, "state.db cannot be asked now"},
      {degraded::kVaultUnreadable, "memory/ cannot be listed; is the vault mounted?"},
      {daemon::degraded::kPolling,
       "events cannot be relied on, so every file is looked at every few seconds; 'daybook doctor' "
       "says why"},
      {daemon::degraded::kVaultAway,
       "memory/ is not there; what is known is kept, and the service goes on when it is back"},
      {daemon::degraded::kVaultEmptied,
       "memory/ is another folder than before and has no note; mount or restore it, or 'daybook "
       "reindex' if it is meant to be empty"},
      {daemon::degraded::kPassFailed, "the last pass failed; it is tried again"},
      {daemon::degraded::kConfigError,
       "daybook.yaml cannot be read, so the former settings hold; 'daybook config check'"},
      {kNoAnswer, "the service holds its lock but does not answer; 'daybook service stop'"}};
  for (const auto& [name, words] : kWords) {
    if (name == reason) {
      return words;
    }
  }
  return {};
}

class Page {
 public:
  explicit Page(const Palette& colors) : colors_(colors) {}

  void line(const char* name, const std::string& value) {
    char label[16];
    std::snprintf(label, sizeof label, "%-11s", name);
    text_.append(colors_.dim).append(label).append(colors_.reset).append(value).append("\n");
  }
  void alarm(const char* name, const std::string& value) {
    line(name, std::string(colors_.red).append(value).append(colors_.reset));
  }
  const std::string& text() const { return text_; }

 private:
  Palette colors_;
  std::string text_;
};

std::string freshness_words(const StatusReport& report) {
  if (!report.freshness) {
    return "not known";
  }
  if (report.fresh()) {
    return "yes";
  }
  const service::Freshness& found = *report.freshness;
  std::string text = "no: " + grouped(found.added) + " new, " + grouped(found.changed) +
                     " changed, " + grouped(found.removed) + " gone";
  return found.links_changed ? text + ", links lead elsewhere" : text;
}

void add_projections(Page& page, const StatusReport& report, const parse::Config& config) {
  for (const service::ProjectionStatus& projection : report.projections) {
    std::string value = base::printable(projection.path) + ": " + counted(projection.rows, "row") +
                        ", " + grouped(projection.bytes) + " of " + grouped(config.max_bytes) +
                        " bytes, " + grouped(projection.lines) + " of " +
                        grouped(config.max_lines) + " lines";
    if (projection.clipped > 0) {
      value += ", " + grouped(projection.clipped) + " clipped";
    }
    page.line("projection", value + (projection.published ? "" : " (the file differs)"));
  }
}

void add_captures(Page& page, const StatusReport& report) {
  constexpr std::size_t kMostShown = 5;
  const service::SpoolCounts& spool = report.spool;
  if (spool.captures + spool.hooks + spool.snapshots > 0) {
    page.line("spool",
              counted(spool.hooks, "hook") + ", " + counted(spool.captures, "capture") + ", " +
                  counted(spool.snapshots, "snapshot") +
                  (spool.hooks > 0 ? "; the service or 'daybook capture drain' takes them" : ""));
  }
  if (report.redacted_secrets + report.redacted_pii > 0) {
    page.line("redacted",
              counted(report.redacted_secrets, "secret") + " and " +
                  counted(report.redacted_pii, "personal detail") + " in what was captured here");
  }
  for (std::size_t i = 0; i < std::min(report.captures.size(), kMostShown); ++i) {
    const service::UnfinishedCapture& capture = report.captures[i];
    page.alarm("capture",
               capture.state + ": " + capture.session_token + " (" + capture.kind + ", since " +
                   lineage::to_string(capture.since) + ")");
  }
  if (report.captures.size() > kMostShown) {
    page.line("", "and " + grouped(report.captures.size() - kMostShown) + " more");
  }
}

std::string service_words(const Place& place) {
  if (!place.holder) {
    return "not running; 'daybook watch' or 'daybook service install' starts it";
  }
  if (!place.health) {
    return place.holder->note + ", which does not answer";
  }
  const daemon::Health& health = *place.health;
  std::string text(daemon::to_string(health.state));
  text += ", pid " + std::to_string(health.pid) + ", " + health.backend;
  if (!health.trouble.empty()) {
    text += " (" + base::printable(health.trouble) + ")";
  }
  text += ", " + counted(health.folders, "folder");
  if (health.state == daemon::State::working && health.files_total > 0) {
    text += ", file " + grouped(health.files_done) + " of " + grouped(health.files_total);
  }
  return text;
}

void add_service(Page& page, const Place& place) {
  page.line("service", service_words(place));
  if (!place.health) {
    return;
  }
  const daemon::Health& health = *place.health;
  const auto time = [](const std::optional<lineage::Timestamp>& at) {
    return at ? lineage::to_string(*at) : std::string("never");
  };
  page.line("events",
            grouped(health.events) + ", the last " + time(health.last_event) + ", " +
                grouped(health.queue) + " waiting");
  page.line("passes",
            grouped(health.narrow_passes) + " small, " + counted(health.sweeps, "sweep") + ", " +
                grouped(health.rescans) + " after doubt, " + grouped(health.overflows) +
                " overflows, " + grouped(health.deaf) + " times deaf, " + grouped(health.failures) +
                " failed");
  page.line("published",
            grouped(health.publications) + ", the last " + time(health.last_publication));
  if (!health.last_error.empty()) {
    page.alarm("trouble", base::printable(health.last_error));
  }
}

void print_human(const StatusReport& report, const Place& place, const Settings& settings) {
  Page page(palette_for(stdout, settings.color));
  page.line("workspace", base::printable(place.workspace));
  page.line("state", base::printable(place.state_dir) + (place.indexed ? "" : " (not there yet)"));
  if (!place.indexed) {
    page.line("index", "none: this workspace was never indexed; 'daybook reindex' indexes it");
    print(stdout, page.text());
    return;
  }
  page.line("device", place.device);
  add_service(page, place);
  page.line("fresh", freshness_words(report));
  const auto swept = last_sweep(report, place);
  page.line("swept", swept ? lineage::to_string(*swept) : "never");
  page.line("index",
            counted(report.artifacts, "artifact") + ", " + counted(report.sessions, "session") +
                ", generation " + std::to_string(report.generation));
  if (report.learnings.notes() > 0) {
    page.line("learnings", learnings_words(report.learnings));
  }
  page.line("findings",
            counted(report.diagnostics.errors, "error") + ", " +
                counted(report.diagnostics.warnings, "warning") + ", " +
                counted(report.diagnostics.infos, "info"));
  for (const service::InvalidFile& file : report.invalid_files) {
    page.alarm("invalid", base::printable(file.path) + " [" + file.code + "]");
  }
  if (report.invalid > report.invalid_files.size()) {
    page.line("", "and " + grouped(report.invalid - report.invalid_files.size()) + " more");
  }
  add_projections(page, report, place.config);
  page.line("on disk",
            grouped(report.index_bytes) + " bytes index, " + grouped(report.text_bytes) +
                " full text, " + grouped(report.state_bytes) + " state");
  page.line("removals", grouped(report.removals) + " in force");
  page.line("telemetry", "of " + counted(report.telemetry, "session"));
  add_captures(page, report);
  if (report.pipeline_holder) {
    page.line("at work", base::printable(*report.pipeline_holder));
  }
  if (report.lease_holder) {
    page.line("publishing", base::printable(*report.lease_holder));
  }
  for (const std::string& reason : report.degraded) {
    page.alarm("degraded", reason + ": " + explain(reason, place));
  }
  print(stdout, page.text());
  for (const std::string& notice : report.notices) {
    say(settings, notice);
  }
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
  const Place place{*workspace, *state_dir, {}, false, config, {}, {}};
  settings.json ? print_as_json({}, place) : print_human({}, place, settings);
  return kDone;
}

/// What the service knows against itself.
void add_service_reasons(const Place& place, StatusReport& report) {
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
  Place place{vault->workspace, vault->state.path(), vault->state.device(), true, config, {}, {}};
  place.holder = state::service_holder(vault->state);
  place.health = place.holder ? ask_health(vault->state) : std::nullopt;
  add_service_reasons(place, report);
  settings.json ? print_as_json(report, place) : print_human(report, place, settings);
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
