// SPDX-License-Identifier: MIT
//
// The real disk, on which times are multiples of a granularity, as file systems and old kernels
// have them: two writes within one of them leave the same times.
#pragma once

#include "daybook/base/disk.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace daybook::gauntlet {

class CoarseDisk final : public base::Disk {
 public:
  explicit CoarseDisk(std::int64_t granularity_ns) : granularity_(granularity_ns) {}

  Result<std::unique_ptr<base::Folder>> open_root(const std::string& path) override {
    return coarse(base::real_disk().open_root(path), granularity_);
  }

  static base::FileStat rounded(base::FileStat stat, std::int64_t granularity) {
    stat.mtime_ns -= stat.mtime_ns % granularity;
    stat.ctime_ns -= stat.ctime_ns % granularity;
    return stat;
  }

 private:
  class CoarseFile final : public base::File {
   public:
    CoarseFile(std::unique_ptr<base::File> file, std::int64_t granularity)
        : file_(std::move(file)), granularity_(granularity) {}
    Result<base::FileStat> stat() override {
      TRY_ASSIGN(const base::FileStat stat, file_->stat());
      return rounded(stat, granularity_);
    }
    Result<std::size_t> read(std::span<char> into) override { return file_->read(into); }

   private:
    std::unique_ptr<base::File> file_;
    std::int64_t granularity_;
  };

  class CoarseFolder final : public base::Folder {
   public:
    CoarseFolder(std::unique_ptr<base::Folder> folder, std::int64_t granularity)
        : folder_(std::move(folder)), granularity_(granularity) {}
    Result<void> list(
        const std::function<void(std::string_view, base::EntryType)>& visit) override {
      return folder_->list(visit);
    }
    Result<base::FileStat> stat(const std::string& name) override {
      TRY_ASSIGN(const base::FileStat stat, folder_->stat(name));
      return rounded(stat, granularity_);
    }
    Result<std::unique_ptr<base::Folder>> open_folder(const std::string& name) override {
      return coarse(folder_->open_folder(name), granularity_);
    }
    Result<std::unique_ptr<base::File>> open_file(const std::string& name) override {
      TRY_ASSIGN(auto file, folder_->open_file(name));
      return std::unique_ptr<base::File>(
          std::make_unique<CoarseFile>(std::move(file), granularity_));
    }

   private:
    std::unique_ptr<base::Folder> folder_;
    std::int64_t granularity_;
  };

  static Result<std::unique_ptr<base::Folder>> coarse(Result<std::unique_ptr<base::Folder>> opened,
                                                      std::int64_t granularity) {
    if (!opened) {
      return opened;
    }
    return std::unique_ptr<base::Folder>(
        std::make_unique<CoarseFolder>(std::move(opened).value(), granularity));
  }

  std::int64_t granularity_;
};

}  // namespace daybook::gauntlet
