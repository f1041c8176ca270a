// SPDX-License-Identifier: MIT
#include "learn/notes_of_id.hpp"

#include "daybook/lineage/learning.hpp"

#include <set>

namespace daybook::learn {

Result<NotesOfId> notes_of(const std::vector<Shelved>& all, const Name& name) {
  NotesOfId found;
  std::set<std::string> agents;
  for (const Shelved& shelved : all) {
    const std::string owner(lineage::learning_owner(shelved.claimed_agent));
    if (shelved.note.learning.id == name.id && (name.agent_id.empty() || owner == name.agent_id)) {
      agents.insert(owner);
      found.notes.push_back(shelved);
    }
  }
  if (name.agent_id.empty() && agents.size() > 1) {
    std::string message = "several agents have a note with the id " + std::to_string(name.id) + ":";
    for (const std::string& agent : agents) {
      message.append(" ").append(agent);
    }
    return Error{ErrorKind::usage, message, {}, "Name one with --agent."};
  }
  found.agent_id = !name.agent_id.empty() ? name.agent_id
                   : agents.empty()       ? std::string("default")
                                          : *agents.begin();
  return found;
}

Result<NotesOfId> find_notes(const Desk& desk, const Name& name) {
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(const auto notes, shelf.read_all());
  return notes_of(notes, name);
}

std::vector<std::string> paths_of(const std::vector<Shelved>& notes) {
  std::vector<std::string> paths;
  paths.reserve(notes.size());
  for (const Shelved& shelved : notes) {
    paths.push_back(shelved.note.path);
  }
  return paths;
}

Error unknown_id(std::uint64_t id) {
  return {ErrorKind::not_found,
          "no note has the id " + std::to_string(id),
          {},
          "'daybook learnings list --all' names those that are there."};
}

}  // namespace daybook::learn
