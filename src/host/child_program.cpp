// SPDX-License-Identifier: MIT
#include "daybook/host/child_program.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/host/broken_pipe.hpp"
#include "host/spawn.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace daybook::host {
namespace {

using base::Descriptor;
using Moment = std::chrono::steady_clock::time_point;

constexpr std::chrono::milliseconds kPoll{20};
constexpr int kSignalled = 128;  // what a shell adds to the number of the signal

/// Both ends closed when another program is started.
struct Pipe {
  Descriptor out;  // what is written into `in` is read here
  Descriptor in;
};

Result<Pipe> open_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe(ends.data()) != 0) {
    return base::system_error("cannot make a pipe", {}, errno);
  }
  for (const int end : ends) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

Result<pid_t> start(Spawn& spawn, const std::vector<std::string>& words) {
  const std::string program = words.empty() ? std::string() : program_on_path(words.front());
  if (program.empty()) {
    return Error{
        ErrorKind::not_found,
        "there is no program '" + (words.empty() ? std::string() : words.front()) + "' on PATH",
        {},
        {}};
  }
  return spawn.start(program, words);
}

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

/// False: nothing more will come.
bool read_some(int file, std::string& text) {
  constexpr std::size_t kMostBytes = 1U << 20U;
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(file, buffer.data(), buffer.size());
  if (count > 0 && text.size() < kMostBytes) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Reads both streams until they are closed. False: the time is up.
bool hear_out(Pipe& out, Pipe& err, ProgramAnswer& answer, Moment deadline) {
  while (out.out.get() >= 0 || err.out.get() >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      return false;
    }
    std::array<pollfd, 2> waiting{pollfd{out.out.get(), POLLIN, 0},
                                  pollfd{err.out.get(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), static_cast<int>(left.count()));
    if (waiting[0].revents != 0 && !read_some(out.out.get(), answer.out)) {
      out.out.close();
    }
    if (waiting[1].revents != 0 && !read_some(err.out.get(), answer.err)) {
      err.out.close();
    }
  }
  return true;
}

/// Its end; nothing: the time is up.
std::optional<int> end_until(pid_t child, Moment deadline) {
  for (;;) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      return status;
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      return std::nullopt;
    }
    std::this_thread::sleep_for(kPoll);
  }
}

}  // namespace

std::string program_on_path(const std::string& name) {
  if (name.empty()) {
    return {};
  }
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
  auto pipe = open_pipe();
  if (!pipe) {
    return false;
  }
  Spawn spawn;
  spawn.input_from(pipe->out.get());
  const auto child = start(spawn, words);
  pipe->out.close();
  if (!child) {
    return false;
  }
  {
    const NoBrokenPipe no_broken_pipe;
    write_all(pipe->in.get(), input);
  }
  pipe->in.close();
  wait_for(*child);
  return true;
}

bool launch_program(const std::vector<std::string>& words) {
  constexpr std::chrono::seconds kPatience{2};
  Spawn spawn;
  spawn.silent();
  const auto child = start(spawn, words);
  if (!child) {
    return false;
  }
  const auto status = end_until(*child, std::chrono::steady_clock::now() + kPatience);
  return !status || (WIFEXITED(*status) && WEXITSTATUS(*status) == 0);
}

Result<ProgramAnswer> ask_program(const std::vector<std::string>& words,
                                  std::chrono::milliseconds most) {
  TRY_ASSIGN(Pipe out, open_pipe());
  TRY_ASSIGN(Pipe err, open_pipe());
  Spawn spawn;
  spawn.input_from_nowhere();
  spawn.output_to(out.in.get());
  spawn.errors_to(err.in.get());
  TRY_ASSIGN(const pid_t child, start(spawn, words));
  out.in.close();
  err.in.close();
  const Moment deadline = std::chrono::steady_clock::now() + most;
  ProgramAnswer answer;
  const bool heard = hear_out(out, err, answer, deadline);
  const auto status = heard ? end_until(child, deadline) : std::nullopt;
  if (!status) {
    ::kill(child, SIGKILL);
    wait_for(child);
    return Error{ErrorKind::io,
                 "'" + words.front() + "' did not answer within " +
                     std::to_string(most.count() / 1000) + " s and was ended",
                 {},
                 {}};
  }
  answer.exit_code = WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
  return answer;
}

Result<int> show_program(const std::vector<std::string>& words) {
  Spawn spawn;
  TRY_ASSIGN(const pid_t child, start(spawn, words));
  const int status = wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
}

}  // namespace daybook::host
