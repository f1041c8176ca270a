// SPDX-License-Identifier: MIT
//
// The real disk, but files whose name ends in a given way may not be opened: what chmod does to
// everybody but root, as whom tests may run.
#pragma once

#include "daybook/base/disk.hpp"

#include <memory>
#include <string>
#include <utility>

namespace daybook::support {

class RefusingDisk final : public base::Disk {
 public:
  explicit RefusingDisk(std::string name_end) : name_end_(std::move(name_end)) {}

  Result<std::unique_ptr<base::Folder>> open_root(const std::string& path) override {
    return guarded(base::real_disk().open_root(path));
  }

 private:
  class GuardedFolder final : public base::Folder {
   public:
    GuardedFolder(std::unique_ptr<base::Folder> folder, RefusingDisk& disk)
        : folder_(std::move(folder)), disk_(disk) {}
    Result<void> list(
        const std::function<void(std::string_view, base::EntryType)>& visit) override {
      return folder_->list(visit);
    }
    Result<base::FileStat> stat(const std::string& name) override { return folder_->stat(name); }
    Result<std::unique_ptr<base::Folder>> open_folder(const std::string& name) override {
      return disk_.guarded(folder_->open_folder(name));
    }
    Result<std::unique_ptr<base::File>> open_file(const std::string& name) override {
      if (name.ends_with(disk_.name_end_)) {
        return Error{ErrorKind::not_permitted, "cannot open the file: Permission denied", name, {}};
      }
      return folder_->open_file(name);
    }

   private:
    std::unique_ptr<base::Folder> folder_;
    RefusingDisk& disk_;
  };

  Result<std::unique_ptr<base::Folder>> guarded(Result<std::unique_ptr<base::Folder>> opened) {
    if (!opened) {
      return opened;
    }
    return std::unique_ptr<base::Folder>(
        std::make_unique<GuardedFolder>(std::move(opened).value(), *this));
  }

  std::string name_end_;
};

}  // namespace daybook::support
