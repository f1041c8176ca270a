// SPDX-License-Identifier: MIT
#include "projection/published_file.hpp"

#include "daybook/base/atomic_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace daybook::projection {
namespace {

// Far above any budget: a file beyond it is not ours, whatever its last line says.
constexpr std::size_t kMostText = std::size_t{4} << 20;
constexpr mode_t kPrivateFile = 0600;
constexpr std::int64_t kLeftoverMs = 60LL * 60 * 1000;

std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

FileMark mark_of(const struct stat& status) {
#ifdef __APPLE__
  const timespec modified = status.st_mtimespec;
  const timespec changed = status.st_ctimespec;
#else
  const timespec modified = status.st_mtim;
  const timespec changed = status.st_ctim;
#endif
  return {static_cast<std::uint64_t>(status.st_dev),
          static_cast<std::uint64_t>(status.st_ino),
          static_cast<std::int64_t>(status.st_size),
          nanoseconds(modified),
          nanoseconds(changed)};
}

Error no_file(const std::string& path, const char* what) {
  return {ErrorKind::not_regular,
          std::string("cannot publish: in its place is ").append(what),
          path,
          "Move it away; Daybook writes a regular file there and follows no links."};
}

/// What its parent allows, as far as the umask agrees.
mode_t mode_of_new_folder(int parent) {
  constexpr mode_t kPermissions = 0777;
  constexpr mode_t kOwner = 0700;
  struct stat status {};
  return ::fstat(parent, &status) == 0 ? (status.st_mode & kPermissions) | kOwner : kOwner;
}

/// Opens one folder below another, making it if need be.
Result<int> step_into(int parent, const std::string& name, const std::string& path) {
  if (::mkdirat(parent, name.c_str(), mode_of_new_folder(parent)) != 0 && errno != EEXIST) {
    return base::system_error("cannot make the folder to publish into", path, errno);
  }
  const int folder =
      ::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) {
    const bool link = errno == ELOOP || errno == ENOTDIR;
    return link ? no_file(path, "a symbolic link or a file where a folder is needed")
                : base::system_error("cannot open the folder to publish into", path, errno);
  }
  return folder;
}

/// Calls `take` for each piece until the end.
template <typename Take>
Result<void> read_pieces(int file, const std::string& path, Take take) {
  std::array<char, 64 * 1024> buffer{};
  for (;;) {
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return base::system_error("cannot read what is published", path, errno);
    }
    if (count == 0) {
      return {};
    }
    TRY(take(std::string_view(buffer.data(), static_cast<std::size_t>(count))));
  }
}

/// A descriptor that closes itself.
class Handle {
 public:
  explicit Handle(int file) : file_(file) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { ::close(file_); }
  int get() const { return file_; }

 private:
  int file_;
};

}  // namespace

Result<PublishedFile> PublishedFile::open(const std::string& workspace, std::string_view relative) {
  PublishedFile file;
  file.path_ = workspace;
  file.folder_ = ::open(workspace.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file.folder_ < 0) {
    return base::system_error("cannot open the workspace", workspace, errno);
  }
  for (;;) {
    const std::size_t slash = relative.find('/');
    const std::string part(relative.substr(0, slash));
    if (part.empty() || part == "." || part == "..") {
      return Error{
          ErrorKind::usage, "this is no place for a projection", std::string(relative), {}};
    }
    file.path_.append("/").append(part);
    if (slash == std::string_view::npos) {
      file.name_ = part;
      return file;
    }
    TRY_ASSIGN(const int next, step_into(file.folder_, part, file.path_));
    ::close(std::exchange(file.folder_, next));
    relative.remove_prefix(slash + 1);
  }
}

PublishedFile::PublishedFile(PublishedFile&& other) noexcept
    : folder_(std::exchange(other.folder_, -1)),
      path_(std::move(other.path_)),
      name_(std::move(other.name_)) {}

PublishedFile::~PublishedFile() {
  if (folder_ >= 0) {
    ::close(folder_);
  }
}

Result<int> PublishedFile::open_file() const {
  const int file = ::openat(folder_, name_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    return errno == ELOOP ? no_file(path_, "a symbolic link")
                          : base::system_error("cannot read what is published", path_, errno);
  }
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    return file;
  }
  ::close(file);
  return no_file(path_, S_ISDIR(status.st_mode) ? "a folder" : "no regular file");
}

Result<std::optional<FoundFile>> PublishedFile::read() const {
  auto opened = open_file();
  if (!opened) {
    if (opened.error().kind == ErrorKind::not_found) {
      return std::optional<FoundFile>();
    }
    return std::move(opened).error();
  }
  const Handle file(*opened);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    return base::system_error("cannot read what is published", path_, errno);
  }
  FoundFile found;
  found.mark = mark_of(status);
  base::Sha256 hash;
  TRY(read_pieces(file.get(), path_, [&](std::string_view piece) -> Result<void> {
    hash.update(piece);
    found.text.append(piece.substr(0, kMostText - std::min(kMostText, found.text.size())));
    return {};
  }));
  found.sha256 = hash.finish();
  return std::optional(std::move(found));
}

std::optional<FileMark> PublishedFile::mark() const {
  struct stat status {};
  if (::fstatat(folder_, name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return std::nullopt;
  }
  return mark_of(status);
}

Result<base::Digest> PublishedFile::copy_to(const std::string& target) const {
  TRY_ASSIGN(const int opened, open_file());
  const Handle file(opened);
  TRY_ASSIGN(auto copy, base::AtomicFile::create(target, kPrivateFile));
  base::Sha256 hash;
  TRY(read_pieces(file.get(), path_, [&](std::string_view piece) {
    hash.update(piece);
    return copy.write(piece);
  }));
  TRY(copy.commit(base::IfExists::replace));
  return hash.finish();
}

void PublishedFile::remove_leftovers(std::int64_t now_ms) const {
  const int listed = ::openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(listed < 0 ? nullptr : ::fdopendir(listed),
                                                   ::closedir);
  if (!folder) {
    return;
  }
  // readdir() is safe on a stream that only this thread has.
  while (const dirent* entry = ::readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe)
    struct stat status {};
    if (base::is_temporary_name(entry->d_name) &&
        ::fstatat(folder_, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode) && mark_of(status).mtime_ns / 1'000'000 + kLeftoverMs < now_ms) {
      ::unlinkat(folder_, entry->d_name, 0);
    }
  }
}

}  // namespace daybook::projection
