// SPDX-License-Identifier: MIT
#include "daybook/learn/learn.hpp"
#include "learn/archive.hpp"
#include "learn/shelf.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace daybook::learn {

using lineage::Learning;

Result<std::vector<Note>> list(const Desk& desk, const Filter& filter) {
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(auto shelved, shelf.read_all());
  std::vector<Note> notes;
  std::set<std::pair<std::string, std::uint64_t>> seen;  // of copies the smallest path counts
  for (Shelved& one : shelved) {
    const Learning& learning = one.note.learning;
    if (!one.valid || !seen.emplace(learning.agent_id, learning.id).second ||
        (!filter.agent_id.empty() && learning.agent_id != filter.agent_id) ||
        (filter.type && lineage::memory_type_of(learning.kind) != *filter.type) ||
        (!filter.category.empty() && learning.category != filter.category) ||
        (!filter.every_status && !learning.is_shown(desk.now))) {
      continue;
    }
    notes.push_back(std::move(one.note));
  }
  std::sort(notes.begin(), notes.end(), [](const Note& one, const Note& other) {
    return is_older(other.learning, one.learning);
  });
  return notes;
}

Result<std::vector<std::string>> unreadable_folders(const Desk& desk) {
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  return shelf.unreadable();
}

}  // namespace daybook::learn
