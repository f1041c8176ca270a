// SPDX-License-Identifier: MIT
#include "watched_program.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace daybook::bench {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr int kExitCannotRun = 127;

[[noreturn]] void become(const std::vector<std::string>& words, int out) {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);
  if (out >= 0) {
    ::dup2(out, STDOUT_FILENO);
  }
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  ::_exit(kExitCannotRun);
}

}  // namespace

double ms_since(SteadyClock::time_point begun) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - begun).count();
}

WatchedProgram::WatchedProgram(const std::vector<std::string>& words, int out)
    : process_(::fork()) {
  if (process_ == 0) {
    become(words, out);
  }
}

WatchedProgram::~WatchedProgram() {
  if (process_ > 0) {
    ::kill(process_, SIGCONT);
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
  }
}

void WatchedProgram::stand_still() const { ::kill(process_, SIGSTOP); }
void WatchedProgram::go_on() const { ::kill(process_, SIGCONT); }

double WatchedProgram::cpu_seconds() const {
  double nanoseconds = 0;
  const std::string tasks = "/proc/" + std::to_string(process_) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks)) {
    double running = 0;
    std::ifstream(task.path() / "schedstat") >> running;
    nanoseconds += running;
  }
  return nanoseconds / 1e9;
}

double WatchedProgram::megabytes(const std::string& field) const {
  std::ifstream status("/proc/" + std::to_string(process_) + "/status");
  for (std::string word; status >> word;) {
    if (word == field) {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024 / 1e6;
    }
  }
  return 0;
}

Ear::Ear(std::string path)
    : path_(std::move(path)), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  ::unlink(path_.c_str());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path_.copy(address.sun_path, sizeof address.sun_path - 1);
  const timeval patience{kPatience.count(), 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  usable_ = ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::setenv("NOTIFY_SOCKET", path_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
}

Ear::~Ear() {
  ::close(socket_);
  ::unlink(path_.c_str());
}

bool Ear::hears(std::string_view word) const {
  std::array<char, 512> message{};
  for (ssize_t size = 0; usable_ && size >= 0;) {
    size = ::recv(socket_, message.data(), message.size(), 0);
    if (size > 0 && std::string_view(message.data(), static_cast<std::size_t>(size)).find(word) !=
                        std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace daybook::bench
