// SPDX-License-Identifier: MIT
//
// Everything in a folder, with each folder held open while it is walked, so that no link is ever
// followed. What cannot be opened is passed over; whoever needs to know looks for it. One thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace daybook::base {

class WalkedFolder {
 public:
  /// `parent` may be AT_FDCWD. The last part of the name is not followed if it is a link.
  WalkedFolder(int parent, const std::string& name);
  WalkedFolder(const WalkedFolder&) = delete;
  WalkedFolder& operator=(const WalkedFolder&) = delete;
  ~WalkedFolder();

  /// Negative: it could not be opened, and errno said why.
  int get() const { return folder_; }
  /// Sorted, so that reports are the same each time.
  std::vector<std::string> names() const;

 private:
  int folder_;
};

enum class Walk : std::uint8_t { on, into };

/// `into`: its entries are visited next, if it is a folder.
using FolderVisitor =
    std::function<Walk(int folder, const std::string& name, const std::string& path)>;
void walk_folder(const std::string& path, const FolderVisitor& visit);

/// Of the entry itself, also if it is a link; nothing: it is gone.
std::optional<struct stat> entry_status(int folder, const std::string& name);

}  // namespace daybook::base
