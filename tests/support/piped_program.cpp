// SPDX-License-Identifier: MIT
#include "support/piped_program.hpp"

#include "support/eventually.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace daybook::support {
namespace {

constexpr int kPatienceMs = 60'000;
constexpr unsigned kPatienceSeconds = 240;

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

void close_once(int& file) {
  if (file >= 0) {
    ::close(file);
    file = -1;
  }
}

}  // namespace

PipedProgram::PipedProgram(const std::vector<std::string>& command,
                           const std::vector<std::string>& environment,
                           const std::string& errors) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  std::vector<std::string> words = command;
  std::vector<std::string> variables = environment;
  const auto arguments = pointers_to(words);
  const auto all_variables = pointers_to(variables);
  child_ = ::fork();
  if (child_ == 0) {
    for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGINT, SIGTERM, SIGPIPE}) {
      ::signal(number, SIG_DFL);
    }
    const int log = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::alarm(kPatienceSeconds);
    ::execve(arguments.front(), arguments.data(), all_variables.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
  ::fcntl(input_, F_SETFL, O_NONBLOCK);
}

PipedProgram::~PipedProgram() {
  close_once(input_);
  close_once(output_);
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
}

bool PipedProgram::send(std::string_view bytes) const {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  bool sent = true;
  while (sent && !bytes.empty()) {
    pollfd ready{input_, POLLOUT, 0};
    sent = ::poll(&ready, 1, kPatienceMs) > 0;
    const ssize_t count = sent ? ::write(input_, bytes.data(), bytes.size()) : 0;
    sent = sent && (count >= 0 || errno == EAGAIN || errno == EINTR);
    bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  ::sigaction(SIGPIPE, &before, nullptr);
  return sent;
}

bool PipedProgram::read_more(int timeout_ms) {
  pollfd ready{output_, POLLIN, 0};
  if (::poll(&ready, 1, timeout_ms) <= 0) {
    return false;
  }
  std::array<char, 65536> piece{};
  const ssize_t count = ::read(output_, piece.data(), piece.size());
  if (count <= 0) {
    return false;
  }
  read_.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> PipedProgram::line() {
  std::size_t looked = 0;
  while (true) {
    const std::size_t end = read_.find('\n', looked);
    if (end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    looked = read_.size();
    if (!read_more(kPatienceMs)) {
      return std::nullopt;
    }
  }
}

void PipedProgram::close_input() { close_once(input_); }

void PipedProgram::close_output() { close_once(output_); }

std::string PipedProgram::rest() {
  while (read_more(kPatienceMs)) {
  }
  return std::exchange(read_, {});
}

int PipedProgram::wait() {
  int status = 0;
  const bool ended = eventually([&] { return ::waitpid(child_, &status, WNOHANG) == child_; });
  if (!ended) {
    return -1;
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace daybook::support
