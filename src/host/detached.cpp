// SPDX-License-Identifier: MIT
#include "daybook/host/detached.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/host/log_tail.hpp"
#include "daybook/host/this_program.hpp"
#include "host/ready_socket.hpp"
#include "host/spawn.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace daybook::host {
namespace {

using base::Descriptor;
using Milliseconds = std::chrono::milliseconds;
using Moment = std::chrono::steady_clock::time_point;

constexpr Milliseconds kPoll{20};
constexpr Milliseconds kMercy{2000};  // between being asked to end and being ended
constexpr std::size_t kShownLines = 10;

struct Log {
  Descriptor file;
  std::uint64_t begin = 0;  // what was there before belongs to others
};

/// What has grown too large is kept once more under another name, in the place of the one before.
void begin_large_log_anew(const std::string& path) {
  constexpr off_t kLargest = off_t{1} << 20;
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > kLargest) {
    // If it fails the log grows on: no reason not to start.
    static_cast<void>(::rename(path.c_str(), std::string(path).append(".1").c_str()));
  }
}

Result<Log> open_log(const std::string& path) {
  constexpr mode_t kPrivate = 0600;
  begin_large_log_anew(path);
  Log log{Descriptor(::open(path.c_str(),
                            O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                            kPrivate)),
          0};
  struct stat facts {};
  if (log.file.get() < 0 || ::fstat(log.file.get(), &facts) != 0) {
    return base::system_error("cannot open the log of the new process", path, errno);
  }
  if (!S_ISREG(facts.st_mode)) {
    return Error{ErrorKind::not_regular, "the log of the new process is no file", path, {}};
  }
  ::fchmod(log.file.get(), kPrivate);
  ::fcntl(log.file.get(), F_SETFL, O_APPEND);  // blocking again
  log.begin = static_cast<std::uint64_t>(facts.st_size);
  return log;
}

/// Its end as waitpid tells it; nothing while it runs.
std::optional<int> end_of(pid_t child) {
  int status = 0;
  const pid_t ended = ::waitpid(child, &status, WNOHANG);
  return ended == child || (ended < 0 && errno == ECHILD) ? std::optional(status) : std::nullopt;
}

/// Asks the child and its own children to end, and ends them if they do not.
void end_child(pid_t child) {
  ::kill(-child, SIGTERM);
  const Moment deadline = std::chrono::steady_clock::now() + kMercy;
  while (std::chrono::steady_clock::now() < deadline) {
    if (end_of(child)) {
      return;
    }
    std::this_thread::sleep_for(kPoll);
  }
  ::kill(-child, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// The kind whose exit code this is at the edge: the child is this same program.
ErrorKind kind_of_exit(int code) {
  switch (code) {
    case 2:
      return ErrorKind::usage;
    case 3:
      return ErrorKind::busy;
    case 4:
      return ErrorKind::no_workspace;
    default:
      return ErrorKind::io;
  }
}

std::string log_words(const std::string& path, std::uint64_t begin) {
  const auto lines = log_tail(path, kShownLines, begin);
  if (!lines || lines->empty()) {
    return "It has logged nothing.";
  }
  std::string words = "The end of its log:";
  for (const std::string& line : *lines) {
    words.append("\n    ").append(line);
  }
  return words;
}

Error ended_early(int status, const std::string& path, std::uint64_t begin) {
  const bool exited = WIFEXITED(status);
  const std::string how = exited ? "exit code " + std::to_string(WEXITSTATUS(status))
                                 : "signal " + std::to_string(WTERMSIG(status));
  return {exited ? kind_of_exit(WEXITSTATUS(status)) : ErrorKind::io,
          "the new process ended before it was ready (" + how + ")",
          path,
          log_words(path, begin)};
}

Error not_ready(Milliseconds wait, const std::string& path, std::uint64_t begin) {
  return {ErrorKind::io,
          "the new process was not ready after " + std::to_string(wait.count()) +
              " ms and was ended again",
          path,
          log_words(path, begin)};
}

/// The watchdog and the journal of whoever started us are not the child's.
std::vector<std::string> environment_with(const std::string& notify_socket) {
  std::vector<std::string> all = environment_without(
      {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM", "INVOCATION_ID"});
  all.push_back("NOTIFY_SOCKET=" + notify_socket);
  return all;
}

Result<pid_t> spawn_in_background(const std::vector<std::string>& arguments,
                                  const Log& log,
                                  const std::string& notify_socket) {
  TRY_ASSIGN(const std::string program, this_program_now());
  std::vector<std::string> words{"daybook"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Spawn spawn;
  spawn.own_session();
  spawn.start_in("/");
  spawn.input_from_nowhere();
  spawn.output_to(log.file.get());
  spawn.errors_to(log.file.get());
  spawn.close_all_others();
  spawn.set_environment(environment_with(notify_socket));
  return spawn.start(program, words);
}

}  // namespace

Result<pid_t> start_detached(const std::vector<std::string>& arguments,
                             const std::string& log_path,
                             std::chrono::milliseconds wait) {
  TRY_ASSIGN(const Log log, open_log(log_path));
  TRY_ASSIGN(ReadySocket ready, ReadySocket::open());
  TRY_ASSIGN(const pid_t child, spawn_in_background(arguments, log, ready.path()));
  const Moment deadline = std::chrono::steady_clock::now() + wait;
  for (;;) {
    if (ready.heard_ready(kPoll)) {
      return child;
    }
    if (const auto status = end_of(child)) {
      return ended_early(*status, log_path, log.begin);
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      end_child(child);
      return not_ready(wait, log_path, log.begin);
    }
  }
}

Result<void> end_process(pid_t process,
                         const std::function<bool()>& is_gone,
                         std::chrono::milliseconds most) {
  if (process <= 1 || (::kill(process, SIGTERM) != 0 && errno != ESRCH)) {
    return base::system_error(
        "cannot end the process " + std::to_string(process), {}, process <= 1 ? EINVAL : errno);
  }
  const Moment deadline = std::chrono::steady_clock::now() + most;
  while (!is_gone()) {
    if (std::chrono::steady_clock::now() >= deadline) {
      return Error{ErrorKind::busy,
                   "the process " + std::to_string(process) + " has not ended after " +
                       std::to_string(most.count()) + " ms",
                   {},
                   "If it hangs, 'kill -9 " + std::to_string(process) +
                       "' ends it; no file is "
                       "harmed."};
    }
    std::this_thread::sleep_for(kPoll);
  }
  return {};
}

}  // namespace daybook::host
