// SPDX-License-Identifier: MIT
//
// One session file, written line by line; private to made_history.
#pragma once

#include "support/made_history.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::support {

/// splitmix64: small, and the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  std::string hex(std::size_t digits);
  std::string uuid();

 private:
  std::uint64_t state_;
};

/// What both harnesses share: the file's text, its facts and a clock that goes on.
class SessionScript {
 public:
  SessionScript(std::uint64_t seed, const HistoryPlan& plan);

  MadeSession facts;
  std::string text;

 protected:
  void line(const std::string& json);
  void broken(const std::string& bytes);
  /// The next moment as a JSON string.
  std::string now();
  std::string sentence();
  std::string message();
  /// Lines of code and output, about so many bytes.
  std::string output(std::size_t bytes);
  std::string asked();

  Dice dice_;
  const HistoryPlan& plan_;
  std::int64_t time_ms_;
};

class ClaudeScript : public SessionScript {
 public:
  ClaudeScript(std::uint64_t seed, const HistoryPlan& plan, std::string parent_id);
  void begin();
  void turn(std::size_t result_bytes);
  void end();
  const std::string& agent_id() const { return agent_; }

 private:
  std::string envelope(const std::string& type);
  void user(const std::string& content, const std::string& more = "");
  void assistant(const std::string& block, const std::string& more = "");
  void call(const std::string& name, const std::string& input, std::size_t result_bytes);
  void oddities();

  std::string agent_;  // of a sub-agent
  std::string session_;
};

class CodexScript : public SessionScript {
 public:
  CodexScript(std::uint64_t seed, const HistoryPlan& plan);
  void begin();
  void turn(std::size_t result_bytes);
  void end();
  const std::string& file_id() const { return file_id_; }
  std::int64_t begun_ms() const { return begun_ms_; }

 private:
  void wrapped(const std::string& type, const std::string& payload);
  void item(const std::string& payload);
  void message_item(const std::string& role, const std::string& words);
  void call(const std::string& json,
            const std::string& output_type,
            const std::string& id,
            std::size_t result_bytes);

  bool old_ = false;  // the form without a wrapper
  std::string file_id_;
  std::int64_t begun_ms_ = 0;
};

}  // namespace daybook::support
