// SPDX-License-Identifier: MIT
//
// The real disk, with a word to the test whenever a file is opened or was read: to stop, or change
// something, in the middle of a pass; and without memory/ for as long as the test says so.
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
  /// `opened` gets the number of files opened so far, from any thread; `read` the number of the
  /// file that was read.
  explicit WatchedDisk(
      std::function<void(int)> opened = [](int) {}, std::function<void(int)> read = [](int) {})
      : opened_(std::move(opened)), read_(std::move(read)) {}

  std::atomic<bool> hides_memory{false};
  std::atomic<int> listings{0};  ///< of folders

  Result<std::unique_ptr<base::Folder>> open_root(const std::string& path) override {
    return watched(base::real_disk().open_root(path));
  }

 private:
  class WatchedFile final : public base::File {
   public:
    WatchedFile(std::unique_ptr<base::File> file, WatchedDisk& disk, int number)
        : file_(std::move(file)), disk_(disk), number_(number) {}
    Result<base::FileStat> stat() override { return file_->stat(); }
    Result<std::size_t> read(std::span<char> into) override {
      auto count = file_->read(into);
      disk_.read_(number_);
      return count;
    }

   private:
    std::unique_ptr<base::File> file_;
    WatchedDisk& disk_;
    int number_;
  };

  class WatchedFolder final : public base::Folder {
   public:
    WatchedFolder(std::unique_ptr<base::Folder> folder, WatchedDisk& disk)
        : folder_(std::move(folder)), disk_(disk) {}
    Result<void> list(
        const std::function<void(std::string_view, base::EntryType)>& visit) override {
      ++disk_.listings;
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
      const int number = ++disk_.count_;
      disk_.opened_(number);
      TRY_ASSIGN(auto file, folder_->open_file(name));
      return std::unique_ptr<base::File>(
          std::make_unique<WatchedFile>(std::move(file), disk_, number));
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
  std::function<void(int)> read_;
  std::atomic<int> count_{0};
};

}  // namespace daybook::support
