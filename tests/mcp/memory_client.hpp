// SPDX-License-Identifier: MIT
//
// A client that talks to `daybook mcp` over two pipes, message by message. One thread.
#pragma once

#include "support/piped_program.hpp"
#include "support/program.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace daybook::test {

class MemoryClient {
 public:
  using Json = nlohmann::json;

  /// `place` has the folders vault and state.
  MemoryClient(const std::string& place, std::vector<std::string> options, std::string now)
      : program_(words(place, std::move(options), now),
                 {"HOME=/nonexistent", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"},
                 place + "/mcp-errors.txt") {}

  /// Agrees on a revision; the server's answer.
  Json open(const std::string& revision = "2025-11-25") {
    Json answer = ask("initialize",
                      {{"protocolVersion", revision},
                       {"capabilities", Json::object()},
                       {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
    tell("notifications/initialized");
    return answer;
  }

  void send(const Json& message) { send_line(message.dump()); }
  void send_line(const std::string& line) {
    if (!program_.send(line + "\n")) {
      throw std::runtime_error("the server does not read");
    }
  }
  void tell(const std::string& method, const Json& params = Json::object()) {
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  int post(const std::string& method, const Json& params = Json::object()) {
    send({{"jsonrpc", "2.0"}, {"id", ++last_}, {"method", method}, {"params", params}});
    return last_;
  }
  /// The next message of whatever kind; null when there is none.
  Json next() {
    const auto line = program_.line();
    return line ? Json::parse(*line, nullptr, false) : Json();
  }
  /// The next that answers that request; notifications on the way are kept.
  Json answer_to(const Json& id) {
    for (Json message = next(); !message.is_null(); message = next()) {
      if (message.is_object() && message.contains("id") && message["id"] == id) {
        return message;
      }
      heard_.push_back(message);
    }
    return {};
  }
  Json ask(const std::string& method, const Json& params = Json::object()) {
    return answer_to(post(method, params));
  }
  Json call(const std::string& tool, const Json& arguments = Json::object()) {
    return ask("tools/call", {{"name", tool}, {"arguments", arguments}})["result"];
  }

  /// As a model forgets: a look first, whose code then makes it go. The look's failure, if it
  /// fails.
  Json forget(const std::string& id, const std::string& reason = "a test") {
    const Json look = call("memory_forget", {{"id", id}, {"reason", reason}});
    if (look["isError"] == true) {
      return look;
    }
    return call("memory_forget", {{"id", id}, {"reason", reason}, {"confirm", code_in(look)}});
  }
  static std::string code_in(const Json& look) {
    return look["structuredContent"]["confirm"].get<std::string>();
  }

  const std::vector<Json>& heard() const { return heard_; }
  support::PipedProgram& program() { return program_; }
  /// Closes its input and returns its exit code; all that it still wrote is in `rest`.
  int end(std::string* rest = nullptr) {
    program_.close_input();
    std::string left = program_.rest();
    if (rest != nullptr) {
      *rest = std::move(left);
    }
    return program_.wait();
  }

 private:
  static std::vector<std::string> words(const std::string& place,
                                        std::vector<std::string> options,
                                        const std::string& now) {
    std::vector<std::string> all{
        DAYBOOK_BINARY, "--workspace", place + "/vault", "--state-dir", place + "/state"};
    if (!now.empty()) {
      all.insert(all.end(), {"--now", now});
    }
    all.emplace_back("mcp");
    all.insert(all.end(), options.begin(), options.end());
    return all;
  }

  support::PipedProgram program_;
  int last_ = 0;
  std::vector<Json> heard_;
};

inline std::string text_of(const nlohmann::json& result) {
  return result["content"][0]["text"].get<std::string>();
}

}  // namespace daybook::test
