// SPDX-License-Identifier: MIT
#include "learn/archive.hpp"

#include "daybook/canon/learning_writer.hpp"
#include "learn/judgement.hpp"

#include <algorithm>
#include <utility>

namespace daybook::learn {

using lineage::LearningStatus;

bool is_older(const lineage::Learning& one, const lineage::Learning& other) {
  return std::pair(one.created_at, one.id) < std::pair(other.created_at, other.id);
}

namespace {

/// What agents have noted first: they must not be able to push out what a person wrote.
bool goes_before(const lineage::Learning& one, const lineage::Learning& other) {
  const bool persons = one.origin == lineage::LearningOrigin::person;
  const bool others = other.origin == lineage::LearningOrigin::person;
  return persons != others ? others : is_older(one, other);
}

}  // namespace

Result<void> archive_surplus(const Desk& desk,
                             const std::string& agent_id,
                             lineage::MemoryType type,
                             Change& change) {
  const std::uint64_t most = limit_of(desk.config, type).most;
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  if (shelf.paths().size() <= most) {
    return {};
  }
  TRY_ASSIGN(auto notes, shelf.read_all());
  std::erase_if(notes, [&](const Shelved& shelved) {
    const lineage::Learning& learning = shelved.note.learning;
    return !shelved.valid || learning.agent_id != agent_id ||
           learning.status != LearningStatus::active ||
           lineage::memory_type_of(learning.kind) != type;
  });
  if (notes.size() <= most) {
    return {};
  }
  std::sort(notes.begin(), notes.end(), [](const Shelved& one, const Shelved& other) {
    return goes_before(one.note.learning, other.note.learning);
  });
  notes.resize(notes.size() - most);
  for (const Shelved& shelved : notes) {
    auto done = canon::update_learning(
        desk.disk,
        {desk.folder.workspace(), shelved.note.path, desk.folder.file("locks")},
        agent_id,
        shelved.note.learning.id,
        desk.now,
        [](const lineage::Learning& known) -> Result<std::optional<canon::LearningEdit>> {
          if (known.status != LearningStatus::active) {
            return std::optional<canon::LearningEdit>();
          }
          return std::optional(
              canon::LearningEdit{LearningStatus::archived, known.tier, std::nullopt, {}});
        });
    if (done && done->write == canon::LearningWrite::written) {
      change.paths.push_back(done->path);
      change.archived.push_back({done->path, std::move(done->learning)});
    }
  }
  return {};
}

}  // namespace daybook::learn
