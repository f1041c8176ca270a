// SPDX-License-Identifier: MIT
//
// One process at a time: flock(2) on a file of the state folder. The kernel drops it with the
// process, however that ends. The file is made with mode 0600 and never through a link; one that
// was deleted meanwhile is not taken for the one that others lock. One object belongs to one
// thread; failure leaves at most an empty file.
#pragma once

#include "daybook/base/result.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::state {

class FileLock {
 public:
  /// Nothing when another process still holds it after `wait`.
  static Result<std::optional<FileLock>> acquire(const std::string& path,
                                                 std::chrono::milliseconds wait);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// What others read to learn who holds it. Not needed for the lock to work, so failure is silent.
  void write_note(std::string_view note);

 private:
  explicit FileLock(int file) : file_(file) {}
  int file_ = -1;
};

/// Whether somebody holds it now. Only looks, but takes a shared lock for that moment.
bool is_locked(const std::string& path);

/// What the holder has written; empty when nothing can be read.
std::string read_lock_note(const std::string& path);

}  // namespace daybook::state
