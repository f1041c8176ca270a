// SPDX-License-Identifier: MIT
#include "cli/check_output.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/service/check.hpp"
#include "daybook/service/workspace_config.hpp"

#include <map>
#include <memory>

namespace daybook::cli {
namespace {

using lineage::Severity;

struct Options {
  std::vector<std::string> paths;
  CheckFormat format = CheckFormat::human;
  Severity least = Severity::info;
  bool severity_given = false;
};

Result<CheckFormat> format_from(const std::string& name) {
  static const std::map<std::string, CheckFormat> formats{{"human", CheckFormat::human},
                                                          {"json", CheckFormat::json},
                                                          {"gcc", CheckFormat::gcc},
                                                          {"sarif", CheckFormat::sarif}};
  const auto found = formats.find(name);
  if (found == formats.end()) {
    return Error{
        ErrorKind::usage, "--format takes human, json, gcc or sarif, not '" + name + "'", {}, {}};
  }
  return found->second;
}

Result<Severity> severity_from(const std::string& name) {
  const auto severity = lineage::severity_from_string(name);
  if (!severity) {
    return Error{
        ErrorKind::usage, "--severity takes error, warning or info, not '" + name + "'", {}, {}};
  }
  return *severity;
}

void write(const CheckView& view, CheckFormat format, const Settings& settings) {
  switch (format) {
    case CheckFormat::json:
      write_json(view, stdout);
      break;
    case CheckFormat::gcc:
      write_gcc(view, stdout);
      break;
    case CheckFormat::sarif:
      write_sarif(view, stdout);
      break;
    case CheckFormat::human:
      write_human(view, palette_for(stdout, settings.color), stdout);
      break;
  }
}

int run_check(const Options& options, const Settings& settings) {
  if (!settings.agent.empty() && !lineage::is_valid_agent_id(settings.agent)) {
    return fail({ErrorKind::usage,
                 "'" + settings.agent + "' cannot be the id of an agent",
                 {},
                 std::string(lineage::info(lineage::Code::bad_agent_id).hint)},
                settings);
  }
  auto scope = scope_of(settings, options.paths);
  if (!scope) {
    return fail(scope.error(), settings);
  }
  // A check needs no setting, but it is where people look for what is wrong with them.
  if (const auto config = service::load_config(base::real_disk(), scope->workspace); !config) {
    return fail(config.error(), settings);
  }
  service::WorkProgress progress;
  const InterruptFlag interrupt(progress.cancelled);
  Result<service::CheckReport> report = [&] {
    const ProgressBar bar(progress, settings);
    return service::check(
        base::real_disk(), {scope->workspace, scope->paths, settings.agent, 0}, progress);
  }();
  if (!report) {
    return fail(report.error(), settings);
  }
  if (progress.cancelled) {
    print(stderr, "daybook: stopped; nothing was changed\n");
    return kInterrupted;
  }
  if (!settings.agent.empty() && report->files == 0) {
    print(stderr,
          "daybook: no file here belongs to the agent '" + base::printable(settings.agent) + "'\n");
  }
  CheckView view{*report, scope->workspace, options.least, options.severity_given, {}};
  view.counts = count_shown(view);
  write(view, settings.json ? CheckFormat::json : options.format, settings);
  return view.counts.errors + view.counts.warnings > 0 ? kProblemsFound : kDone;
}

}  // namespace

void add_check(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.add("check",
                  "Say for each file of memory/ whether it is right and what is wrong with it",
                  ".\nReads only: nothing is written and no state is created.");
  command.arguments("PATH",
                    options->paths,
                    "Files or folders below memory/, or a whole vault (default: the workspace)",
                    Need::optional);
  command.option(
      "--format",
      "FORMAT",
      [options](const std::string& name) -> Result<void> {
        TRY_ASSIGN(options->format, format_from(name));
        return {};
      },
      "human, json, gcc or sarif");
  command.option(
      "--severity",
      "LEVEL",
      [options](const std::string& name) -> Result<void> {
        TRY_ASSIGN(options->least, severity_from(name));
        return {};
      },
      "Least severity to show and to count: error, warning or info");
  command.when_given([&run, options, command] {
    options->severity_given = command.was_given("--severity");
    run = [options](const Settings& settings) { return run_check(*options, settings); };
  });
}

}  // namespace daybook::cli
