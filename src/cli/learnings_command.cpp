// SPDX-License-Identifier: MIT
#include "cli/learnings_desk.hpp"
#include "cli/pass.hpp"
#include "cli/reading.hpp"
#include "cli/session_json.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/workspace_config.hpp"

#include <utility>

namespace daybook::cli {
namespace {

using lineage::Learning;

/// On one line, as a terminal may see it.
std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\t') {
      c = ' ';
    }
  }
  return base::printable(text);
}

}  // namespace

learn::Desk LearningDesk::desk() const {
  return {base::real_disk(), vault.state, config, vault.now()};
}

Result<LearningDesk> open_learnings(const Settings& settings, state::Create create) {
  TRY_ASSIGN(std::string agent, chosen_agent(settings));
  TRY_ASSIGN(Vault vault, open_vault(settings, create));
  TRY_ASSIGN(parse::Config config, service::load_config(base::real_disk(), vault.workspace));
  return LearningDesk{std::move(vault), std::move(config), std::move(agent)};
}

int run_on_learnings(const Settings& settings,
                     state::Create create,
                     const std::function<Result<int>(const LearningDesk&)>& work) {
  const auto desk = open_learnings(settings, create);
  if (!desk) {
    return fail(desk.error(), settings);
  }
  if (const auto unread = learn::unreadable_folders(desk->desk()); unread) {
    for (const std::string& folder : *unread) {
      print(stderr,
            "daybook: " + base::printable(folder) +
                " cannot be read: the notes in it are passed over\n");
    }
  }
  const Result<int> code = work(*desk);
  if (code) {
    return *code;
  }
  Error error = code.error();
  if (error.kind == ErrorKind::not_found && error.path.empty()) {
    error.kind = ErrorKind::usage;  // an id that nobody has is a wrong argument
  }
  return fail(error, settings);
}

Result<std::uint64_t> read_learning_id(const std::string& text) {
  const auto id = lineage::learning_id_from_string(text);
  if (!id) {
    return Error{ErrorKind::usage,
                 base::quoted(text) + " is no id of a note",
                 {},
                 "Ids are whole numbers; 'daybook learnings list' begins each line with one."};
  }
  return *id;
}

Result<std::optional<lineage::MemoryType>> read_memory_type(const std::string& text) {
  if (text.empty()) {
    return std::optional<lineage::MemoryType>();
  }
  const auto type = lineage::memory_type_from_string(text);
  if (!type) {
    return Error{ErrorKind::usage,
                 base::quoted(text) + " is no type of memory",
                 {},
                 "The types are semantic, episodic and procedural."};
  }
  return type;
}

std::string line_of(const learn::Note& note) {
  const Learning& learning = note.learning;
  std::string line = std::to_string(learning.id) + " [";
  line.append(to_string(lineage::memory_type_of(learning.kind))).append(":");
  line.append(learning.category).append("] (");
  line.append(lineage::to_string(learning.created_at)).append(") ");
  return line.append(on_one_line(learning.content));
}

Json to_json(const learn::Note& note) {
  const Learning& learning = note.learning;
  return Json::object({{"id", learning.id},
                       {"content", learning.content},
                       {"category", learning.category},
                       {"created_at", lineage::to_string(learning.created_at)},
                       {"memory_type", to_string(lineage::memory_type_of(learning.kind))},
                       {"metadata", text_or_null(learning.metadata)},
                       {"learning_kind", to_string(learning.kind)},
                       {"agent_id", learning.agent_id},
                       {"scope", lineage::to_string(learning.scope)},
                       {"status", to_string(learning.status)},
                       {"publish_tier", to_string(learning.tier)},
                       {"origin", to_string(learning.origin)},
                       {"sensitivity", to_string(learning.sensitivity)},
                       {"updated_at", lineage::to_string(learning.updated_at)},
                       {"expires_at", time_or_null(learning.expires_at)},
                       {"revision", learning.revision},
                       {"revoked_at", time_or_null(learning.revoked_at)},
                       {"revoked_reason", text_or_null(learning.revoked_reason)},
                       {"path", note.path}});
}

Json ids_of(const std::vector<learn::Note>& notes) {
  Json ids = Json::array();
  for (const learn::Note& note : notes) {
    ids.push_back(note.learning.id);
  }
  return ids;
}

namespace {

/// Those whose MEMORY.md may show the notes.
std::vector<std::string> concerned_agents(const LearningDesk& desk, const learn::Change& change) {
  std::vector<std::string> agents;
  for (const auto* notes : {&change.notes, &change.unfinished}) {
    for (const learn::Note& note : *notes) {
      agents.emplace_back(lineage::learning_owner(note.learning.agent_id));
    }
  }
  if (!desk.agent.empty() || agents.empty()) {
    agents.emplace_back(lineage::learning_owner(desk.agent));
  }
  return agents;
}

}  // namespace

Result<int> follow_change(const LearningDesk& desk,
                          const learn::Change& change,
                          const char* command,
                          Aftermath aftermath,
                          const Settings& settings) {
  if (change.paths.empty() && aftermath == Aftermath::rows) {
    return kDone;
  }
  service::PassRequest request;
  request.command = command;
  request.hints = change.paths;
  request.counting = service::Counting::not_wanted;
  request.text = aftermath == Aftermath::erasure ? service::Text::with_full_text
                                                 : service::Text::without_full_text;
  auto done = follow_up(desk.vault, request, settings, concerned_agents(desk, change));
  if (!done && aftermath != Aftermath::erasure && done.error().kind == ErrorKind::busy) {
    print(stderr,
          "daybook: the files are as they should be; index and MEMORY.md follow with the next "
          "pass (" +
              base::printable(done.error().message) + ")\n");
    return aftermath == Aftermath::revocation ? kProblemsFound : kDone;
  }
  return done;
}

void tell_archived(const learn::Change& change, const Settings& settings) {
  if (!change.archived.empty()) {
    say(settings,
        "archived " + counted(change.archived.size(), "older note") +
            " beyond the limit of the type; 'daybook learnings list --all' shows them");
  }
  if (!change.not_archived.empty()) {
    print(stderr,
          "daybook: there are more notes than there should be: " +
              base::printable(change.not_archived) + "; the next note tries again\n");
  }
}

void add_learnings(const Command& program, Run& run) {
  const Command learnings =
      program.add("learnings",
                  "What is remembered beyond sessions: facts, preferences, decisions, procedures",
                  ".\nEach is a note in memory/learnings/ that people may edit.");
  add_learnings_list(learnings, run);
  add_learnings_show(learnings, run);
  add_learnings_add(learnings, run);
  add_learnings_approve(learnings, run);
  add_learnings_revoke(learnings, run);
  add_learnings_forget(learnings, run);
  add_learnings_clear(learnings, run);
  add_learnings_export(learnings, run);
  add_learnings_import(learnings, run);
}

}  // namespace daybook::cli
