// SPDX-License-Identifier: MIT
#include "daybook/scan/folder_list.hpp"

#include "daybook/scan/vault_layout.hpp"

#include <memory>

namespace daybook::scan {
namespace {

constexpr int kDeepest = 64;

Result<void> add_below(base::Folder& folder,
                       const std::string& path,
                       int depth,
                       std::vector<std::string>& folders) {
  std::vector<std::string> below;
  TRY(folder.list([&](std::string_view name, base::EntryType type) {
    if (type == base::EntryType::folder && !is_hidden(name)) {
      below.emplace_back(name);
    }
  }));
  folders.push_back(path);
  for (const std::string& name : below) {
    auto opened = depth < kDeepest ? folder.open_folder(name) : Error{};
    if (opened) {
      static_cast<void>(
          add_below(**opened, std::string(path).append("/").append(name), depth + 1, folders));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> list_folders(base::Disk& disk, const std::string& workspace) {
  TRY_ASSIGN(const auto root, disk.open_root(workspace));
  TRY_ASSIGN(const auto memory, root->open_folder(std::string(kMemoryFolder)));
  std::vector<std::string> folders;
  TRY(add_below(*memory, std::string(kMemoryFolder), 1, folders));
  return folders;
}

}  // namespace daybook::scan
