// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/confirm.hpp"
#include "cli/pass.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/learn/learn.hpp"
#include "daybook/service/decisions.hpp"
#include "daybook/service/workspace_config.hpp"

#include <memory>

namespace daybook::cli {
namespace {

struct Options {
  std::string session;
  std::string token;
  std::string path;
  std::string reason;
  bool purge = false;
  bool dry_run = false;
  bool yes = false;
};

service::Decisions decisions_on(const Vault& vault) {
  return {base::real_disk(), vault.state, *vault.clock};
}

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    text.append("  ").append(base::printable(path)).append("\n");
  }
  return text;
}

Error not_confirmed() {
  return {ErrorKind::usage,
          "nothing was removed: nobody said yes",
          {},
          "Look with --dry-run, then add --yes."};
}

Json to_json(const capture::RemovalPlan& plan, bool dry_run) {
  Json hashes = Json::array();
  for (const base::Digest& digest : plan.tombstone.removed_sha256) {
    hashes.push_back(base::to_hex(digest));
  }
  return Json::object(
      {{"session_token", plan.tombstone.token.to_string()},
       {"agent_id", plan.tombstone.agent_id},
       {"scope", plan.tombstone.scope == lineage::TombstoneScope::session ? "session" : "paths"},
       {"tombstone", canon::tombstone_path(plan.tombstone)},
       {"removed_paths", plan.files},
       {"removed_sha256", hashes},
       {"dry_run", dry_run}});
}

Result<capture::RemovalTarget> target_of(const Options& options, const std::string& agent) {
  using By = capture::RemovalTarget::By;
  const int given = (options.session.empty() ? 0 : 1) + (options.token.empty() ? 0 : 1) +
                    (options.path.empty() ? 0 : 1);
  if (given != 1) {
    return Error{ErrorKind::usage,
                 "name what to remove by one of --session, --token or --path",
                 {},
                 "Such as: daybook remove --session KEY --reason 'held a password'"};
  }
  if (!options.session.empty()) {
    return capture::RemovalTarget{By::session, options.session, agent};
  }
  return options.token.empty() ? capture::RemovalTarget{By::path, options.path, agent}
                               : capture::RemovalTarget{By::token, options.token, agent};
}

Result<int> remove_target(const Options& options,
                          const Settings& settings,
                          const Vault& vault,
                          const std::string& agent) {
  TRY_ASSIGN(const auto target, target_of(options, agent));
  if (options.reason.empty()) {
    return Error{ErrorKind::usage,
                 "a removal needs a reason",
                 {},
                 "Add --reason TEXT; it is kept in the tombstone, so it must not hold what is "
                 "removed."};
  }
  // Looked at by a dry run, too: what it shows must be what would be done.
  TRY_ASSIGN(const parse::Config config, service::load_config(base::real_disk(), vault.workspace));
  TRY_ASSIGN(const std::string reason,
             learn::storable_reason({base::real_disk(), vault.state, config, vault.now()},
                                    options.reason));
  if (!options.dry_run) {
    TRY(follow_up(vault, "daybook remove", settings));  // plan by what is there now
  }
  service::Decisions decisions = decisions_on(vault);
  TRY_ASSIGN(const auto plan, decisions.plan_removal(target, reason));
  const std::string what = counted(plan.files.size(), "file") + " of the session " +
                           plan.tombstone.token.to_string() + " (agent " +
                           base::printable(plan.tombstone.agent_id) + ")";
  if (options.dry_run) {
    settings.json ? print_json(to_json(plan, true))
                  : print(stdout, "Would remove " + what + ":\n" + listed(plan.files));
    return kDone;
  }
  if (!options.yes) {
    print(stderr, listed(plan.files));
    if (!confirmed("Remove " + what + " for good?")) {
      return not_confirmed();
    }
  }
  TRY(decisions.remove(plan));
  TRY_ASSIGN(const int code,
             follow_up(vault, "daybook remove", settings, {plan.tombstone.agent_id}));
  settings.json ? print_json(to_json(plan, false))
                : print(stdout,
                        "Removed " + what + ".\nThe tombstone " +
                            base::printable(canon::tombstone_path(plan.tombstone)) +
                            " keeps it from coming back.\n");
  TRY_ASSIGN(const auto copies, decisions.purgeable());
  if (!copies.empty()) {
    print(stderr,
          "daybook: " + counted(copies.size(), "other file") +
              " in the vault holds removed text; 'daybook remove --purge' deletes it:\n" +
              listed(copies));
  }
  return code;
}

Result<int> purge_copies(const Options& options, const Settings& settings, const Vault& vault) {
  int code = kDone;
  if (!options.dry_run) {
    TRY_ASSIGN(code, follow_up(vault, "daybook remove --purge", settings));
  }
  service::Decisions decisions = decisions_on(vault);
  TRY_ASSIGN(auto paths, decisions.purgeable());
  if (!options.dry_run && !paths.empty()) {
    if (!options.yes) {
      print(stderr, listed(paths));
      if (!confirmed("Delete " + counted(paths.size(), "file") + " for good?")) {
        return not_confirmed();
      }
    }
    TRY_ASSIGN(paths, decisions.purge(paths));
    TRY_ASSIGN(code, follow_up(vault, "daybook remove --purge", settings));
  }
  if (settings.json) {
    print_json(Json::object({{"purged", paths}, {"dry_run", options.dry_run}}));
  } else {
    print(stdout,
          std::string(options.dry_run ? "Would delete " : "Deleted ") +
              counted(paths.size(), "file") + " with removed text" +
              (paths.empty() ? ".\n" : ":\n") + listed(paths));
  }
  return code;
}

template <typename Work>
int run_on_vault(const Settings& settings, state::Create create, const Work& work) {
  const auto agent = chosen_agent(settings);
  if (!agent) {
    return fail(agent.error(), settings);
  }
  const auto vault = open_vault(settings, create);
  if (!vault) {
    return fail(vault.error(), settings);
  }
  const Result<int> code = work(*vault, *agent);
  return code ? *code : fail(code.error(), settings);
}

int run_remove(const Options& options, const Settings& settings) {
  const auto create = options.dry_run ? state::Create::never : state::Create::if_missing;
  return run_on_vault(settings, create, [&](const Vault& vault, const std::string& agent) {
    return options.purge ? purge_copies(options, settings, vault)
                         : remove_target(options, settings, vault, agent);
  });
}

int run_unremove(const std::string& token, const Settings& settings) {
  return run_on_vault(
      settings, state::Create::never, [&](const Vault& vault, const std::string&) -> Result<int> {
        TRY_ASSIGN(const std::size_t lifted, decisions_on(vault).unremove(token));
        TRY(follow_up(vault, "daybook unremove", settings));
        if (settings.json) {
          print_json(Json::object({{"session_token", token}, {"lifted", lifted}}));
        } else {
          print(stdout,
                "Lifted " + counted(lifted, "tombstone") + " of " + token +
                    ". Files that come back now are indexed again; what was deleted stays "
                    "deleted.\n");
        }
        return kDone;
      });
}

int run_accept(const std::string& path, const std::string& reason, const Settings& settings) {
  return run_on_vault(
      settings, state::Create::never, [&](const Vault& vault, const std::string&) -> Result<int> {
        TRY(decisions_on(vault).accept(path, reason));
        TRY(follow_up(vault, "daybook accept", settings));
        if (settings.json) {
          print_json(Json::object({{"path", path}, {"accepted", true}}));
        } else {
          print(stdout, "Accepted " + base::printable(path) + " as it is now.\n");
        }
        return kDone;
      });
}

}  // namespace

void add_remove(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add(
      "remove",
      "Remove a session or a file for good, and keep it away",
      ".\nWrites a tombstone, deletes the files, and wipes the text from index, full text and "
      "state."
      "\nCopies that come back by sync, git or backup are recognised and never indexed.");
  command.option("--session", "ID", options->session, "Key or id of the session");
  command.option("--token", "TOKEN", options->token, "Its token of 16 letters");
  command.option("--path", "PATH", options->path, "One file, from the workspace's root");
  command.option("--reason", "TEXT", options->reason, "Why; kept in the tombstone");
  command.flag("--purge", options->purge, "Delete files that hold removed text again");
  command.flag("--dry-run", options->dry_run, "Only say what would be removed");
  command.flag("-y,--yes", options->yes, "Do not ask");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_remove(*options, settings); };
  });
}

void add_unremove(const Command& program, Run& run) {
  auto token = std::make_shared<std::string>();
  const Command command = program.add("unremove", "Lift a removal");
  command.argument(
      "TOKEN", *token, "The session's token, as in the tombstone's name", Need::required);
  command.when_given([&run, token] {
    run = [token](const Settings& settings) { return run_unremove(*token, settings); };
  });
}

void add_accept(const Command& program, Run& run) {
  struct Accept {
    std::string path;
    std::string reason;
  };
  auto options = std::make_shared<Accept>();
  const Command command =
      program.add("accept", "Accept an immutable file that was changed since it was sealed");
  command.argument("PATH", options->path, "The file, from the workspace's root", Need::required);
  command.option("--reason", "TEXT", options->reason, "Why; kept in the audit record");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) {
      return run_accept(options->path, options->reason, settings);
    };
  });
}

}  // namespace daybook::cli
