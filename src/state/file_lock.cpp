// SPDX-License-Identifier: MIT
#include "state/file_lock.hpp"

#include "daybook/state/pipeline_lock.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace daybook::state {
namespace {

constexpr mode_t kPrivate = 0600;
constexpr std::size_t kMostNoteBytes = 1024;

/// Whether the path still names this open file.
bool is_current(int file, const std::string& path) {
  struct stat ours {};
  struct stat named {};
  return ::fstat(file, &ours) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

Result<int> open_lock(const std::string& path) {
  const int file =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, kPrivate);
  if (file < 0) {
    Error error = base::system_error("opening a lock file", path, errno);
    if (error.kind == ErrorKind::not_regular) {
      error.hint = "Remove it: Daybook never locks through a symbolic link.";
    }
    return error;
  }
  struct stat status {};
  const bool looked = ::fstat(file, &status) == 0;
  if (!looked || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) {
    ::close(file);
    return Error{ErrorKind::not_regular,
                 "a lock file is no regular file or not yours",
                 path,
                 "Remove it: Daybook makes a new one."};
  }
  ::fchmod(file, kPrivate);
  return file;
}

}  // namespace

Result<std::optional<FileLock>> FileLock::acquire(const std::string& path,
                                                  std::chrono::milliseconds wait) {
  const auto deadline = std::chrono::steady_clock::now() + wait;
  for (;;) {
    TRY_ASSIGN(const int file, open_lock(path));
    FileLock lock(file);
    for (;;) {
      if (::flock(file, LOCK_EX | LOCK_NB) == 0) {
        if (is_current(file, path)) {
          return std::optional(std::move(lock));
        }
        break;  // deleted meanwhile: others lock a new file by now
      }
      if (errno != EWOULDBLOCK && errno != EINTR) {
        return base::system_error("locking", path, errno);
      }
      if (std::chrono::steady_clock::now() >= deadline) {
        return std::optional<FileLock>();
      }
      std::this_thread::sleep_for(kLockPoll);
    }
  }
}

FileLock::FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

FileLock::~FileLock() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

void FileLock::write_note(std::string_view note) {
  note = note.substr(0, kMostNoteBytes);
  if (::ftruncate(file_, 0) == 0) {
    static_cast<void>(::pwrite(file_, note.data(), note.size(), 0) == 0);
  }
}

bool is_locked(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return false;
  }
  const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0;
  ::close(file);
  return locked;
}

std::string read_lock_note(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return {};
  }
  std::array<char, kMostNoteBytes> buffer{};
  const ssize_t count = ::read(file, buffer.data(), buffer.size());
  ::close(file);
  return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : std::string();
}

}  // namespace daybook::state
