// SPDX-License-Identifier: MIT
#include "daybook/scan/learning_list.hpp"

#include "daybook/lineage/learning.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace daybook::scan {
namespace {

struct Pending {
  std::unique_ptr<base::Folder> folder;
  std::string path;
};

/// Notes into `found`, folders below into `names`.
Result<void> list_one(const Pending& at,
                      std::vector<std::string>& found,
                      std::vector<std::string>& names) {
  return at.folder->list([&](std::string_view name, base::EntryType type) {
    if (type == base::EntryType::folder && !is_hidden(name)) {
      names.emplace_back(name);
    } else if (type == base::EntryType::file && is_note(name)) {
      found.push_back(at.path + "/" + std::string(name));
    }
  });
}

bool is_too_deep(const std::string& path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) > kDeepestFolder;
}

}  // namespace

Result<LearningList> list_learnings(base::Disk& disk, const std::string& workspace) {
  LearningList list;
  TRY_ASSIGN(const auto root, disk.open_root(workspace));
  std::vector<Pending> pending;
  const auto enter = [&](Result<std::unique_ptr<base::Folder>> folder, std::string path) {
    if (folder) {
      pending.push_back({std::move(*folder), std::move(path)});
    } else if (folder.error().kind != ErrorKind::not_found) {
      list.unreadable.push_back(std::move(path));
    }
  };
  enter(base::open_below(*root, lineage::kLearningsFolder), std::string(lineage::kLearningsFolder));
  while (!pending.empty()) {
    const Pending at = std::move(pending.back());
    pending.pop_back();
    std::vector<std::string> names;
    if (!list_one(at, list.paths, names)) {
      list.unreadable.push_back(at.path);
    }
    for (const std::string& name : names) {
      std::string path = at.path + "/" + name;
      if (!is_too_deep(path)) {
        enter(at.folder->open_folder(name), std::move(path));
      }
    }
  }
  std::sort(list.paths.begin(), list.paths.end());
  std::sort(list.unreadable.begin(), list.unreadable.end());
  return list;
}

}  // namespace daybook::scan
