// SPDX-License-Identifier: MIT
#include "daybook/base/file_stream.hpp"
#include "daybook/learn/learn.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/scan/learning_list.hpp"
#include "learn/archive.hpp"
#include "learn/shelf.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace daybook::learn {

using lineage::Learning;

namespace {

enum class Verdict : std::uint8_t { taken, not_asked_for, left_out };

/// Asked about one note after the other, in the order of their paths.
class Selection {
 public:
  Selection(const Filter& filter, lineage::Timestamp now) : filter_(filter), now_(now) {}

  Verdict verdict(const Shelved& one) {
    if (one.sort == Sort::ordinary || !may_be_of_agent(one)) {
      return Verdict::not_asked_for;
    }
    if (!one.valid) {  // nor can it be relied on for its type
      return Verdict::left_out;
    }
    const Learning& learning = one.note.learning;
    const bool counts = seen_.emplace(learning.agent_id, learning.id).second;
    if ((filter_.type && lineage::memory_type_of(learning.kind) != *filter_.type) ||
        (!filter_.category.empty() && learning.category != filter_.category) ||
        (!filter_.every_status && !learning.is_shown(now_))) {
      return Verdict::not_asked_for;
    }
    return counts ? Verdict::taken : Verdict::left_out;
  }

 private:
  /// A wrong one that names nobody may be anybody's.
  bool may_be_of_agent(const Shelved& one) const {
    const std::string& whose = one.valid ? one.note.learning.agent_id : one.claimed_agent;
    return filter_.agent_id.empty() || whose == filter_.agent_id ||
           (!one.valid && !lineage::is_valid_agent_id(whose));
  }

  const Filter& filter_;
  lineage::Timestamp now_;
  std::set<std::pair<std::string, std::uint64_t>> seen_;  // of copies the smallest path counts
};

void sort_newest_first(std::vector<Note>& notes) {
  std::sort(notes.begin(), notes.end(), [](const Note& one, const Note& other) {
    return is_older(other.learning, one.learning);
  });
}

/// False also for one that nobody knows to be a note: it may be one.
bool can_be_read(const Desk& desk, const std::string& path) {
  const auto begun = base::read_beginning(desk.disk, desk.folder.workspace(), path, 1);
  return begun || begun.error().kind == ErrorKind::not_found ||
         begun.error().kind == ErrorKind::not_regular;
}

}  // namespace

Result<std::vector<Note>> list(const Desk& desk, const Filter& filter) {
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  TRY_ASSIGN(auto shelved, shelf.read_all());
  std::vector<Note> notes;
  Selection selection(filter, desk.now);
  for (Shelved& one : shelved) {
    if (selection.verdict(one) == Verdict::taken) {
      notes.push_back(std::move(one.note));
    }
  }
  sort_newest_first(notes);
  return notes;
}

Result<Exporting> what_exporting_takes(const Desk& desk, const Filter& filter) {
  TRY_ASSIGN(const Shelf shelf, Shelf::open(desk));
  Exporting exporting;
  exporting.left_out = shelf.unreadable();
  Selection selection(filter, desk.now);
  for (const std::string& path : shelf.paths()) {
    TRY_ASSIGN(auto one, shelf.read(path));
    const Verdict verdict = one                       ? selection.verdict(*one)
                            : can_be_read(desk, path) ? Verdict::not_asked_for
                                                      : Verdict::left_out;
    if (verdict == Verdict::taken) {
      exporting.notes.push_back(std::move(one->note));
    } else if (verdict == Verdict::left_out) {
      exporting.left_out.push_back(path);
    }
  }
  sort_newest_first(exporting.notes);
  return exporting;
}

Result<std::vector<std::string>> unreadable_folders(const Desk& desk) {
  TRY_ASSIGN(auto listed, scan::list_learnings(desk.disk, desk.folder.workspace()));
  return std::move(listed.unreadable);
}

}  // namespace daybook::learn
