// SPDX-License-Identifier: MIT
#include "gauntlet/worker.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace daybook::gauntlet {
namespace {

void say(int pipe, const std::string& text) {
  std::string_view rest(text.c_str(), text.size() + 1);
  while (!rest.empty()) {
    const ssize_t count = ::write(pipe, rest.data(), rest.size());
    if (count <= 0) {
      ::_exit(1);  // nobody listens any more
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

Complaints run_one(Trials& trials, std::uint64_t number) {
  try {
    return trials.run(number);
  } catch (const Skipped&) {
    throw;
  } catch (const std::exception& error) {
    return {std::string("the trial itself fails: ") + error.what()};
  }
}

void work(const Row& row, const std::vector<std::uint64_t>& numbers, int pipe) {
  try {
    const std::unique_ptr<Trials> trials = row.open();
    for (const std::uint64_t number : numbers) {
      say(pipe, "begin " + std::to_string(number));
      for (const std::string& complaint : run_one(*trials, number)) {
        // A NUL ends a record; names and notes in a complaint may hold some.
        say(pipe, "complaint " + std::string(complaint.c_str()));
      }
      say(pipe, "end " + std::to_string(number));
    }
    for (const auto& [name, value] : trials->counts()) {
      say(pipe, "count " + name + " " + std::to_string(value));
    }
  } catch (const Skipped& reason) {
    say(pipe, std::string("skipped ") + reason.what());
  }
}

}  // namespace

Worker::Worker(const Row& row, std::vector<std::uint64_t> numbers, std::string folder)
    : folder_(std::move(folder)) {
  std::filesystem::create_directories(folder_);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  process_ = ::fork();
  if (process_ < 0) {
    throw std::runtime_error("no process");
  }
  if (process_ == 0) {
    ::setpgid(0, 0);
    ::signal(SIGINT, SIG_DFL);  // whoever started it ends it
    ::signal(SIGTERM, SIG_DFL);
    ::close(ends[0]);
    ::setenv("TMPDIR", folder_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): no thread yet
    int code = 0;
    try {
      work(row, numbers, ends[1]);
    } catch (const std::exception& error) {
      say(ends[1], std::string("complaint the row cannot begin: ") + error.what());
      code = 1;
    }
    std::_Exit(code);
  }
  // Here as well: who is ended before he has come to his own line would be in no group of that
  // name.
  ::setpgid(process_, process_);
  ::close(ends[1]);
  pipe_ = ends[0];
}

Worker::~Worker() {
  if (process_ > 0) {
    kill();
    ::waitpid(process_, nullptr, 0);
  }
  ::close(pipe_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void Worker::kill() const { ::kill(-process_, SIGKILL); }

bool Worker::read(std::vector<std::pair<std::string, std::string>>& records) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(pipe_, buffer.data(), buffer.size());
  if (count <= 0) {
    return false;
  }
  unread_.append(buffer.data(), static_cast<std::size_t>(count));
  for (std::size_t end = unread_.find('\0'); end != std::string::npos; end = unread_.find('\0')) {
    const std::string record = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    const std::size_t blank = record.find(' ');
    records.emplace_back(record.substr(0, blank), record.substr(blank + 1));
  }
  return true;
}

std::string Worker::end() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  if (WIFEXITED(status)) {
    return WEXITSTATUS(status) == 0 ? "" : "exit " + std::to_string(WEXITSTATUS(status));
  }
  return "signal " + std::to_string(WTERMSIG(status));
}

}  // namespace daybook::gauntlet
