// SPDX-License-Identifier: MIT
//
// The real disk, on which every file looks an hour old. A test writes a file and indexes it within
// the same instant, which the racy-timestamp rule rightly distrusts; through this the rule is out
// of the way and what stat says is believed.
#pragma once

#include "daybook/base/disk.hpp"

#include <memory>
#include <utility>

namespace daybook::support {

class AgedDisk final : public base::Disk {
 public:
  Result<std::unique_ptr<base::Folder>> open_root(const std::string& path) override {
    return aged(base::real_disk().open_root(path));
  }

 private:
  static base::FileStat older(base::FileStat stat) {
    constexpr std::int64_t kHour = 3'600'000'000'000;
    stat.mtime_ns -= kHour;
    stat.ctime_ns -= kHour;
    return stat;
  }

  class AgedFile final : public base::File {
   public:
    explicit AgedFile(std::unique_ptr<base::File> file) : file_(std::move(file)) {}
    Result<base::FileStat> stat() override {
      TRY_ASSIGN(const base::FileStat stat, file_->stat());
      return older(stat);
    }
    Result<std::size_t> read(std::span<char> into) override { return file_->read(into); }

   private:
    std::unique_ptr<base::File> file_;
  };

  class AgedFolder final : public base::Folder {
   public:
    explicit AgedFolder(std::unique_ptr<base::Folder> folder) : folder_(std::move(folder)) {}
    Result<void> list(
        const std::function<void(std::string_view, base::EntryType)>& visit) override {
      return folder_->list(visit);
    }
    Result<base::FileStat> stat(const std::string& name) override {
      TRY_ASSIGN(const base::FileStat stat, folder_->stat(name));
      return older(stat);
    }
    Result<std::unique_ptr<base::Folder>> open_folder(const std::string& name) override {
      return aged(folder_->open_folder(name));
    }
    Result<std::unique_ptr<base::File>> open_file(const std::string& name) override {
      TRY_ASSIGN(auto file, folder_->open_file(name));
      return std::unique_ptr<base::File>(std::make_unique<AgedFile>(std::move(file)));
    }

   private:
    std::unique_ptr<base::Folder> folder_;
  };

  static Result<std::unique_ptr<base::Folder>> aged(Result<std::unique_ptr<base::Folder>> opened) {
    if (!opened) {
      return opened;
    }
    return std::unique_ptr<base::Folder>(std::make_unique<AgedFolder>(std::move(opened).value()));
  }
};

}  // namespace daybook::support
