// SPDX-License-Identifier: MIT
//
// A running program answers whoever connects to a socket file: one text, then the end. Nothing is
// read from the other side, so there is nothing to attack. The server has a thread of its own, so
// that it answers while the program is at work; its owner may be any thread. Reachable by whoever
// may enter the folder; the file goes with the server.
#pragma once

#include "daybook/base/result.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace daybook::host {

class AnswerSocket {
 public:
  /// What a former server has left at the path is replaced: only one that holds a lock may call
  /// this. `answer` is called on the server's thread.
  static Result<AnswerSocket> open(const std::string& path, std::function<std::string()> answer);

  AnswerSocket(AnswerSocket&&) noexcept;
  AnswerSocket& operator=(AnswerSocket&&) noexcept;
  ~AnswerSocket();

 private:
  struct Server;
  explicit AnswerSocket(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server_;
};

/// Connects and reads the whole answer. not_found: nobody answers there.
Result<std::string> ask_socket(const std::string& path, std::chrono::milliseconds most);

}  // namespace daybook::host
