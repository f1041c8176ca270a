// SPDX-License-Identifier: MIT
#include "daybook/base/atomic_file.hpp"

#include "daybook/base/base32.hpp"
#include "daybook/base/safety.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#endif

namespace daybook::base {
namespace {

constexpr std::string_view kTemporaryPrefix = ".daybook-";
constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr int kAttempts = 16;
constexpr std::int64_t kCertainlyGoneMs = 60LL * 60 * 1000;

/// 80 random bits: two writers never meet, and nobody can plant the name beforehand.
std::string random_name() {
  std::array<std::uint8_t, 10> random{};
  if (::getentropy(random.data(), random.size()) != 0) {
    std::abort();
  }
  std::string name(kTemporaryPrefix);
  name += base32_lower(random);
  name += kTemporarySuffix;
  return name;
}

/// Renames inside one folder and fails with EEXIST when the new name is taken.
int rename_exclusively(int folder, const char* from, const char* to) {
#ifdef __linux__
  const auto outcome = ::syscall(SYS_renameat2, folder, from, folder, to, RENAME_NOREPLACE);
  if (outcome == 0 || (errno != EINVAL && errno != ENOSYS)) {
    return static_cast<int>(outcome);
  }
#elif defined(__APPLE__)
  return ::renameatx_np(folder, from, folder, to, RENAME_EXCL);
#endif
  // File systems without it (some network ones): a hard link refuses an existing name too.
  if (::linkat(folder, from, folder, to, 0) != 0) {
    return -1;
  }
  return ::unlinkat(folder, from, 0);
}

/// Two files of one folder change places. EINVAL or ENOSYS where that cannot be done.
int exchange_names(int folder, const char* one, const char* other) {
#ifdef __linux__
  return static_cast<int>(::syscall(SYS_renameat2, folder, one, folder, other, RENAME_EXCHANGE));
#elif defined(__APPLE__)
  return ::renameatx_np(folder, one, folder, other, RENAME_SWAP);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Locks a temporary that was just made. False: whoever looks for leftovers was quicker, and may
/// have removed it.
bool claim(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    return errno != EWOULDBLOCK;  // no locks on this file system: written without
  }
  struct stat status {};
  return ::fstat(file, &status) != 0 || status.st_nlink > 0;
}

constexpr mode_t kPermissions = 0777;
constexpr mode_t kOwner = 0600;

/// Of a regular file; nothing if there is none.
std::optional<mode_t> mode_of_file(int folder, const std::string& name) {
  struct stat status {};
  const bool is_there = ::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  return is_there && S_ISREG(status.st_mode) ? std::optional<mode_t>(status.st_mode & kPermissions)
                                             : std::nullopt;
}

/// Whoever may look into the folder may read it, whoever may write there may write it.
mode_t mode_of_new_file(int folder) {
  constexpr mode_t kReadAndWrite = 0666;
  constexpr mode_t kUsual = 0644;
  struct stat status {};
  return ::fstat(folder, &status) == 0 ? (status.st_mode & kReadAndWrite) | kOwner : kUsual;
}

/// Where the umask has taken something away. A file system without modes is none to complain about.
void set_mode(int file, mode_t mode) {
  struct stat status {};
  if (::fstat(file, &status) == 0 && (status.st_mode & kPermissions) != mode) {
    static_cast<void>(::fchmod(file, mode) == 0);
  }
}

/// A leftover held open, and locked where that is possible.
class Leftover {
 public:
  Leftover(int folder, const std::string& name) {
    constexpr int kFlags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    if (is_temporary_name(name)) {
      file_ = ::openat(folder, name.c_str(), O_RDWR | kFlags);  // some network locks want that
      file_ = file_ < 0 ? ::openat(folder, name.c_str(), O_RDONLY | kFlags) : file_;
    }
  }
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;
  ~Leftover() {
    if (file_ >= 0) {
      ::close(file_);
    }
  }

  bool is_abandoned(std::int64_t now_ms) const {
    struct stat status {};
    if (file_ < 0 || ::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
      return false;
    }
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) {
      return true;
    }
    return errno != EWOULDBLOCK &&
           static_cast<std::int64_t>(status.st_mtime) * 1000 + kCertainlyGoneMs < now_ms;
  }

 private:
  int file_ = -1;
};

std::pair<std::string, std::string> split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) {
    return {".", path};
  }
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::string& path, std::optional<mode_t> mode) {
  AtomicFile file;
  file.path_ = path;
  auto [folder, name] = split(path);
  file.name_ = std::move(name);
  file.folder_fd_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file.folder_fd_ < 0) {
    return system_error("cannot open the folder to write into", folder, errno);
  }
  TRY(file.make_temporary(mode));
  return file;
}

Result<AtomicFile> AtomicFile::create_in(int folder,
                                         const std::string& path,
                                         std::optional<mode_t> mode) {
  AtomicFile file;
  file.path_ = path;
  file.name_ = split(path).second;
  file.folder_fd_ = ::fcntl(folder, F_DUPFD_CLOEXEC, 0);
  if (file.folder_fd_ < 0) {
    return system_error("cannot use the folder to write into", path, errno);
  }
  TRY(file.make_temporary(mode));
  return file;
}

Result<void> AtomicFile::make_temporary(std::optional<mode_t> given) {
  if (name_.empty() || name_ == "." || name_ == "..") {
    return Error{ErrorKind::usage, "cannot write a file without a name", path_, {}};
  }
  const std::optional<mode_t> former = given ? std::nullopt : mode_of_file(folder_fd_, name_);
  const mode_t mode = given ? *given : former.value_or(mode_of_new_file(folder_fd_));
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string candidate = random_name();
    const int fd = ::openat(
        folder_fd_, candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd >= 0 && claim(fd)) {
      if (former) {
        set_mode(fd, *former);
      }
      temporary_name_ = std::move(candidate);
      file_fd_ = fd;
      return {};
    }
    if (fd >= 0) {
      ::close(fd);
      ::unlinkat(folder_fd_, candidate.c_str(), 0);  // whoever locked it may only have looked
      errno = EEXIST;
    }
    if (errno != EEXIST) {
      break;
    }
  }
  return system_error("cannot create a temporary file beside it", path_, errno);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept { *this = std::move(other); }

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    name_ = std::move(other.name_);
    temporary_name_ = std::exchange(other.temporary_name_, {});
    folder_fd_ = std::exchange(other.folder_fd_, -1);
    file_fd_ = std::exchange(other.file_fd_, -1);
    synced_ = std::exchange(other.synced_, false);
  }
  return *this;
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (file_fd_ >= 0) {
    ::close(std::exchange(file_fd_, -1));
  }
  if (!temporary_name_.empty()) {
    ::unlinkat(folder_fd_, std::exchange(temporary_name_, {}).c_str(), 0);
  }
  if (folder_fd_ >= 0) {
    ::close(std::exchange(folder_fd_, -1));
  }
}

Result<void> AtomicFile::write(std::string_view bytes) {
  if (file_fd_ < 0) {
    return Error{ErrorKind::io, "cannot write on after a failure", path_, {}};
  }
  synced_ = false;
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_fd_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      const Error error = system_error("cannot write the file", path_, errno);
      discard();  // half of the bytes must never be given the name
      return error;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

namespace {

/// Bytes copied by the kernel; -1: it cannot, or failed on the way.
std::int64_t copy_in_kernel(int source, int target) {
  std::int64_t copied = 0;
#ifdef __linux__
  if (::ioctl(target, FICLONE, source) == 0) {
    return ::lseek(target, 0, SEEK_END);
  }
  constexpr std::size_t kMost = std::size_t{1} << 30U;
  for (;;) {
    const ssize_t count = ::copy_file_range(source, nullptr, target, nullptr, kMost, 0);
    if (count == 0) {
      return copied;
    }
    if (count < 0 && errno != EINTR) {
      return -1;
    }
    copied += std::max<ssize_t>(count, 0);
  }
#else
  static_cast<void>(source);
  static_cast<void>(target);
  return -1;
#endif
}

}  // namespace

Result<std::uint64_t> AtomicFile::copy_from(int source) {
  if (file_fd_ < 0) {
    return Error{ErrorKind::io, "cannot write on after a failure", path_, {}};
  }
  synced_ = false;
  if (const std::int64_t copied = copy_in_kernel(source, file_fd_); copied > 0) {
    return static_cast<std::uint64_t>(copied);
  }
  // Another file system, or one that cannot: by hand, from the beginning.
  if (::lseek(source, 0, SEEK_SET) < 0 || ::lseek(file_fd_, 0, SEEK_SET) < 0 ||
      ::ftruncate(file_fd_, 0) != 0) {
    const Error error = system_error("cannot copy into the file", path_, errno);
    discard();
    return error;
  }
  std::vector<char> buffer(std::size_t{256} * 1024);
  std::uint64_t copied = 0;
  for (;;) {
    const ssize_t count = ::read(source, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      const Error error = system_error("cannot read what is to be copied to", path_, errno);
      discard();
      return error;
    }
    if (count == 0) {
      return copied;
    }
    TRY(write({buffer.data(), static_cast<std::size_t>(count)}));
    copied += static_cast<std::uint64_t>(count);
  }
}

void AtomicFile::begin_sync() {
#ifdef SYNC_FILE_RANGE_WRITE
  if (file_fd_ >= 0 && !synced_) {
    // A failure is the file's, and sync() will hear of it.
    static_cast<void>(::sync_file_range(file_fd_, 0, 0, SYNC_FILE_RANGE_WRITE));
  }
#endif
}

Result<void> AtomicFile::sync() {
  if (file_fd_ < 0) {
    return Error{ErrorKind::io, "cannot commit what could not be written", path_, {}};
  }
  // After a failed fsync the kernel may have dropped the pages: the bytes are not to be trusted,
  // so the temporary is thrown away and the caller starts again.
  if (keeps(Safety::file_sync) && !synced_ && ::fsync(file_fd_) != 0) {
    const Error error = system_error("cannot sync the file", path_, errno);
    discard();
    return error;
  }
  synced_ = true;
  return {};
}

Result<void> AtomicFile::commit(IfExists policy, FolderSync folder_sync) {
  TRY(sync());
  const int renamed =
      policy == IfExists::replace
          ? ::renameat(folder_fd_, temporary_name_.c_str(), folder_fd_, name_.c_str())
          : rename_exclusively(folder_fd_, temporary_name_.c_str(), name_.c_str());
  if (renamed != 0) {
    const Error error = system_error("cannot give the file its name", path_, errno);
    discard();
    return error;
  }
  temporary_name_.clear();
  if (folder_sync == FolderSync::left_to_caller) {
    discard();
    return {};
  }
  return sync_folder();
}

Result<void> AtomicFile::sync_folder() {
  const bool synced = !keeps(Safety::name_sync) || ::fsync(folder_fd_) == 0;
  const int reason = errno;
  discard();
  if (!synced) {
    return system_error("cannot sync the folder of", path_, reason);
  }
  return {};
}

Result<bool> AtomicFile::exchange() {
  if (file_fd_ >= 0) {
    TRY(sync());
  }
  if (exchange_names(folder_fd_, temporary_name_.c_str(), name_.c_str()) == 0) {
    if (file_fd_ >= 0) {
      ::close(std::exchange(file_fd_, -1));  // whoever asks now who writes it finds nobody
    }
    return true;
  }
  if (errno == EINVAL || errno == ENOSYS) {
    return false;
  }
  return system_error("cannot give the file its name", path_, errno);
}

Result<void> AtomicFile::finish_exchange() {
  if (::unlinkat(folder_fd_, std::exchange(temporary_name_, {}).c_str(), 0) != 0) {
    return system_error("cannot remove what was replaced", path_, errno);
  }
  return sync_folder();
}

Result<void> AtomicFile::keep_temporary_as(const std::string& name) {
  const std::string temporary = std::exchange(temporary_name_, {});
  if (rename_exclusively(folder_fd_, temporary.c_str(), name.c_str()) != 0) {
    return system_error("cannot keep the other version of this file", path_, errno);
  }
  return sync_folder();
}

Result<void> write_file_atomically(const std::string& path,
                                   std::string_view bytes,
                                   IfExists policy,
                                   std::optional<mode_t> mode) {
  TRY_ASSIGN(AtomicFile file, AtomicFile::create(path, mode));
  TRY(file.write(bytes));
  return file.commit(policy);
}

bool is_temporary_name(std::string_view name) {
  if (name.size() != kTemporaryPrefix.size() + 16 + kTemporarySuffix.size() ||
      !name.starts_with(kTemporaryPrefix) || !name.ends_with(kTemporarySuffix)) {
    return false;
  }
  const std::string_view random = name.substr(kTemporaryPrefix.size(), 16);
  return std::all_of(random.begin(), random.end(), [](char c) { return base32_value(c) >= 0; });
}

bool is_abandoned_temporary(int folder, const std::string& name, std::int64_t now_ms) {
  return Leftover(folder, name).is_abandoned(now_ms);
}

Result<bool> remove_abandoned_temporary(int folder, const std::string& name, std::int64_t now_ms) {
  // Locked until it is unlinked: a writer that made it this very moment finds it gone, and makes
  // another.
  const Leftover leftover(folder, name);
  if (!leftover.is_abandoned(now_ms)) {
    return false;
  }
  if (::unlinkat(folder, name.c_str(), 0) != 0) {
    return errno == ENOENT ? Result<bool>(false)
                           : system_error("cannot remove a temporary file", name, errno);
  }
  return true;
}

}  // namespace daybook::base
