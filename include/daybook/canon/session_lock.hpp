// SPDX-License-Identifier: MIT
//
// One session's files are changed by one process at a time: an exclusive flock on
// `{folder}/{token}.lock`, held as long as the object lives and given up by the kernel when its
// process dies. The lock files stay: removing one would let two processes lock two files of the
// same name. Not for use by two threads through one object; two objects exclude each other also
// within a process.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/session_token.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace daybook::canon {

class SessionLock {
 public:
  /// Waits that long for another holder, then ErrorKind::busy. Makes the folder (0700) if it
  /// is missing, but not the folder above it.
  static Result<SessionLock> take(const std::string& folder,
                                  lineage::SessionToken token,
                                  std::chrono::milliseconds patience = std::chrono::seconds(5));

  /// All of them, in an order that is the same for everybody, so that no two wait for each other.
  static Result<std::vector<SessionLock>> take_all(
      const std::string& folder,
      const std::vector<lineage::SessionToken>& tokens,
      std::chrono::milliseconds patience = std::chrono::seconds(5));

  /// Whether nobody on this device has ever held this lock before.
  bool is_first() const { return is_first_; }

  SessionLock(SessionLock&& other) noexcept;
  SessionLock& operator=(SessionLock&& other) noexcept;
  ~SessionLock();

 private:
  explicit SessionLock(int fd) : fd_(fd) {}

  int fd_;
  bool is_first_ = false;
};

}  // namespace daybook::canon
