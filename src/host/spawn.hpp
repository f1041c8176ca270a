// SPDX-License-Identifier: MIT
//
// One child process, described before it starts: its streams, folder, session and environment. By
// posix_spawn, so that it costs the same however large this process is. One thread; owns nothing of
// the child.
#pragma once

#include "daybook/base/result.hpp"

#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace daybook::host {

class Spawn {
 public:
  Spawn();
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;
  ~Spawn();

  void input_from(int file);
  void input_from_nowhere();
  void output_to(int file);
  void errors_to(int file);
  /// Neither input nor output.
  void silent();
  void start_in(const char* folder);
  /// No open file of this process but the three streams reaches the child.
  void close_all_others();
  /// A session of its own, no signal ignored or blocked: the child outlives terminal and parent.
  void own_session();
  /// Instead of this process's own.
  void set_environment(std::vector<std::string> variables);

  /// `program` is a path; the first word is what the child takes for its name.
  Result<pid_t> start(const std::string& program, const std::vector<std::string>& words);

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  std::vector<std::string> environment_;
  bool has_environment_ = false;
};

/// This process's variables but for these names, `NAME=value` each.
std::vector<std::string> environment_without(const std::vector<std::string_view>& names);

}  // namespace daybook::host
