// SPDX-License-Identifier: MIT
#include "learn/archive.hpp"

#include "daybook/canon/learning_writer.hpp"
#include "daybook/scan/learning_list.hpp"
#include "learn/judgement.hpp"

#include <algorithm>
#include <utility>

namespace daybook::learn {

using lineage::LearningStatus;

bool is_older(const lineage::Learning& one, const lineage::Learning& other) {
  return std::pair(one.created_at, one.id) < std::pair(other.created_at, other.id);
}

namespace {

/// What agents have noted first: they must not be able to push out what a person wrote. One that
/// does not say when it was made would count as the oldest of all, on the day it was made by hand.
bool goes_before(const Shelved& one, const Shelved& other) {
  const bool persons = one.note.learning.origin == lineage::LearningOrigin::person;
  const bool others = other.note.learning.origin == lineage::LearningOrigin::person;
  if (persons != others) {
    return others;
  }
  return one.timed != other.timed ? one.timed : is_older(one.note.learning, other.note.learning);
}

/// The active notes beyond the limit that go first.
Result<std::vector<Shelved>> surplus_of(const Desk& desk,
                                        const std::string& agent_id,
                                        lineage::MemoryType type,
                                        const std::vector<std::string>& spared) {
  const std::uint64_t most = limit_of(desk.config, type).most;
  std::vector<Shelved> notes;
  // Most often there are fewer files than that: then no database has to be asked what counts.
  TRY_ASSIGN(const auto listed, scan::list_learnings(desk.disk, desk.folder.workspace()));
  if (listed.paths.size() <= most) {
    return notes;
  }
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(notes, shelf.read_all());
  std::erase_if(notes, [&](const Shelved& shelved) {
    const lineage::Learning& learning = shelved.note.learning;
    return !shelved.valid || learning.agent_id != agent_id ||
           learning.status != LearningStatus::active ||
           lineage::memory_type_of(learning.kind) != type;
  });
  const auto is_spared = [&spared](const Shelved& shelved) {
    return std::find(spared.begin(), spared.end(), shelved.note.path) != spared.end();
  };
  std::sort(notes.begin(), notes.end(), [&](const Shelved& one, const Shelved& other) {
    const bool spare = is_spared(one);
    return spare != is_spared(other) ? !spare : goes_before(one, other);
  });
  notes.resize(notes.size() - std::min<std::size_t>(notes.size(), most));
  return notes;
}

Result<std::optional<canon::LearningEdit>> archived(const lineage::Learning& known) {
  if (known.status != LearningStatus::active) {
    return std::optional<canon::LearningEdit>();
  }
  return std::optional(
      canon::LearningEdit{LearningStatus::archived, known.tier, std::nullopt, {}, std::nullopt});
}

}  // namespace

void archive_surplus(const Desk& desk,
                     const std::string& agent_id,
                     lineage::MemoryType type,
                     const std::vector<std::string>& spared,
                     Change& change) {
  const auto notes = surplus_of(desk, agent_id, type, spared);
  if (!notes) {
    change.not_archived = notes.error().message;
    return;
  }
  for (const Shelved& shelved : *notes) {
    auto done = canon::update_learning(
        desk.disk,
        {desk.folder.workspace(), shelved.note.path, desk.folder.file("locks")},
        agent_id,
        shelved.note.learning.id,
        desk.now,
        archived);
    if (!done) {
      change.not_archived = done.error().message;
    } else if (done->write == canon::LearningWrite::written) {
      change.paths.push_back(done->path);
      change.archived.push_back({done->path, std::move(done->learning)});
    }
  }
}

}  // namespace daybook::learn
