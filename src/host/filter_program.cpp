// SPDX-License-Identifier: MIT
#include "daybook/host/filter_program.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/host/broken_pipe.hpp"
#include "daybook/host/child_program.hpp"
#include "host/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daybook::host {
namespace {

using base::Descriptor;
using std::chrono::milliseconds;
using Moment = std::chrono::steady_clock::time_point;

// An end of the program that no stream tells of is noticed this soon.
constexpr milliseconds kLook{20};

struct Pipe {
  Descriptor out;  // what is written into `in` is read here
  Descriptor in;
};

Result<Pipe> open_pipe() {
  std::array<int, 2> ends{-1, -1};
  // In one step: another thread may start a program at this moment.
#ifdef __linux__
  const int problem = ::pipe2(ends.data(), O_CLOEXEC);
#else
  const int problem = ::pipe(ends.data());
#endif
  if (problem != 0) {
    return base::system_error("cannot make a pipe", {}, errno);
  }
  for (const int end : ends) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

void never_wait_on(const Descriptor& file) {
  ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) | O_NONBLOCK);
}

/// Our own variables but for those that are given, and those.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string_view> names;
  names.reserve(variables.size());
  for (const std::string& variable : variables) {
    names.push_back(std::string_view(variable).substr(0, variable.find('=')));
  }
  std::vector<std::string> all = environment_without(names);
  all.insert(all.end(), variables.begin(), variables.end());
  return all;
}

/// The child and both streams. Whatever happens, it has ended and is reaped with this.
class Running {
 public:
  Running(pid_t child, Descriptor input, Descriptor output)
      : child_(child), input_(std::move(input)), output_(std::move(output)) {
    never_wait_on(input_);
    never_wait_on(output_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    if (!reaped_) {
      // Not reaped yet, so the number of its group cannot have been given to anybody else.
      ::kill(-child_, SIGKILL);
      ::kill(child_, SIGKILL);
      reap();
    }
  }

  enum class Step { goes_on, ended, too_much };

  /// Moves what can be moved, waiting for at most `most`.
  Step step(std::string_view& input, std::string& out, std::size_t most_output, milliseconds most) {
    std::array<pollfd, 2> waiting{pollfd{input_.get(), POLLOUT, 0},
                                  pollfd{output_.get(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), static_cast<int>(most.count()));
    // Asked before reading: what it wrote before its end is then certainly read.
    const bool ended = has_ended();
    if (waiting[0].revents != 0) {
      feed(input);
    }
    if (!take(out, most_output)) {
      return Step::too_much;
    }
    return ended ? Step::ended : Step::goes_on;
  }

  int reap() {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    return status;
  }

 private:
  bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }

  void feed(std::string_view& input) {
    const ssize_t count = ::write(input_.get(), input.data(), input.size());
    if (count >= 0) {
      input.remove_prefix(static_cast<std::size_t>(count));
    }
    const bool refused = count < 0 && errno != EAGAIN && errno != EINTR;
    if (input.empty() || refused) {
      input_.close();  // all said, or it has heard enough
    }
  }

  /// Everything that is there now. False: more than is wanted.
  bool take(std::string& out, std::size_t most_output) {
    std::array<char, 16'384> buffer{};
    while (output_) {
      const ssize_t count = ::read(output_.get(), buffer.data(), buffer.size());
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return true;
      }
      if (count <= 0) {
        output_.close();
        return true;
      }
      out.append(buffer.data(), static_cast<std::size_t>(count));
      if (out.size() > most_output) {
        return false;
      }
    }
    return true;
  }

  pid_t child_;
  Descriptor input_;
  Descriptor output_;
  bool reaped_ = false;
};

Error too_slow(const FilterProgram& program) {
  return {ErrorKind::busy,
          "'" + program.words.front() + "' did not end within " +
              std::to_string(program.most_time.count()) + " ms and was killed",
          {},
          "Give it more time, or see by hand what it waits for."};
}

Error too_much(const FilterProgram& program) {
  return {ErrorKind::io,
          "'" + program.words.front() + "' said more than " +
              std::to_string(program.most_output / 1024) + " KiB and was killed",
          {},
          "It must write its answer to standard output, and nothing else."};
}

Result<FilterAnswer> converse(Running& running,
                              const FilterProgram& program,
                              std::string_view input) {
  const Moment deadline = std::chrono::steady_clock::now() + program.most_time;
  FilterAnswer answer;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      return too_slow(program);
    }
    const auto step = running.step(input, answer.out, program.most_output, std::min(left, kLook));
    if (step == Running::Step::too_much) {
      return too_much(program);
    }
    if (step == Running::Step::ended) {
      const int status = running.reap();
      answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      return answer;
    }
  }
}

}  // namespace

Result<FilterAnswer> run_filter(const FilterProgram& program, std::string_view input) {
  const std::string name = program.words.empty() ? std::string() : program.words.front();
  const std::string path = program_on_path(name);
  if (path.empty()) {
    return Error{ErrorKind::not_found,
                 "there is no program '" + name + "'",
                 {},
                 "Give its full path, or the name of one on PATH."};
  }
  TRY_ASSIGN(Pipe to_it, open_pipe());
  TRY_ASSIGN(Pipe from_it, open_pipe());
  Spawn spawn;
  spawn.silent();
  spawn.input_from(to_it.out.get());
  spawn.output_to(from_it.in.get());
  spawn.close_all_others();
  spawn.own_session();
  spawn.set_environment(environment_with(program.variables));
  TRY_ASSIGN(const pid_t child, spawn.start(path, program.words));
  to_it.out.close();
  from_it.in.close();
  const NoBrokenPipe no_broken_pipe;
  Running running(child, std::move(to_it.in), std::move(from_it.out));
  return converse(running, program, input);
}

}  // namespace daybook::host
