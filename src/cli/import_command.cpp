// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/pass.hpp"
#include "cli/progress.hpp"
#include "cli/reading.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/capture/vault_names.hpp"
#include "daybook/service/session_import.hpp"
#include "daybook/service/workspace_config.hpp"

#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

namespace daybook::cli {
namespace {

using harness::Format;
using service::ImportPlan;
using service::ImportReport;

constexpr std::size_t kMostLimit = 10'000'000;
constexpr double kMegabyte = 1e6;
constexpr std::int64_t kNsPerMs = 1'000'000;

struct Options {
  Format harness = Format::claude_code;
  std::string from;
  std::string since;
  std::string project;
  std::optional<std::size_t> limit;
  bool dry_run = false;
  bool with_model = false;
  bool no_publish = false;
};

struct Answer {
  ImportPlan plan;
  ImportReport report;
  bool dry_run = false;
  bool published = false;
  double seconds = 0;
};

/// Empty: all projects.
std::string project_path(const Options& options) {
  if (options.project.empty()) {
    return {};
  }
  const auto path = std::filesystem::absolute(options.project).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

Result<service::ImportRequest> request_of(const Options& options,
                                          const Settings& settings,
                                          lineage::Timestamp now) {
  service::ImportRequest request;
  request.harness = options.harness;
  request.from = options.from;
  if (request.from.empty()) {
    TRY_ASSIGN(request.from, harness::home_folder(options.harness));
  }
  TRY_ASSIGN(request.agent_id, chosen_agent(settings));
  if (request.agent_id.empty()) {
    request.agent_id = "default";
  }
  TRY_ASSIGN(request.since, read_time("--since", options.since, DayEdge::begin, now));
  request.project = project_path(options);
  request.limit = options.limit;
  return request;
}

Json day_or_null(std::int64_t mtime_ns) {
  return mtime_ns == 0 ? Json(nullptr) : Json(lineage::to_string({mtime_ns / kNsPerMs}));
}

Json to_json(const Answer& answer) {
  const ImportPlan& plan = answer.plan;
  const ImportReport& report = answer.report;
  Json failures = Json::array();
  for (const service::FailedImport& failure : report.failures) {
    failures.push_back(Json::object({{"path", failure.path}, {"reason", failure.reason}}));
  }
  return Json::object(
      {{"harness", harness::to_string(plan.harness)},
       {"from", plan.root},
       {"dry_run", answer.dry_run},
       {"found", plan.listed},
       {"unchanged", plan.unchanged},
       {"not_wanted", plan.not_wanted},
       {"beyond_limit", plan.beyond_limit},
       {"to_read", plan.files},
       {"to_read_bytes", plan.bytes},
       {"oldest", day_or_null(plan.oldest_mtime_ns)},
       {"newest", day_or_null(plan.newest_mtime_ns)},
       {"imported", report.imported},
       {"sessions", report.sessions},
       {"already_there", report.already_there},
       {"removed", report.removed},
       {"empty", report.empty},
       {"failed", report.failed},
       {"broken_lines", report.broken_lines},
       {"unknown_lines", report.unknown_lines},
       {"huge_lines", report.huge_lines},
       {"redacted", Json::object({{"secrets", report.secrets}, {"pii", report.pii}})},
       {"read_bytes", report.bytes},
       {"interrupted", report.interrupted},
       {"published", answer.published},
       {"failures", std::move(failures)},
       {"duration_ms", std::llround(answer.seconds * 1000)}});
}

std::string megabytes(std::uint64_t bytes) {
  const double number = static_cast<double>(bytes) / kMegabyte;
  std::string text = std::to_string(std::round(number * 10) / 10);
  return text.substr(0, text.find('.') + 2) + " MB";
}

/// ", 3 were there already": only what there is.
void add_part(std::string& text, std::uint64_t number, const char* what) {
  if (number > 0) {
    text.append(", ").append(grouped(number)).append(" ").append(what);
  }
}

void print_plan(const ImportPlan& plan) {
  std::string text = "Would read " + counted(plan.files, "session file");
  if (plan.files > 0) {
    text += " (" + megabytes(plan.bytes) + ", last written from " +
            lineage::to_day({plan.oldest_mtime_ns / kNsPerMs}) + " to " +
            lineage::to_day({plan.newest_mtime_ns / kNsPerMs}) + ")";
  }
  text += " of " + grouped(plan.listed) + " in " + base::printable(plan.root);
  add_part(text, plan.unchanged, "read before");
  add_part(text, plan.not_wanted, "not wanted");
  add_part(text, plan.beyond_limit, "beyond the limit");
  print(stdout, text + ".\n");
}

void print_human(const Answer& answer) {
  if (answer.dry_run) {
    print_plan(answer.plan);
    return;
  }
  const ImportReport& report = answer.report;
  std::string text = "Imported " + counted(report.imported, "session file");
  if (report.imported > 0) {
    text += " of " + counted(report.sessions, "session");
  }
  add_part(text, answer.plan.unchanged, "read before");
  add_part(text, report.already_there, "there already");
  add_part(text, report.empty, "empty");
  add_part(text, report.removed, "removed earlier and left out");
  add_part(text, answer.plan.not_wanted, "not wanted");
  add_part(text, answer.plan.beyond_limit, "beyond the limit");
  add_part(text, report.failed, "failed");
  text += ".\n";
  if (report.bytes > 0 && answer.seconds > 0) {
    text += "Read " + megabytes(report.bytes) + " in " +
            std::to_string(std::llround(answer.seconds)) + " s.\n";
  }
  if (report.secrets + report.pii > 0) {
    text += "Redacted: " + counted(report.secrets, "secret") + ", " +
            counted(report.pii, "personal detail") + ".\n";
  }
  print(stdout, text);
}

void print_talk(const ImportReport& report) {
  const std::uint64_t left_out = report.broken_lines + report.huge_lines;
  if (left_out + report.unknown_lines > 0) {
    print(stderr,
          "daybook: left out " + counted(left_out, "line") + " that could not be read and " +
              grouped(report.unknown_lines) + " of unknown types\n");
  }
  for (const service::FailedImport& failure : report.failures) {
    print(stderr,
          "daybook: not imported: " + base::printable(failure.path) + ": " +
              base::printable(failure.reason) + "\n");
  }
  if (report.failed > report.failures.size()) {
    print(stderr,
          "daybook: and " + grouped(report.failed - report.failures.size()) + " more failed\n");
  }
  if (report.interrupted) {
    print(stderr, "daybook: stopped; what was imported stays, run it again to go on\n");
  }
}

/// Looks only: a state folder that is not there is not made.
Result<Answer> plan_only(const Options& options, const Settings& settings) {
  TRY_ASSIGN(const std::string workspace, open_workspace(settings));
  TRY_ASSIGN(const std::string path, state_path_beside(settings, workspace));
  TRY_ASSIGN(const auto request, request_of(options, settings, {chosen_clock(settings)->now_ms()}));
  Answer answer;
  answer.dry_run = true;
  const auto folder = state::StateFolder::open(path, workspace, state::Create::look_only);
  auto state = folder ? state::StateDb::open(*folder) : Result<state::StateDb>(folder.error());
  if (!folder || (!state && state.error().kind == ErrorKind::not_found)) {
    TRY_ASSIGN(answer.plan, service::plan_import(base::real_disk(), request, nullptr));
  } else if (!state) {
    return state.error();
  } else {
    TRY_ASSIGN(const auto names, capture::VaultNames::list(base::real_disk(), workspace));
    TRY_ASSIGN(answer.plan, service::plan_import(base::real_disk(), request, &*state, &names));
  }
  service::add_unreadable(answer.plan, answer.report);
  return answer;
}

Result<ImportPlan> plan_with(const service::ImportRequest& request, const Vault& vault) {
  TRY_ASSIGN(auto state, state::StateDb::open(vault.state));
  TRY_ASSIGN(const auto names, capture::VaultNames::list(base::real_disk(), vault.workspace));
  return service::plan_import(base::real_disk(), request, &state, &names);
}

Result<Answer> import(const Options& options, const Settings& settings) {
  const base::Stopwatch stopwatch;
  if (options.dry_run) {
    return plan_only(options, settings);
  }
  TRY_ASSIGN(const Vault vault, open_vault(settings, state::Create::if_missing));
  TRY_ASSIGN(const auto config, service::load_config(base::real_disk(), vault.workspace));
  TRY_ASSIGN(const auto request, request_of(options, settings, vault.now()));
  Answer answer;
  TRY_ASSIGN(answer.plan, plan_with(request, vault));
  {
    service::WorkProgress progress;
    const InterruptFlag interrupt(progress.cancelled);
    const ProgressBar bar(progress, settings);
    const service::ImportPlace place{
        base::real_disk(),
        vault.state,
        config,
        options.with_model ? service::ModelUse::configured : service::ModelUse::none,
        vault.now()};
    TRY_ASSIGN(answer.report, service::run_import(place, answer.plan, progress));
  }
  answer.seconds = stopwatch.seconds();
  if (!options.no_publish && !answer.report.interrupted) {
    const auto passed = follow_up(vault, "daybook import", settings);
    answer.published = passed.ok();
    if (!passed) {
      print(stderr,
            "daybook: imported, but not yet in MEMORY.md: " +
                base::printable(passed.error().message) + "\n");
    }
  }
  return answer;
}

/// Most likely a name was given where a path is wanted.
void print_project_hint(const Options& options, const ImportPlan& plan) {
  if (!options.project.empty() && plan.files + plan.unchanged + plan.beyond_limit == 0 &&
      plan.not_wanted > 0) {
    print(stderr,
          "daybook: no session file that is wanted worked in " +
              base::printable(project_path(options)) +
              " or below it; --project takes the path of a folder\n");
  }
}

int run_import_command(const Options& options, const Settings& settings) {
  const auto answer = import(options, settings);
  if (!answer) {
    return fail(answer.error(), settings);
  }
  print_talk(answer->report);
  print_project_hint(options, answer->plan);
  settings.json ? print_json(to_json(*answer)) : print_human(*answer);
  if (answer->report.interrupted) {
    return kInterrupted;
  }
  return answer->report.failed > 0 ? kProblemsFound : kDone;
}

void add_harness(const Command& import, Run& run, Format harness, const std::string& home) {
  const std::string name(harness::to_string(harness));
  auto options = std::make_shared<Options>();
  options->harness = harness;
  const Command command = import.add(
      name,
      "Import the session files that " + name + " has kept",
      ".\nEach becomes summary, transcript and manifest, with secrets redacted. Files that were "
      "read"
      "\nbefore and have not changed are not even opened; one that has grown gives a second"
      "\ntranscript of its session. Sessions that were removed stay away.");
  command.argument("DIR",
                   options->from,
                   "The harness's folder (" + home + "), a folder of session files, or one file.",
                   Need::optional);
  command.option("--since",
                 "TIME",
                 options->since,
                 "Only sessions written to since: 2026-03-28, 30d, or an RFC 3339 time.");
  command.option(
      "--project", "PATH", options->project, "Only sessions in this folder or below it.");
  add_limit_option(command,
                   options->limit,
                   1,
                   kMostLimit,
                   "Read at most N files that were not read before, newest first.");
  command.flag("--dry-run", options->dry_run, "Only say what would be read.");
  command.flag("--with-model",
               options->with_model,
               "Ask the configured model for summary and sentence of each: slow.");
  command.flag("--no-publish",
               options->no_publish,
               "Leave the index and MEMORY.md to the service or the next pass.");
  command.when_given([options, &run] {
    run = [options](const Settings& settings) { return run_import_command(*options, settings); };
  });
}

}  // namespace

void add_import(const Command& program, Run& run) {
  const Command import = program.add(
      "import",
      "Bring sessions into the vault that a harness has kept on disk",
      ".\nRun it again at any time: it goes on where it stopped, and takes in what is new.");
  add_harness(import, run, Format::claude_code, "$CLAUDE_CONFIG_DIR, else ~/.claude");
  add_harness(import, run, Format::codex, "$CODEX_HOME, else ~/.codex");
}

}  // namespace daybook::cli
