// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/pass.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/capture_tools.hpp"
#include "daybook/service/spool_drain.hpp"
#include "daybook/service/workspace_config.hpp"

#include <memory>
#include <thread>

namespace daybook::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{250};

struct Options {
  bool wait = false;
  bool no_publish = false;
};

void add(const service::DrainReport& more, service::DrainReport& all) {
  all.captured += more.captured;
  all.already_captured += more.already_captured;
  all.removed += more.removed;
  all.empty += more.empty;
  all.waiting = more.waiting;
  all.held = more.held;
  all.failed += more.failed;
  all.failed_names.insert(more.failed_names.begin(), more.failed_names.end());
  all.notices.insert(all.notices.end(), more.notices.begin(), more.notices.end());
  all.paths.insert(all.paths.end(), more.paths.begin(), more.paths.end());
}

Result<service::DrainReport> drain(const Options& options,
                                   const Settings& settings,
                                   const Vault& vault,
                                   std::atomic<bool>& cancelled) {
  TRY_ASSIGN(const auto config, service::load_config(base::real_disk(), vault.workspace));
  TRY_ASSIGN(const auto tools, service::capture_tools(base::real_disk(), vault.workspace, config));
  TRY_ASSIGN(auto state, state::StateDb::open(vault.state));
  service::DrainReport all;
  TRY_ASSIGN(auto resumed,
             capture::resume_captures(base::real_disk(), vault.state, state, vault.now()));
  all.notices = std::move(resumed.notices);
  all.failed = resumed.failed;
  for (;;) {
    const capture::CapturePlace place{
        base::real_disk(), vault.state, state, tools.policy, tools.model.get(), vault.now()};
    TRY_ASSIGN(const auto report, service::drain_spool(place, cancelled, all.failed_names));
    add(report, all);
    // By a clock that stands still nothing settles.
    if (!options.wait || report.waiting == 0 || cancelled || settings.now) {
      return all;
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

Json to_json(const service::DrainReport& report) {
  return Json::object({{"captured", report.captured},
                       {"already_captured", report.already_captured},
                       {"removed", report.removed},
                       {"empty", report.empty},
                       {"waiting", report.waiting},
                       {"held", report.held},
                       {"failed", report.failed},
                       {"paths", report.paths},
                       {"notices", report.notices}});
}

void print_human(const service::DrainReport& report) {
  std::string text = "Captured " + counted(report.captured, "session") + " from the spool";
  if (report.already_captured > 0) {
    text += ", " + grouped(report.already_captured) + " were there already";
  }
  if (report.waiting > 0) {
    text += ", " + grouped(report.waiting) + " not settled yet";
  }
  if (report.held > 0) {
    text += ", " + counted(report.held, "snapshot") + " kept until the session ends";
  }
  if (report.failed > 0) {
    text += ", " + grouped(report.failed) + " failed and stay";
  }
  print(stdout, text + ".\n");
}

int run_drain(const Options& options, const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::if_missing);
  if (!vault) {
    return fail(vault.error(), settings);
  }
  std::atomic<bool> cancelled = false;
  const InterruptFlag interrupt(cancelled);
  const auto report = drain(options, settings, *vault, cancelled);
  if (!report) {
    return fail(report.error(), settings);
  }
  for (const std::string& notice : report->notices) {
    print(stderr, "daybook: " + base::printable(notice) + "\n");
  }
  if (!options.no_publish && !report->paths.empty()) {
    if (const auto passed = follow_up(*vault, "daybook capture drain", settings); !passed) {
      print(stderr,
            "daybook: captured, but not yet in MEMORY.md: " +
                base::printable(passed.error().message) + "\n");
    }
  }
  settings.json ? print_json(to_json(*report)) : print_human(*report);
  return report->failed > 0 ? kProblemsFound : kDone;
}

}  // namespace

void add_drain(const Command& capture, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = capture.add(
      "drain",
      "Capture what hooks have put into the spool",
      "\nThe service does this by itself. A session's end waits until its file has not been written"
      "\nto for two seconds.");
  command.flag("--wait", options->wait, "Wait for those that have not settled yet.");
  command.flag("--no-publish",
               options->no_publish,
               "Leave the index and MEMORY.md to the service or the next pass.");
  command.when_given([options, &run] {
    run = [options](const Settings& settings) { return run_drain(*options, settings); };
  });
}

}  // namespace daybook::cli
