// SPDX-License-Identifier: MIT
#include "cli/command.hpp"
#include "cli/service_actions.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace daybook::cli {
namespace {

struct Action {
  std::string_view name;
  Result<int> (*run)(const ServiceOptions&, const Settings&);
};

constexpr std::array kActions{Action{"install", install_service},
                              Action{"uninstall", uninstall_service},
                              Action{"start", start_service},
                              Action{"stop", stop_service},
                              Action{"status", show_service_status},
                              Action{"logs", show_service_logs}};

constexpr const char* kNames = "install, uninstall, start, stop, status or logs";

struct Options {
  std::string action;
  std::optional<std::size_t> lines;
  ServiceOptions service;
};

Result<host::ManagerKind> manager_from(const std::string& name) {
  if (name != "systemd" && name != "launchd") {
    return Error{
        ErrorKind::usage, "--manager takes systemd or launchd, not '" + name + "'", {}, {}};
  }
  return name == "systemd" ? host::ManagerKind::systemd : host::ManagerKind::launchd;
}

/// The first option that was given and that the action does not know; empty: none.
std::string misplaced_option(const Options& options) {
  const std::string& action = options.action;
  const bool changes_file = action == "install" || action == "uninstall";
  if (options.service.dry_run && !changes_file) {
    return "--dry-run";
  }
  if (options.service.force && !changes_file) {
    return "--force";
  }
  if (options.service.no_start && action != "install") {
    return "--no-start";
  }
  if (options.service.follow && action != "logs") {
    return "--follow";
  }
  return options.lines && action != "logs" ? "--lines" : "";
}

int run_service(const Options& options, const Settings& settings) {
  if (const std::string option = misplaced_option(options); !option.empty()) {
    return fail({ErrorKind::usage,
                 "'daybook service " + options.action + "' takes no " + option,
                 {},
                 "Try 'daybook service --help'."},
                settings);
  }
  const auto* const action =
      std::find_if(kActions.begin(), kActions.end(), [&options](const Action& candidate) {
        return candidate.name == options.action;
      });
  ServiceOptions chosen = options.service;
  chosen.lines = options.lines.value_or(chosen.lines);
  const Result<int> code = action->run(chosen, settings);
  return code ? *code : fail(code.error(), settings);
}

std::string judged_action(const std::string& name) {
  const bool known = std::any_of(kActions.begin(), kActions.end(), [&name](const Action& action) {
    return action.name == name;
  });
  return known ? std::string() : std::string("service takes ") + kNames + ", not " + name;
}

}  // namespace

void add_service(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add(
      "service",
      "Set up the background service",
      ".\nAs a systemd user unit or a launchd agent, one for each workspace, that runs "
      "'daybook watch'."
      "\n'stop', 'status' and 'logs' also know one that 'daybook watch --detach' has started.");
  command.argument("ACTION", options->action, kNames, Need::required, judged_action);
  command.flag(
      "--dry-run", options->service.dry_run, "install: print the file; uninstall: say what");
  command.flag("--no-start", options->service.no_start, "install: do not start it now");
  command.flag(
      "--force", options->service.force, "Replace or remove a file that Daybook did not make");
  command.flag("-f,--follow", options->service.follow, "logs: go on as lines come");
  add_lines_option(command, options->lines, "logs: so many of the last lines (100)");
  command.option(
      "--manager",
      "NAME",
      [options](const std::string& name) -> Result<void> {
        TRY_ASSIGN(options->service.manager, manager_from(name));
        return {};
      },
      "systemd or launchd (else what this system has)");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_service(*options, settings); };
  });
}

}  // namespace daybook::cli
