// SPDX-License-Identifier: MIT
#include "support/program.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <grp.h>
#include <stdexcept>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace daybook::support {
namespace {

// A program that hangs is ended. Sanitizers slow down whoever waits for it, too.
constexpr unsigned kPatienceSeconds = 60;
constexpr unsigned kPatienceSanitized = 240;
constexpr uid_t kNobody = 65534;
constexpr const char* kPath = "/usr/local/bin:/usr/bin:/bin";

class Descriptor {
 public:
  explicit Descriptor(int fd, const std::string& what) : fd_(fd) {
    if (fd < 0) {
      throw std::runtime_error("cannot open " + what);
    }
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// A file without a name: a program never blocks on it, however much it writes.
int nameless_file() {
  std::string pattern = "/tmp/daybook-output-XXXXXX";
  const int fd = ::mkostemp(pattern.data(), O_CLOEXEC);
  ::unlink(pattern.c_str());
  return fd;
}

int open_terminal() {
  const int fd = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0 && (::grantpt(fd) != 0 || ::unlockpt(fd) != 0)) {
    ::close(fd);
    return -1;
  }
  return fd;
}

int open_other_end(int terminal) {
  const char* name = ::ptsname(terminal);  // NOLINT(concurrency-mt-unsafe): one thread
  const int fd = name == nullptr ? -1 : ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  if (fd >= 0 && ::tcgetattr(fd, &settings) == 0) {
    settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);  // LF stays LF
    ::tcsetattr(fd, TCSANOW, &settings);
  }
  return fd;
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 8192> buffer{};
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {  // a terminal whose other end is closed answers EIO
      return text;
    }
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> all = program.environment;
  const auto add_unless_given = [&all](const std::string& name, const std::string& value) {
    for (const std::string& given : all) {
      if (given.starts_with(name + "=")) {
        return;
      }
    }
    all.push_back(name + "=" + value);
  };
  add_unless_given("HOME", "/nonexistent");
  add_unless_given("PATH", kPath);
  add_unless_given("TERM", "dumb");
  add_unless_given("LC_ALL", "C.UTF-8");
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    // Their own exit code could be taken for one of the program's.
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
    add_unless_given(name, (value == nullptr ? "" : std::string(value) + ":") + "exitcode=99");
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// For good: a program could take back an effective id.
bool become_nobody() {
  return ::geteuid() != 0 ||
         (::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
          ::setresuid(kNobody, kNobody, kNobody) == 0);
}

struct Handles {
  int program;  // opened beforehand: nobody may not be able to reach its path
  int out;
  int err;
  sigset_t signals{};  // those blocked before the fork
};

[[noreturn]] void be_the_child(const Program& program,
                               const Handles& handles,
                               char* const* arguments,
                               char* const* environment) {
  for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGINT, SIGTERM, SIGPIPE, SIGQUIT}) {
    ::signal(number, SIG_DFL);
  }
  ::sigprocmask(SIG_SETMASK, &handles.signals, nullptr);
  ::setpgid(0, 0);  // a signal to it and its children does not reach the test
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int input = ::open(program.stdin_file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool ready = ::dup2(input, STDIN_FILENO) >= 0 && ::dup2(handles.out, STDOUT_FILENO) >= 0 &&
                     ::dup2(handles.err, STDERR_FILENO) >= 0 &&
                     ::chdir(program.folder.c_str()) == 0 &&
                     (!program.unprivileged || become_nobody());
  if (ready) {
    const unsigned usual = is_sanitized() ? kPatienceSanitized : kPatienceSeconds;
    ::alarm(program.patience_seconds == 0 ? usual : program.patience_seconds);
    ::fexecve(handles.program, arguments, environment);
  }
  ::_exit(127);
}

void await(pid_t child, ProgramOutcome& outcome) {
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) {
    outcome.exit_code = WEXITSTATUS(status);
  } else if (WIFSIGNALED(status)) {
    outcome.signal = WTERMSIG(status);
  }
  outcome.cpu_ms = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
                   (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
  outcome.peak_kb = usage.ru_maxrss;
}

pid_t start(const Program& program, Handles handles) {
  std::vector<std::string> arguments = program.command;
  std::vector<std::string> environment = environment_of(program);
  const std::vector<char*> argument_list = pointers_to(arguments);
  const std::vector<char*> environment_list = pointers_to(environment);
  // No signal may meet Catch2's handlers in the child.
  sigset_t all{};
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &handles.signals);
  const pid_t child = ::fork();
  if (child == 0) {
    be_the_child(program, handles, argument_list.data(), environment_list.data());
  }
  ::sigprocmask(SIG_SETMASK, &handles.signals, nullptr);
  if (child < 0) {
    throw std::runtime_error("no child");
  }
  ::setpgid(child, child);  // here, too: whoever is first
  if (program.meanwhile) {
    program.meanwhile(child);
  }
  return child;
}

ProgramOutcome run_on_terminal(const Program& program, int executable) {
  ProgramOutcome outcome;
  const Descriptor terminal(open_terminal(), "a pseudo-terminal");
  pid_t child = 0;
  {
    const Descriptor other(open_other_end(terminal.get()), "the other end of a pseudo-terminal");
    child = start(program, {executable, other.get(), other.get()});
  }
  outcome.out = read_all(terminal.get());
  await(child, outcome);
  return outcome;
}

}  // namespace

ProgramOutcome run(const Program& program) {
  const Descriptor executable(::open(program.command.at(0).c_str(), O_PATH | O_CLOEXEC),
                              program.command.at(0));
  if (program.on_terminal) {
    return run_on_terminal(program, executable.get());
  }
  const Descriptor out(program.stdout_file.empty()
                           ? nameless_file()
                           : ::open(program.stdout_file.c_str(), O_WRONLY | O_CLOEXEC),
                       "a file for stdout");
  const Descriptor err(nameless_file(), "a file for stderr");
  ProgramOutcome outcome;
  await(start(program, {executable.get(), out.get(), err.get()}), outcome);
  if (program.stdout_file.empty()) {
    ::lseek(out.get(), 0, SEEK_SET);
    outcome.out = read_all(out.get());
  }
  ::lseek(err.get(), 0, SEEK_SET);
  outcome.err = read_all(err.get());
  return outcome;
}

std::vector<std::string> on_vault(const std::string& workspace,
                                  const std::string& state,
                                  const std::vector<std::string>& words,
                                  const std::string& now) {
  std::vector<std::string> all{"--workspace", workspace, "--state-dir", state, "--now", now};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Program traced(Program program, const std::string& calls, const std::string& log) {
  const std::vector<std::string> before{
      find_program("strace"), "-f", "-qq", "-y", "-s", "4096", "-e", "trace=" + calls, "-o", log};
  program.command.insert(program.command.begin(), before.begin(), before.end());
  // Leaks cannot be looked for under strace.
  program.environment.emplace_back("ASAN_OPTIONS=detect_leaks=0:exitcode=99");
  return program;
}

bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

std::string find_program(const std::string& name) {
  std::string_view path = kPath;
  while (!path.empty()) {
    const std::size_t colon = std::min(path.find(':'), path.size());
    const std::string candidate = std::string(path.substr(0, colon)) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    path.remove_prefix(std::min(colon + 1, path.size()));
  }
  return {};
}

}  // namespace daybook::support
