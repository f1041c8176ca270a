// SPDX-License-Identifier: MIT
#include "host/spawn.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace daybook::host {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) {
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Spawn::Spawn() {
  posix_spawn_file_actions_init(&actions_);
  posix_spawnattr_init(&attributes_);
}

Spawn::~Spawn() {
  posix_spawn_file_actions_destroy(&actions_);
  posix_spawnattr_destroy(&attributes_);
}

void Spawn::input_from(int file) {
  posix_spawn_file_actions_adddup2(&actions_, file, STDIN_FILENO);
}

void Spawn::input_from_nowhere() {
  posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
}

void Spawn::output_to(int file) {
  posix_spawn_file_actions_adddup2(&actions_, file, STDOUT_FILENO);
}

void Spawn::errors_to(int file) {
  posix_spawn_file_actions_adddup2(&actions_, file, STDERR_FILENO);
}

void Spawn::silent() {
  input_from_nowhere();
  posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
}

void Spawn::start_in(const char* folder) {
  posix_spawn_file_actions_addchdir_np(&actions_, folder);
}

void Spawn::close_all_others() {
#ifdef __APPLE__
  short flags = 0;
  posix_spawnattr_getflags(&attributes_, &flags);
  posix_spawnattr_setflags(&attributes_, static_cast<short>(flags | POSIX_SPAWN_CLOEXEC_DEFAULT));
#else
  posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
#endif
}

void Spawn::own_session() {
  sigset_t none{};
  sigset_t all{};
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setsigdefault(&attributes_, &all);
  short flags = 0;
  posix_spawnattr_getflags(&attributes_, &flags);
  posix_spawnattr_setflags(&attributes_,
                           static_cast<short>(flags | POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF));
}

void Spawn::set_environment(std::vector<std::string> variables) {
  environment_ = std::move(variables);
  has_environment_ = true;
}

Result<pid_t> Spawn::start(const std::string& program, const std::vector<std::string>& words) {
  const std::vector<char*> arguments = pointers_to(words);
  const std::vector<char*> variables = pointers_to(environment_);
  pid_t child = 0;
  const int problem = posix_spawn(&child,
                                  program.c_str(),
                                  &actions_,
                                  &attributes_,
                                  arguments.data(),
                                  has_environment_ ? variables.data() : environ);
  if (problem != 0) {
    return base::system_error("cannot start the program", program, problem);
  }
  return child;
}

std::vector<std::string> environment_without(const std::vector<std::string_view>& names) {
  std::vector<std::string> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (std::find(names.begin(), names.end(), text.substr(0, text.find('='))) == names.end()) {
      kept.emplace_back(text);
    }
  }
  return kept;
}

}  // namespace daybook::host
