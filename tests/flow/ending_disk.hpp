// SPDX-License-Identifier: MIT
//
// The real disk, until a file whose name ends in a given way is opened for the n-th time: then
// something happens. By default the process ends, as by a power cut that spares the page cache;
// that is only for children.
#pragma once

#include "daybook/base/disk.hpp"

#include <functional>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>

namespace daybook::test {

class EndingDisk final : public base::Disk {
 public:
  EndingDisk(
      std::string name_end, int nth, std::function<void()> then = [] { ::_exit(137); })
      : name_end_(std::move(name_end)), left_(nth), then_(std::move(then)) {}

  Result<std::unique_ptr<base::Folder>> open_root(const std::string& path) override {
    return watched(base::real_disk().open_root(path));
  }

 private:
  class WatchedFolder final : public base::Folder {
   public:
    WatchedFolder(std::unique_ptr<base::Folder> folder, EndingDisk& disk)
        : folder_(std::move(folder)), disk_(disk) {}
    Result<void> list(
        const std::function<void(std::string_view, base::EntryType)>& visit) override {
      return folder_->list(visit);
    }
    Result<base::FileStat> stat(const std::string& name) override { return folder_->stat(name); }
    Result<std::unique_ptr<base::Folder>> open_folder(const std::string& name) override {
      return disk_.watched(folder_->open_folder(name));
    }
    Result<std::unique_ptr<base::File>> open_file(const std::string& name) override {
      if (name.ends_with(disk_.name_end_) && --disk_.left_ == 0) {
        disk_.then_();
      }
      return folder_->open_file(name);
    }

   private:
    std::unique_ptr<base::Folder> folder_;
    EndingDisk& disk_;
  };

  Result<std::unique_ptr<base::Folder>> watched(Result<std::unique_ptr<base::Folder>> opened) {
    if (!opened) {
      return opened;
    }
    return std::unique_ptr<base::Folder>(
        std::make_unique<WatchedFolder>(std::move(opened).value(), *this));
  }

  std::string name_end_;
  int left_;
  std::function<void()> then_;
};

}  // namespace daybook::test
