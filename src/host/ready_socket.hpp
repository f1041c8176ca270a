// SPDX-License-Identifier: MIT
//
// The listening end of a NOTIFY_SOCKET, for a child that is being started. Lies in a folder that
// only this user can enter, and goes with the object. One thread.
#pragma once

#include "daybook/base/result.hpp"

#include <chrono>
#include <string>

namespace daybook::host {

class ReadySocket {
 public:
  static Result<ReadySocket> open();

  ReadySocket(ReadySocket&& other) noexcept;
  ReadySocket& operator=(ReadySocket&&) = delete;
  ~ReadySocket();

  /// What NOTIFY_SOCKET is to be.
  const std::string& path() const { return path_; }
  /// True as soon as READY=1 has come; false after `wait`.
  bool heard_ready(std::chrono::milliseconds wait);

 private:
  ReadySocket() = default;

  std::string folder_;
  std::string path_;
  int socket_ = -1;
};

}  // namespace daybook::host
