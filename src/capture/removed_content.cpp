// SPDX-License-Identifier: MIT
#include "daybook/capture/removed_content.hpp"

#include "capture/removed_file.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/base/path.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/state/trash.hpp"

#include <algorithm>
#include <optional>

namespace daybook::capture {
namespace {

/// Of a conflict copy: what it is a copy of.
std::optional<std::string> original_of(const std::string& path) {
  const std::string_view name = base::file_name_of(path);
  auto stem = lineage::conflict_copy_of(name);
  stem = stem ? stem : lineage::numbered_copy_of(name);
  if (!stem) {
    return std::nullopt;
  }
  return path.substr(0, path.size() - name.size()).append(*stem).append(scan::kNoteExtension);
}

bool is_memory_md_copy(const std::string& path) {
  return lineage::read_memory_md_copy(base::file_name_of(path)) != lineage::MemoryMdCopy::no;
}

Result<bool> must_go(base::Disk& disk,
                     const state::Trash::Item& item,
                     const lineage::TombstoneSet& removals) {
  if (base::is_temporary_name(base::file_name_of(item.path))) {
    return true;  // of a process that died; nobody else writes here now
  }
  TRY_ASSIGN(const bool removed, holds_removed_content(disk, item.folder, item.path, removals));
  if (removed || !is_memory_md_copy(item.path)) {
    return removed;
  }
  const auto text = base::read_file(disk, item.folder, item.path, scan::kLargestNote);
  return !text || links_to_removed(*text, removals);
}

}  // namespace

Result<bool> holds_removed_content(base::Disk& disk,
                                   const std::string& root,
                                   const std::string& path,
                                   const lineage::TombstoneSet& removals) {
  if (removals.empty()) {
    return false;
  }
  if (const auto original = original_of(path); original && removals.removes_path(*original)) {
    return true;
  }
  TRY_ASSIGN(const auto file, read_file(disk, root, path));
  return file && is_meant(removals, *file);
}

bool links_to_removed(std::string_view projection, const lineage::TombstoneSet& removals) {
  const auto facts = removals.facts();
  return std::any_of(facts.begin(), facts.end(), [projection](const std::string& fact) {
    const std::size_t space = fact.find(' ');
    const std::string_view what = std::string_view(fact).substr(0, space);
    const std::string subject = fact.substr(space + 1);
    return (what == "token" && projection.find("--" + subject + "--") != std::string_view::npos) ||
           (what == "path" && projection.find(subject) != std::string_view::npos);
  });
}

Result<void> erase_from_trash(base::Disk& disk,
                              const state::StateFolder& folder,
                              const lineage::TombstoneSet& removals) {
  const state::Trash trash(folder);
  TRY_ASSIGN(const auto items, trash.items());
  for (const state::Trash::Item& item : items) {
    TRY_ASSIGN(const bool goes, must_go(disk, item, removals));
    if (goes) {
      TRY(trash.erase(item));
    }
  }
  return {};
}

}  // namespace daybook::capture
