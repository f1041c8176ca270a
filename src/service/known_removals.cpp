// SPDX-License-Identifier: MIT
#include "daybook/service/known_removals.hpp"

#include "daybook/capture/tombstone_file.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/state/removed_marks.hpp"
#include "daybook/state/tombstone_copies.hpp"
#include "daybook/store/database.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace daybook::service {
namespace {

constexpr std::string_view kTombstoneEnd = "--tombstone.md";
/// The time of a folder is that of the kernel's last tick.
constexpr std::int64_t kTickMs = 20;
/// So many sessions are cheaper asked about by their marks than by reading all of state.db's
/// copies.
constexpr int kFewSessions = 64;

}  // namespace

bool KnownRemovals::removes(const lineage::SessionToken& session) {
  if (arrived().removes_session(session)) {
    return true;
  }
  const bool ask_marks = !copies_ && sessions_asked_++ < kFewSessions;
  if (ask_marks && state::has_removed_marks(folder_) &&
      !state::may_be_removed(folder_, std::span(&session, 1))) {
    return false;
  }
  return copies().removals.removes_session(session);
}

bool KnownRemovals::removes_file(std::string_view workspace_path) {
  return arrived().removes_path(workspace_path) ||
         (may_lack_files() && copies().removals.removes_path(workspace_path));
}

/// Before state.db is opened: that costs as much as a good part of a search.
bool KnownRemovals::may_lack_files() {
  if (!may_lack_files_) {
    may_lack_files_ = !state::has_removed_marks(folder_) || state::may_lack_files(folder_);
  }
  return *may_lack_files_;
}

std::vector<std::string> KnownRemovals::removed_files() {
  std::vector<std::string> files;
  const auto add = [&files](const lineage::TombstoneSet& removals) {
    files.insert(files.end(), removals.removed_paths().begin(), removals.removed_paths().end());
  };
  add(arrived());
  if (may_lack_files()) {
    add(copies().removals);
  }
  return files;
}

bool KnownRemovals::removes_learning(std::uint64_t id, std::string_view agent) {
  const auto in = [&](const lineage::TombstoneSet& removals) {
    return removals.removes_learning(id, agent) || removals.revokes_learning(id, agent);
  };
  return in(arrived()) || in(copies().removals);
}

const KnownRemovals::Copies& KnownRemovals::copies() {
  if (copies_) {
    return *copies_;
  }
  copies_.emplace();
  auto database = store::Database::open(folder_.file("state.db"), {store::Access::read_only, 0});
  const auto known = database ? state::TombstoneCopies(*database).all()
                              : Result<std::vector<lineage::Tombstone>>(database.error());
  if (known) {
    for (const lineage::Tombstone& copy : *known) {
      copies_->removals.add(copy);
      if (copy.removed_at) {
        copies_->tombstones.emplace(copy.token, copy.removed_at->ms);
      }
    }
  }
  return *copies_;
}

const lineage::TombstoneSet& KnownRemovals::arrived() {
  if (!arrived_) {
    arrived_.emplace();
    // What cannot be looked at is the next pass's to tell.
    static_cast<void>(look_for_arrivals(*arrived_));
  }
  return *arrived_;
}

Result<void> KnownRemovals::look_for_arrivals(lineage::TombstoneSet& removals) {
  TRY_ASSIGN(const auto root, disk_.open_root(folder_.workspace()));
  const std::string memory(scan::kMemoryFolder);
  TRY_ASSIGN(const auto status, root->stat(memory));
  const std::int64_t changed_ms = std::max(status.mtime_ns, status.ctime_ns) / 1'000'000;
  if (changed_ms + kTickMs < last_sweep_.ms) {
    return {};
  }
  std::vector<std::string> names;
  TRY_ASSIGN(const auto folder, root->open_folder(memory));
  TRY(folder->list([&names](std::string_view name, base::EntryType type) {
    if (type == base::EntryType::file && name.ends_with(kTombstoneEnd)) {
      names.emplace_back(name);
    }
  }));
  for (const std::string& name : names) {
    const auto reading = lineage::read_artifact_name(name);
    const lineage::ArtifactName& tombstone = reading.name;
    if (reading.form == lineage::NameForm::artifact &&
        !copies().tombstones.contains({tombstone.token, tombstone.captured_at.ms})) {
      const std::string path = std::string(memory).append("/").append(name);
      TRY(capture::add_tombstone_file(disk_, folder_.workspace(), path, tombstone, removals));
    }
  }
  return {};
}

}  // namespace daybook::service
