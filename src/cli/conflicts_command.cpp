// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/confirm.hpp"
#include "cli/pass.hpp"
#include "cli/reading.hpp"
#include "cli/session_json.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/conflicts.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace daybook::cli {
namespace {

using service::Conflict;
using service::ConflictAction;
using service::ConflictOutcome;

struct Options {
  std::string action = "list";
  bool dry_run = false;
  bool yes = false;
};

bool is_left(const ConflictOutcome& outcome) { return outcome.done == ConflictAction::keep; }

std::size_t to_be_done(const std::vector<Conflict>& conflicts) {
  return static_cast<std::size_t>(
      std::count_if(conflicts.begin(), conflicts.end(), [](const Conflict& conflict) {
        return service::action_for(conflict.verdict) != ConflictAction::keep;
      }));
}

Json to_json(const Conflict& conflict) {
  return Json::object({{"path", conflict.path},
                       {"original", conflict.original},
                       {"agent_id", conflict.agent_id},
                       {"kind", service::to_string(conflict.kind)},
                       {"verdict", service::to_string(conflict.verdict)},
                       {"action", service::to_string(service::action_for(conflict.verdict))},
                       {"reason", conflict.reason}});
}

enum class Tense : std::uint8_t { to_be_done, done };

std::string_view deed(ConflictAction action, Tense tense) {
  const bool done = tense == Tense::done;
  switch (action) {
    case ConflictAction::trash:
      return done ? "moved to the trash" : "to the trash";
    case ConflictAction::merge:
      return done ? "merged, and moved to the trash" : "merge, then to the trash";
    case ConflictAction::remove:
      return done ? "deleted" : "delete";
    case ConflictAction::keep:
      break;
  }
  return done ? "left" : "stays";
}

std::string row(const Conflict& conflict,
                std::string_view what,
                const std::string& why,
                const Palette& colors) {
  std::string text(colors.bold);
  text.append(base::printable(conflict.path)).append(colors.reset).append("\n  ");
  text.append(what).append(": ").append(base::printable(why)).append("\n");
  return text;
}

std::string summary_of(std::size_t all, std::size_t actions) {
  if (all == 0) {
    return "There are no conflict copies.\n";
  }
  std::string text = all == 1 ? "1 conflict copy" : grouped(all) + " conflict copies";
  text.append(": ").append(grouped(actions)).append(" can be resolved, ");
  return text.append(grouped(all - actions)).append(all - actions == 1 ? " stays.\n" : " stay.\n");
}

std::string plan_rows(const std::vector<Conflict>& conflicts, const Palette& colors) {
  std::string text;
  for (const Conflict& conflict : conflicts) {
    const auto action = service::action_for(conflict.verdict);
    text.append(row(conflict, deed(action, Tense::to_be_done), conflict.reason, colors));
  }
  return text;
}

int show_plan(const std::vector<Conflict>& conflicts,
              const Options& options,
              const Settings& settings) {
  if (settings.json) {
    Json rows = Json::array();
    for (const Conflict& conflict : conflicts) {
      rows.push_back(to_json(conflict));
    }
    Json answer = Json::object({{"conflicts", std::move(rows)}});
    if (options.action == "resolve") {
      answer["dry_run"] = true;
    }
    print_json(answer);
  } else {
    const Palette colors = palette_for(stdout, settings.color);
    print(stdout,
          plan_rows(conflicts, colors) + summary_of(conflicts.size(), to_be_done(conflicts)));
    if (options.action == "list" && to_be_done(conflicts) > 0) {
      say(settings,
          "'daybook conflicts resolve --dry-run' shows what would be done, --yes does it");
    }
  }
  return conflicts.empty() ? kDone : kProblemsFound;
}

/// Without a state folder only what lies in the vault is known, and nothing is made.
Result<std::vector<Conflict>> look(const Settings& settings, const std::string& agent) {
  const auto vault = open_vault(settings, state::Create::never);
  if (vault) {
    return service::Conflicts(base::real_disk(), vault->state, *vault->clock).find(agent);
  }
  if (vault.error().kind != ErrorKind::not_found) {
    return vault.error();
  }
  TRY_ASSIGN(const std::string workspace, open_workspace(settings));
  service::ConflictSearch search;
  search.agent = agent;
  return service::find_conflicts(base::real_disk(), workspace, search);
}

void show_outcomes(const std::vector<ConflictOutcome>& outcomes,
                   const Vault& vault,
                   const Settings& settings) {
  if (settings.json) {
    Json rows = Json::array();
    for (const ConflictOutcome& outcome : outcomes) {
      Json one = to_json(outcome.conflict);
      one["done"] = service::to_string(outcome.done);
      one["trash"] = text_or_null(outcome.trash);
      one["note"] = text_or_null(outcome.note);
      rows.push_back(std::move(one));
    }
    print_json(Json::object({{"conflicts", std::move(rows)}, {"dry_run", false}}));
    return;
  }
  const Palette colors = palette_for(stdout, settings.color);
  std::string text;
  bool trashed = false;
  for (const ConflictOutcome& outcome : outcomes) {
    const std::string& why = outcome.note.empty() ? outcome.conflict.reason : outcome.note;
    text.append(row(outcome.conflict, deed(outcome.done, Tense::done), why, colors));
    if (!outcome.trash.empty()) {
      text.append("  ").append(colors.dim).append(base::printable(outcome.trash));
      text.append(colors.reset).append("\n");
      trashed = true;
    }
  }
  print(stdout, text);
  if (trashed) {
    say(settings, "to put one back, copy it from the trash to its place in " + vault.workspace);
  }
}

Result<int> resolve(const Options& options, const Settings& settings, const std::string& agent) {
  TRY_ASSIGN(const auto vault, open_vault(settings, state::Create::if_missing));
  service::Conflicts conflicts(base::real_disk(), vault.state, *vault.clock);
  TRY_ASSIGN(const auto found, conflicts.find(agent));
  const std::size_t actions = to_be_done(found);
  if (actions > 0 && !options.yes) {
    print(stderr, plan_rows(found, palette_for(stderr, settings.color)));
    if (!confirmed("Resolve " + counted(actions, "conflict") + "?")) {
      return Error{ErrorKind::usage,
                   "nothing was changed: nobody said yes",
                   {},
                   "Look with --dry-run, then add --yes."};
    }
  }
  TRY_ASSIGN(const auto outcomes, conflicts.resolve(found));
  if (!std::all_of(outcomes.begin(), outcomes.end(), is_left)) {
    TRY(follow_up(vault, "daybook conflicts resolve", settings));
  }
  show_outcomes(outcomes, vault, settings);
  if (!settings.json && outcomes.empty()) {
    print(stdout, summary_of(0, 0));
  }
  return std::any_of(outcomes.begin(), outcomes.end(), is_left) ? kProblemsFound : kDone;
}

int run_conflicts(const Options& options, const Settings& settings) {
  const auto agent = chosen_agent(settings);
  if (!agent) {
    return fail(agent.error(), settings);
  }
  if (options.action == "resolve" && !options.dry_run) {
    const Result<int> code = resolve(options, settings, *agent);
    return code ? *code : fail(code.error(), settings);
  }
  const auto conflicts = look(settings, *agent);
  return conflicts ? show_plan(*conflicts, options, settings) : fail(conflicts.error(), settings);
}

}  // namespace

void add_conflicts(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add(
      "conflicts",
      "List the copies that synchronisers left in conflicts, and resolve them",
      ".\nCopies with their original's bytes, and of MEMORY.md, go to the trash of the state "
      "folder;\nmanifests are merged by revision; all others stay.");
  const auto judge = [](const std::string& name) {
    const bool known = name == "list" || name == "resolve";
    return known ? std::string() : "conflicts takes list or resolve, not " + name;
  };
  command.argument(
      "ACTION", options->action, "list (without one) or resolve", Need::optional, judge);
  command.flag("--dry-run", options->dry_run, "Only say what would be done");
  command.flag("-y,--yes", options->yes, "Do not ask");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_conflicts(*options, settings); };
  });
}

}  // namespace daybook::cli
