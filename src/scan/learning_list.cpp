// SPDX-License-Identifier: MIT
#include "daybook/scan/learning_list.hpp"

#include "daybook/lineage/learning.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace daybook::scan {
namespace {

constexpr std::size_t kDeepest = 32;

struct Pending {
  std::unique_ptr<base::Folder> folder;
  std::string path;
  std::size_t depth = 0;
};

/// Notes into `found`, folders below into `names`.
Result<void> list_one(const Pending& at,
                      std::vector<std::string>& found,
                      std::vector<std::string>& names) {
  return at.folder->list([&](std::string_view name, base::EntryType type) {
    if (name.starts_with('.')) {
      return;
    }
    if (type == base::EntryType::folder) {
      names.emplace_back(name);
    } else if (type == base::EntryType::file && name.ends_with(".md")) {
      found.push_back(at.path + "/" + std::string(name));
    }
  });
}

}  // namespace

Result<std::vector<std::string>> list_learnings(base::Disk& disk, const std::string& workspace) {
  std::vector<std::string> found;
  TRY_ASSIGN(const auto root, disk.open_root(workspace));
  auto top = base::open_below(*root, lineage::kLearningsFolder);
  if (!top) {
    return top.error().kind == ErrorKind::not_found ? Result(std::move(found)) : top.error();
  }
  std::vector<Pending> pending;
  pending.push_back({std::move(*top), std::string(lineage::kLearningsFolder), 0});
  while (!pending.empty()) {
    const Pending at = std::move(pending.back());
    pending.pop_back();
    std::vector<std::string> names;
    TRY(list_one(at, found, names));
    if (at.depth == kDeepest) {
      continue;
    }
    for (const std::string& name : names) {
      auto below = at.folder->open_folder(name);
      if (below) {
        pending.push_back({std::move(*below), at.path + "/" + name, at.depth + 1});
      } else if (below.error().kind != ErrorKind::not_found) {
        return below.error();
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace daybook::scan
