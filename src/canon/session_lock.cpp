// SPDX-License-Identifier: MIT
#include "daybook/canon/session_lock.hpp"

#include "daybook/base/descriptor.hpp"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace daybook::canon {
namespace {

constexpr std::chrono::milliseconds kBetweenAttempts{2};

/// A stopped holder must not stop us for ever, so this asks again and again instead of waiting in
/// the kernel. 0 or an error number.
int lock_within(int fd, std::chrono::steady_clock::time_point deadline) {
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return errno;
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      return EWOULDBLOCK;
    }
    std::this_thread::sleep_for(kBetweenAttempts);
  }
  return 0;
}

/// The lock's file, made if need be. Neither it nor its folder is reached through a link.
Result<int> open_lock(const std::string& folder, const std::string& name) {
  constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  constexpr int kFile = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return base::system_error("cannot make the folder of the session locks", folder, errno);
  }
  const base::Descriptor place(::open(folder.c_str(), kFolder));
  const int file = place ? ::openat(place.get(), name.c_str(), kFile, 0600) : -1;
  if (file < 0) {
    return base::system_error("cannot open the session's lock", folder + "/" + name, errno);
  }
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) {
    ::close(file);
    return Error{ErrorKind::not_regular,
                 "the session's lock is no regular file or not yours",
                 folder + "/" + name,
                 "Remove it: Daybook makes a new one."};
  }
  return file;
}

/// The first holder gives the file a length. Whoever makes the file need not be the first to hold
/// the lock. True: nobody has held it before.
bool mark_as_held(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_size == 0 && ::ftruncate(fd, 1) == 0;
}

}  // namespace

Result<SessionLock> SessionLock::take(const std::string& folder,
                                      lineage::SessionToken token,
                                      std::chrono::milliseconds patience) {
  const std::string name = token.to_string().append(".lock");
  const std::string path = folder + "/" + name;
  TRY_ASSIGN(const int fd, open_lock(folder, name));
  SessionLock lock(fd);
  const int reason = lock_within(fd, std::chrono::steady_clock::now() + patience);
  if (reason == EWOULDBLOCK) {
    return Error{ErrorKind::busy,
                 "another process is changing this session",
                 path,
                 "try again, or find the process with: fuser -v " + path};
  }
  if (reason != 0) {
    return base::system_error("cannot lock the session", path, reason);
  }
  lock.is_first_ = mark_as_held(fd);
  return lock;
}

Result<std::vector<SessionLock>> SessionLock::take_all(
    const std::string& folder,
    const std::vector<lineage::SessionToken>& tokens,
    std::chrono::milliseconds patience) {
  std::vector<SessionLock> locks;
  for (const lineage::SessionToken& token : std::set(tokens.begin(), tokens.end())) {
    TRY_ASSIGN(SessionLock lock, take(folder, token, patience));
    locks.push_back(std::move(lock));
  }
  return locks;
}

SessionLock::SessionLock(SessionLock&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), is_first_(other.is_first_) {}

SessionLock& SessionLock::operator=(SessionLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(is_first_, other.is_first_);
  return *this;
}

SessionLock::~SessionLock() {
  if (fd_ >= 0) {
    ::close(fd_);  // which unlocks
  }
}

}  // namespace daybook::canon
