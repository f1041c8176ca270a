// SPDX-License-Identifier: MIT
//
// An id -> the files that have it, right or wrong, and the one agent whose they are. Pure but for
// the reading of the shelf.
#pragma once

#include "learn/shelf.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace daybook::learn {

struct NotesOfId {
  std::string agent_id;
  std::vector<Shelved> notes;
};

/// ErrorKind::usage when several agents have one with that id and none is named.
Result<NotesOfId> notes_of(const std::vector<Shelved>& all, const Name& name);
/// The same among what is there now.
Result<NotesOfId> find_notes(const Desk& desk, const Name& name);

std::vector<std::string> paths_of(const std::vector<Shelved>& notes);

Error unknown_id(std::uint64_t id);

}  // namespace daybook::learn
