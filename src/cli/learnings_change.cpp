// SPDX-License-Identifier: MIT
#include "cli/confirm.hpp"
#include "cli/learnings_desk.hpp"
#include "cli/reading.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/index/reader.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace daybook::cli {
namespace {

struct Options {
  std::string id;
  std::vector<std::string> ids;
  std::string reason;
  std::string type;
  bool dry_run = false;
  bool yes = false;
};

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    text.append("  ").append(base::printable(path)).append("\n");
  }
  return text;
}

/// `option`: which says yes to that command.
Error not_confirmed(const std::string& option) {
  return {ErrorKind::usage,
          "nothing was forgotten: nobody said yes",
          {},
          "Look with --dry-run, then say yes on a terminal or by " + option + "."};
}

Result<int> approve_notes(const Options& options,
                          const Settings& settings,
                          const LearningDesk& desk) {
  std::vector<std::uint64_t> ids;
  for (const std::string& text : options.ids) {
    TRY_ASSIGN(const std::uint64_t id, read_learning_id(text));
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
      ids.push_back(id);
    }
  }
  learn::Change all;
  std::optional<Error> trouble;
  for (const std::uint64_t id : ids) {
    auto change = learn::approve(desk.desk(), {desk.agent, id});
    if (!change) {
      trouble = change.error();
      break;
    }
    all.notes.insert(all.notes.end(), change->notes.begin(), change->notes.end());
    all.paths.insert(all.paths.end(), change->paths.begin(), change->paths.end());
    all.archived.insert(all.archived.end(), change->archived.begin(), change->archived.end());
    all.not_archived += change->not_archived;
  }
  // Those before the one that failed are approved.
  TRY(follow_change(desk, all, "daybook learnings approve", Aftermath::rows, settings));
  if (trouble) {
    return *trouble;
  }
  if (settings.json) {
    print_json(Json::object({{"approved", ids_of(all.notes)},
                             {"changed", all.paths.size()},
                             {"archived", ids_of(all.archived)}}));
    tell_archived(all, settings);
    return kDone;
  }
  std::string text;
  for (const learn::Note& note : all.notes) {
    text.append("Approved ").append(line_of(note)).append("\n");
  }
  print(stdout, text);
  tell_archived(all, settings);
  return kDone;
}

Result<int> revoke_note(const Options& options,
                        const Settings& settings,
                        const LearningDesk& desk) {
  TRY_ASSIGN(const std::uint64_t id, read_learning_id(options.id));
  TRY_ASSIGN(const learn::Change change,
             learn::revoke(desk.desk(), {desk.agent, id}, options.reason));
  TRY_ASSIGN(
      const int code,
      follow_change(desk, change, "daybook learnings revoke", Aftermath::revocation, settings));
  if (!change.not_edited.empty()) {
    print(stderr,
          "daybook: what follows cannot be edited, so it does not say 'revoked' itself; the "
          "tombstone keeps it from counting, and 'daybook check' says what is wrong with it:\n" +
              listed(change.not_edited));
  }
  if (settings.json) {
    print_json(Json::object(
        {{"revoked", id}, {"changed", !change.paths.empty()}, {"not_edited", change.not_edited}}));
    return code;
  }
  const learn::Note& note = change.notes.front();
  print(stdout,
        "Revoked " + (note.learning.content.empty() ? std::to_string(id) : line_of(note)) + "\n");
  return code;
}

/// What is gone must be told no longer, also when not all went that should have. The pass goes on
/// with what was cut off: it is a failure only if something is left then.
Result<int> follow_erasure(const LearningDesk& desk,
                           const learn::Change& change,
                           const char* command,
                           const Settings& settings) {
  auto code = follow_change(desk, change, command, Aftermath::erasure, settings);
  if (!change.cut_off) {
    return code;
  }
  if (!code) {
    print(stderr,
          "daybook: index and MEMORY.md could not follow: " +
              base::printable(code.error().in_words()) + "\n");
    return *change.cut_off;
  }
  const auto left = learn::still_there(desk.desk(), change.unfinished);
  if (left.empty()) {
    say(settings,
        "it failed at first, and the pass that followed finished it (" +
            base::printable(change.cut_off->message) + ")");
    return code;
  }
  print(stderr, "daybook: the pass that followed has finished all but:\n" + listed(left));
  return *change.cut_off;
}

/// Whose note it was.
std::string owner_of(const learn::Change& change, const LearningDesk& desk) {
  const auto& notes = change.notes.empty() ? change.unfinished : change.notes;
  return std::string(
      lineage::learning_owner(notes.empty() ? desk.agent : notes.front().learning.agent_id));
}

Json forgotten_json(std::uint64_t id, const std::vector<std::string>& paths, bool dry_run) {
  return Json::object({{"forgotten", id}, {"paths", paths}, {"dry_run", dry_run}});
}

/// Of an id that no file has: none, if it is said whose it is.
Result<std::vector<std::string>> paths_to_go(const LearningDesk& desk, const learn::Name& name) {
  auto paths = learn::what_forgetting_takes(desk.desk(), name);
  const bool absent =
      !paths && paths.error().kind == ErrorKind::not_found && !name.agent_id.empty();
  return absent ? Result(std::vector<std::string>()) : std::move(paths);
}

/// Files with that id that the index knows and forgetting does not take: it looks below
/// memory/learnings/ only. Without an index nobody knows.
std::vector<std::string> copies_elsewhere(const LearningDesk& desk,
                                          const learn::Name& name,
                                          const std::vector<std::string>& going) {
  std::vector<std::string> copies;
  auto reader = desk.vault.open_index();
  if (reader) {
    static_cast<void>(reader->learned_files(name.id, [&](const index::FileRow& file) {
      const std::string path = file.path();
      const bool others =
          !name.agent_id.empty() && lineage::learning_owner(file.fields.agent_id) != name.agent_id;
      if (!others && std::find(going.begin(), going.end(), path) == going.end()) {
        copies.push_back(path);
      }
    }));
  }
  return copies;
}

Result<int> forget_note(const Options& options,
                        const Settings& settings,
                        const LearningDesk& desk) {
  TRY_ASSIGN(const std::uint64_t id, read_learning_id(options.id));
  if (options.reason.empty()) {
    return Error{ErrorKind::usage,
                 "forgetting needs a reason",
                 {},
                 "Add --reason TEXT; it is kept in the tombstone, so it must not hold what is to "
                 "go."};
  }
  TRY(learn::storable_reason(desk.desk(), options.reason));  // for a dry run, too
  const learn::Name name{desk.agent, id};
  TRY_ASSIGN(const auto paths, paths_to_go(desk, name));
  const std::vector<std::string> copies = copies_elsewhere(desk, name, paths);
  if (options.dry_run) {
    settings.json ? print_json(forgotten_json(id, paths, true))
                  : print(stdout, "Would forget:\n" + listed(paths));
    return kDone;
  }
  if (!options.yes) {
    print(stderr, listed(paths));
    if (!confirmed("Forget the note " + std::to_string(id) + " for good?")) {
      return not_confirmed("--yes");
    }
  }
  TRY_ASSIGN(const learn::Change change,
             learn::forget(desk.desk(), name, options.reason, learn::Absent::kept_away));
  TRY_ASSIGN(const int code, follow_erasure(desk, change, "daybook learnings forget", settings));
  settings.json ? print_json(forgotten_json(id, paths, false))
                : print(stdout,
                        "Forgot " + std::to_string(id) +
                            ". A tombstone keeps it from coming back; 'daybook unremove " +
                            lineage::learning_token(owner_of(change, desk), id).to_string() +
                            "' would lift it.\n");
  if (!copies.empty()) {
    print(stderr,
          "daybook: copies of it are left outside memory/learnings/; 'daybook remove --purge' "
          "deletes them:\n" +
              listed(copies));
  }
  return code;
}

Result<int> clear_notes(const Options& options,
                        const Settings& settings,
                        const LearningDesk& desk) {
  learn::Filter filter;
  filter.agent_id = desk.agent.empty() ? "default" : desk.agent;
  filter.every_status = true;
  TRY_ASSIGN(filter.type, read_memory_type(options.type));
  TRY_ASSIGN(const learn::Clearing going, learn::what_clearing_takes(desk.desk(), filter));
  const std::string what = counted(going.paths.size(),
                                   (filter.type ? std::string(to_string(*filter.type)) + " note"
                                                : std::string("note"))) +
                           " of the agent " + filter.agent_id;
  std::vector<std::string> left = going.left;
  int code = kDone;
  if (!options.dry_run) {
    if (!going.paths.empty() && !options.yes && !confirmed("Forget " + what + " for good?")) {
      return not_confirmed("--force");
    }
    learn::Change change;
    if (!going.paths.empty()) {
      TRY_ASSIGN(change, learn::clear(desk.desk(), filter));
      left = change.left;
    }
    TRY_ASSIGN(code, follow_erasure(desk, change, "daybook learnings clear", settings));
  }
  if (settings.json) {
    Json ids = Json::array();
    for (const std::uint64_t id : going.ids) {
      ids.push_back(id);
    }
    print_json(
        Json::object({{"cleared", std::move(ids)}, {"left", left}, {"dry_run", options.dry_run}}));
  } else {
    print(stdout,
          going.paths.empty() ? "No memories found.\n"
                              : (options.dry_run ? "Would forget " : "Forgot ") + what + ".\n");
  }
  if (!left.empty()) {
    print(stderr,
          "daybook: what follows is not forgotten: a note of another type has the same id, or it "
          "was changed meanwhile; 'daybook learnings forget ID' takes all of an id:\n" +
              listed(left));
  }
  return left.empty() ? code : std::max(code, kProblemsFound);
}

using Work = Result<int> (*)(const Options&, const Settings&, const LearningDesk&);

void set_run(const Command& command,
             Run& run,
             const std::shared_ptr<Options>& options,
             state::Create create,
             Work work) {
  command.when_given([&run, options, create, work] {
    run = [options, create, work](const Settings& settings) {
      return run_on_learnings(settings, create, [&](const LearningDesk& desk) {
        return work(*options, settings, desk);
      });
    };
  });
}

}  // namespace

void add_learnings_approve(const Command& learnings, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      learnings.add("approve", "Let notes count that wait for it, or were archived");
  command.arguments("ID", options->ids, "Their whole ids", Need::required);
  set_run(command, run, options, state::Create::if_missing, approve_notes);
}

void add_learnings_revoke(const Command& learnings, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      learnings.add("revoke", "Let a note count no longer; it stays, and says why");
  command.argument("ID", options->id, "Its whole id", Need::required);
  command.option("--reason", "TEXT", options->reason, "Why (needed); kept in the note");
  set_run(command, run, options, state::Create::if_missing, revoke_note);
}

void add_learnings_forget(const Command& learnings, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = learnings.add("forget", "Delete a note for good, and keep it away");
  command.argument("ID", options->id, "Its whole id", Need::required);
  command.option("--reason", "TEXT", options->reason, "Why (needed); kept in the tombstone");
  command.flag("--dry-run", options->dry_run, "Only say what would go");
  command.flag("-y,--yes", options->yes, "Do not ask");
  set_run(command, run, options, state::Create::if_missing, forget_note);
}

void add_learnings_clear(const Command& learnings, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      learnings.add("clear", "Forget all notes of the agent, or all of one type");
  command.option("--type", "TYPE", options->type, "semantic, episodic or procedural; only these");
  command.flag("--force", options->yes, "Do not ask");
  command.flag("--dry-run", options->dry_run, "Only say what would go");
  set_run(command, run, options, state::Create::if_missing, clear_notes);
}

}  // namespace daybook::cli
