// SPDX-License-Identifier: MIT
#include "daybook/base/disk.hpp"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::base {
namespace {

EntryType type_of_mode(mode_t mode) {
  if (S_ISREG(mode)) {
    return EntryType::file;
  }
  if (S_ISDIR(mode)) {
    return EntryType::folder;
  }
  return S_ISLNK(mode) ? EntryType::symlink : EntryType::other;
}

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

FileStat to_file_stat(const struct stat& raw) {
#ifdef __APPLE__
  const timespec& modified = raw.st_mtimespec;
  const timespec& changed = raw.st_ctimespec;
#else
  const timespec& modified = raw.st_mtim;
  const timespec& changed = raw.st_ctim;
#endif
  FileStat result;
  result.type = type_of_mode(raw.st_mode);
  result.size = static_cast<std::uint64_t>(raw.st_size);
  result.mtime_ns = nanoseconds(modified);
  result.ctime_ns = nanoseconds(changed);
  result.inode = raw.st_ino;
  result.device = static_cast<std::uint64_t>(raw.st_dev);
  return result;
}

/// One part of a path. `..` leads out, and a slash would let the kernel walk through links.
bool is_single_name(const std::string& name) {
  return !name.empty() && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

Error not_a_name(const std::string& name) {
  return {ErrorKind::usage, "only a single name can be opened inside a folder", name, {}};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

class RealFile final : public File {
 public:
  RealFile(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}

  Result<FileStat> stat() override {
    struct stat raw {};
    if (::fstat(fd_.get(), &raw) != 0) {
      return system_error("cannot look at the file", name_, errno);
    }
    is_regular_ = S_ISREG(raw.st_mode);
    size_ = static_cast<std::uint64_t>(raw.st_size);
    return to_file_stat(raw);
  }

  Result<std::size_t> read(std::span<char> into) override {
    if (!is_regular_) {
      // A pipe without a writer would look like an empty file.
      TRY_ASSIGN(const FileStat known, stat());
      is_regular_ = known.type == EntryType::file;
      if (!is_regular_) {
        return Error{ErrorKind::not_regular, "this is no regular file", name_, {}};
      }
    }
    std::size_t filled = 0;
    while (filled < into.size()) {
      const ssize_t count = ::read(fd_.get(), into.data() + filled, into.size() - filled);
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count < 0) {
        return system_error("cannot read the file", name_, errno);
      }
      if (count == 0) {
        break;
      }
      filled += static_cast<std::size_t>(count);
      position_ += static_cast<std::uint64_t>(count);
      if (position_ == size_) {
        break;  // the end, as stat() knew it: spares asking once more for every file
      }
    }
    return filled;
  }

 private:
  Descriptor fd_;
  std::string name_;
  bool is_regular_ = false;  // until stat() has said so
  std::uint64_t size_ = 0;   // when stat() last looked
  std::uint64_t position_ = 0;
};

class RealFolder final : public Folder {
 public:
  RealFolder(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}

  Result<void> list(const std::function<void(std::string_view name, EntryType)>& visit) override {
    // A second descriptor: closedir() closes its own, and the position starts afresh.
    const int own = ::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* stream = own < 0 ? nullptr : ::fdopendir(own);
    if (stream == nullptr) {
      const int reason = errno;
      if (own >= 0) {
        ::close(own);
      }
      return system_error("cannot list the folder", name_, reason);
    }
    Result<void> outcome;
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(stream);  // NOLINT(concurrency-mt-unsafe): own stream
      if (entry == nullptr) {
        if (errno != 0) {
          outcome = system_error("cannot list the folder", name_, errno);
        }
        break;
      }
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") {
        visit(name, type_of_entry(*entry));
      }
    }
    ::closedir(stream);
    return outcome;
  }

  Result<FileStat> stat(const std::string& name) override {
    if (!is_single_name(name)) {
      return not_a_name(name);
    }
    struct stat raw {};
    if (::fstatat(fd_.get(), name.c_str(), &raw, AT_SYMLINK_NOFOLLOW) != 0) {
      return system_error("cannot look at it", name, errno);
    }
    return to_file_stat(raw);
  }

  Result<std::unique_ptr<Folder>> open_folder(const std::string& name) override {
    if (!is_single_name(name)) {
      return not_a_name(name);
    }
    const int fd =
        ::openat(fd_.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
      const int reason = errno;
      // The kernel answers ENOTDIR for a link when O_DIRECTORY and O_NOFOLLOW meet.
      const auto known = reason == ENOTDIR ? stat(name) : Result<FileStat>(FileStat{});
      const bool link = known && known->type == EntryType::symlink;
      return system_error("cannot open the folder", name, link ? ELOOP : reason);
    }
    return std::unique_ptr<Folder>(std::make_unique<RealFolder>(fd, name));
  }

  Result<std::unique_ptr<File>> open_file(const std::string& name) override {
    if (!is_single_name(name)) {
      return not_a_name(name);
    }
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    const int fd = ::openat(
        fd_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
      return system_error("cannot open the file", name, errno);
    }
    return std::unique_ptr<File>(std::make_unique<RealFile>(fd, name));
  }

 private:
  EntryType type_of_entry(const dirent& entry) {
    switch (entry.d_type) {
      case DT_REG:
        return EntryType::file;
      case DT_DIR:
        return EntryType::folder;
      case DT_LNK:
        return EntryType::symlink;
      case DT_UNKNOWN: {  // some file systems do not say
        const auto known = stat(entry.d_name);
        return known ? known->type : EntryType::other;
      }
      default:
        return EntryType::other;
    }
  }

  Descriptor fd_;
  std::string name_;
};

class RealDisk final : public Disk {
 public:
  Result<std::unique_ptr<Folder>> open_root(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
      return system_error("cannot open the folder", path, errno);
    }
    return std::unique_ptr<Folder>(std::make_unique<RealFolder>(fd, path));
  }
};

}  // namespace

Disk& real_disk() {
  static RealDisk disk;
  return disk;
}

Result<std::unique_ptr<Folder>> open_below(Folder& root, std::string_view relative) {
  std::unique_ptr<Folder> current;
  Folder* parent = &root;
  do {
    const std::size_t slash = relative.find('/');
    const std::string_view part = relative.substr(0, slash);
    TRY_ASSIGN(current, parent->open_folder(part.empty() ? "." : std::string(part)));
    parent = current.get();
    relative = slash == std::string_view::npos ? std::string_view{} : relative.substr(slash + 1);
  } while (!relative.empty());
  return current;
}

}  // namespace daybook::base
