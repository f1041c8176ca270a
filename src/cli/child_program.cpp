// SPDX-License-Identifier: MIT
#include "cli/child_program.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace daybook::cli {
namespace {

constexpr pid_t kNotStarted = -1;

/// What the child's streams are to be, set up before it starts.
class Streams {
 public:
  Streams() { posix_spawn_file_actions_init(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }

  void input_from(int file) { posix_spawn_file_actions_adddup2(&actions_, file, STDIN_FILENO); }
  void silent() {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }

  pid_t spawn(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) {
      arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    pid_t child = kNotStarted;
    const std::string program = program_on_path(words.front());
    if (program.empty() ||
        posix_spawn(&child, program.c_str(), &actions_, nullptr, arguments.data(), environ) != 0) {
      return kNotStarted;
    }
    return child;
  }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// While it lives, a reader that goes away is a failed write and no end of this program.
class NoBrokenPipe {
 public:
  NoBrokenPipe() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;
  ~NoBrokenPipe() { std::signal(SIGPIPE, before_); }

 private:
  void (*before_)(int);
};

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) {
      return;  // whoever reads has seen enough
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::string program_on_path(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
  }
  const char* value = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): one thread
  std::string path(value == nullptr ? "/usr/local/bin:/usr/bin:/bin" : value);
  for (path.append(":"); !path.empty(); path.erase(0, path.find(':') + 1)) {
    const std::string folder = path.substr(0, path.find(':'));
    std::string candidate = folder;
    candidate.append("/").append(name);
    if (folder.starts_with('/') && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return {};
}

bool feed_program(const std::vector<std::string>& words, const std::string& input) {
  int ends[2] = {-1, -1};
  if (words.empty() || ::pipe2(ends, O_CLOEXEC) != 0) {
    return false;
  }
  Streams streams;
  streams.input_from(ends[0]);
  const pid_t child = streams.spawn(words);
  ::close(ends[0]);
  if (child != kNotStarted) {
    const NoBrokenPipe no_broken_pipe;
    write_all(ends[1], input);
  }
  ::close(ends[1]);
  if (child == kNotStarted) {
    return false;
  }
  wait_for(child);
  return true;
}

bool launch_program(const std::vector<std::string>& words) {
  constexpr std::chrono::milliseconds kPoll{20};
  constexpr int kPolls = 100;
  Streams streams;
  streams.silent();
  const pid_t child = words.empty() ? kNotStarted : streams.spawn(words);
  if (child == kNotStarted) {
    return false;
  }
  for (int poll = 0; poll < kPolls; ++poll) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

}  // namespace daybook::cli
