// SPDX-License-Identifier: MIT
//
// The real disk, with a word to the test whenever a file is opened: to stop, or change something,
// in the middle of a pass; and without memory/ for as long as the test says so.
#pragma once

#include "daybook/base/disk.hpp"

#include <atomic>
#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace daybook::support {

class WatchedDisk final : public base::Disk {
 public:
  /// `opened` gets the number of files opened so far, from any thread.
  explicit WatchedDisk(std::function<void(int)> opened = [](int) {}) : opened_(std::move(opened)) {}

  std::atomic<bool> hides_memory{false};

  Result<std::unique_ptr<base::Folder>> open_root(const std::string& path) override {
    return watched(base::real_disk().open_root(path));
  }

 private:
  class WatchedFolder final : public base::Folder {
   public:
    WatchedFolder(std::unique_ptr<base::Folder> folder, WatchedDisk& disk)
        : folder_(std::move(folder)), disk_(disk) {}
    Result<void> list(
        const std::function<void(std::string_view, base::EntryType)>& visit) override {
      return folder_->list(visit);
    }
    Result<base::FileStat> stat(const std::string& name) override { return folder_->stat(name); }
    Result<std::unique_ptr<base::Folder>> open_folder(const std::string& name) override {
      if (disk_.hides_memory && name == "memory") {
        return base::system_error("opening", name, ENOENT);
      }
      return disk_.watched(folder_->open_folder(name));
    }
    Result<std::unique_ptr<base::File>> open_file(const std::string& name) override {
      disk_.opened_(++disk_.count_);
      return folder_->open_file(name);
    }

   private:
    std::unique_ptr<base::Folder> folder_;
    WatchedDisk& disk_;
  };

  Result<std::unique_ptr<base::Folder>> watched(Result<std::unique_ptr<base::Folder>> opened) {
    if (!opened) {
      return opened;
    }
    return std::unique_ptr<base::Folder>(
        std::make_unique<WatchedFolder>(std::move(opened).value(), *this));
  }

  std::function<void(int)> opened_;
  std::atomic<int> count_{0};
};

}  // namespace daybook::support
