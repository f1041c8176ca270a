// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/doctor/doctor.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace daybook::cli {
namespace {

using doctor::Finding;
using doctor::FindingSeverity;

constexpr std::size_t kMostPathsShown = 5;
constexpr std::size_t kCheckWidth = 18;

struct Options {
  bool fix = false;
  bool deep = false;
  bool dry_run = false;
};

/// What is told: the last look, and what was or would be done.
struct Answer {
  doctor::Treatment outcome;
  const doctor::DoctorRequest& request;
  const Options& options;
};

std::size_t count(const doctor::DoctorReport& report, FindingSeverity severity) {
  return static_cast<std::size_t>(std::count_if(
      report.findings.begin(), report.findings.end(), [severity](const Finding& finding) {
        return finding.severity == severity && !finding.fixed;
      }));
}

Json to_json(const Finding& finding) {
  return Json::object({{"check", finding.check},
                       {"name", finding.name},
                       {"severity", doctor::to_string(finding.severity)},
                       {"message", finding.message},
                       {"hint", finding.hint},
                       {"fixable", finding.remedy != doctor::Remedy::none},
                       {"fixed", finding.fixed},
                       {"paths", finding.paths}});
}

Json problem_json(const std::optional<Error>& problem) {
  if (!problem) {
    return nullptr;
  }
  return Json::object(
      {{"message", problem->message}, {"path", problem->path}, {"hint", problem->hint}});
}

void print_as_json(const Answer& answer) {
  const doctor::DoctorReport& report = answer.outcome.report;
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back(to_json(finding));
  }
  print_json(Json::object({{"ok", report.ok()},
                           {"workspace", answer.request.workspace},
                           {"state_dir", answer.request.state_path},
                           {"indexed", report.indexed},
                           {"deep", answer.options.deep},
                           {"fix", answer.options.fix},
                           {"dry_run", answer.options.dry_run},
                           {"errors", count(report, FindingSeverity::error)},
                           {"warnings", count(report, FindingSeverity::warning)},
                           {"findings", findings},
                           {"deeds", answer.outcome.deeds},
                           {"problem", problem_json(answer.outcome.problem)}}));
}

std::string mark_of(const Finding& finding, const Palette& colors) {
  const bool good = finding.fixed || finding.severity == FindingSeverity::ok;
  const std::string_view color = good                                           ? colors.green
                                 : finding.severity == FindingSeverity::error   ? colors.red
                                 : finding.severity == FindingSeverity::warning ? colors.yellow
                                                                                : colors.cyan;
  const std::string_view mark = good                                           ? "ok"
                                : finding.severity == FindingSeverity::error   ? "x "
                                : finding.severity == FindingSeverity::warning ? "! "
                                                                               : "i ";
  return std::string(color).append(mark).append(colors.reset);
}

std::string described(const Finding& finding, const Palette& colors) {
  std::string text = mark_of(finding, colors);
  std::string check = finding.check;
  check.resize(std::max(check.size() + 1, kCheckWidth), ' ');
  text.append("  ").append(check).append(finding.fixed ? "mended: " : "");
  text.append(base::printable(finding.message)).append("\n");
  const bool needs_something = !finding.fixed && finding.severity != FindingSeverity::ok;
  const std::string margin(kCheckWidth + 4, ' ');
  if (needs_something && !finding.hint.empty()) {
    text.append(margin).append("-> ").append(base::printable(finding.hint)).append("\n");
  }
  if (!needs_something) {
    return text;
  }
  for (std::size_t i = 0; i < std::min(finding.paths.size(), kMostPathsShown); ++i) {
    text.append(margin).append(base::printable(finding.paths[i])).append("\n");
  }
  if (finding.paths.size() > kMostPathsShown) {
    text.append(margin).append("and more; --json lists them\n");
  }
  return text;
}

std::string summary(const Answer& answer) {
  const doctor::DoctorReport& report = answer.outcome.report;
  if (report.ok()) {
    return "All is well.\n";
  }
  const auto fixable = static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
        return finding.is_problem() && finding.remedy != doctor::Remedy::none;
      }));
  std::string text = counted(count(report, FindingSeverity::error), "error") + ", " +
                     counted(count(report, FindingSeverity::warning), "warning") + ".";
  if (fixable > 0 && !answer.options.fix) {
    text += " 'daybook doctor --fix' can mend " + grouped(fixable) + " of them.";
  }
  return text + "\n";
}

void print_human(const Answer& answer, const Settings& settings) {
  const Palette colors = palette_for(stdout, settings.color);
  const bool quiet = settings.loudness == Loudness::quiet;
  std::string text;
  for (const Finding& finding : answer.outcome.report.findings) {
    if (!quiet || finding.is_problem()) {
      text += described(finding, colors);
    }
  }
  if (!quiet) {
    for (const std::string& deed : answer.outcome.deeds) {
      text += (answer.options.dry_run ? "would: " : "done: ") + base::printable(deed) + "\n";
    }
    text += summary(answer);
  }
  print(stdout, text);
}

doctor::Treatment look_and_treat(const Options& options,
                                 const doctor::DoctorRequest& request,
                                 const base::Clock& clock,
                                 service::WorkProgress& progress) {
  base::Disk& disk = base::real_disk();
  doctor::DoctorReport found = doctor::examine(disk, clock, request, progress);
  if (options.fix && !options.dry_run && !progress.cancelled) {
    return doctor::treat(disk, clock, request, found, progress);
  }
  auto deeds = options.fix ? doctor::planned_deeds(found) : std::vector<std::string>();
  return {std::move(found), std::move(deeds), std::nullopt};
}

Result<doctor::DoctorRequest> request_of(const Options& options, const Settings& settings) {
  doctor::DoctorRequest request;
  TRY_ASSIGN(request.workspace, open_workspace(settings));
  TRY_ASSIGN(request.state_path, state_path_beside(settings, request.workspace));
  TRY_ASSIGN(request.agent, chosen_agent(settings));
  std::error_code trouble;
  const bool is_vault = std::filesystem::is_directory(request.workspace + "/memory", trouble);
  // With a state folder a vault was here once: then its absence is a finding.
  if (!is_vault && !std::filesystem::exists(request.state_path, trouble)) {
    return Error{ErrorKind::no_workspace,
                 "there is no workspace here: the folder has no memory/",
                 request.workspace,
                 "Make one with 'daybook init', or name yours with --workspace DIR."};
  }
  request.depth = options.deep ? doctor::Depth::everything : doctor::Depth::sample;
  request.system = doctor::this_system();
  return request;
}

int run_doctor(const Options& options, const Settings& settings) {
  const auto request = request_of(options, settings);
  if (!request) {
    return fail(request.error(), settings);
  }
  const auto clock = chosen_clock(settings);
  service::WorkProgress progress;
  const InterruptFlag interrupt(progress.cancelled);
  const Answer answer{[&] {
                        const ProgressBar bar(progress, settings);
                        return look_and_treat(options, *request, *clock, progress);
                      }(),
                      *request,
                      options};
  if (progress.cancelled) {
    print(stderr, "daybook: stopped; nothing is lost, run it again to go on\n");
    return kInterrupted;
  }
  settings.json ? print_as_json(answer) : print_human(answer, settings);
  if (const auto& problem = answer.outcome.problem) {
    return settings.json ? exit_code(problem->kind) : fail(*problem, settings);
  }
  return answer.outcome.report.ok() ? kDone : kProblemsFound;
}

}  // namespace

void add_doctor(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.add("doctor",
                  "Look for what is or will be wrong with workspace, state and machine",
                  ".\nEach finding says what to do. Writes nothing without --fix.");
  const Flag fix =
      command.flag("--fix", options->fix, "Mend what can be mended safely; never touches a note");
  command.flag("--deep",
               options->deep,
               "Compare every file with the index, and read every page of the databases");
  command.flag("-n,--dry-run", options->dry_run, "With --fix: only say what would be done")
      .needs(fix);
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_doctor(*options, settings); };
  });
}

}  // namespace daybook::cli
