// SPDX-License-Identifier: MIT
//
// A process in the background. The program that start_detached starts is this test program, told to
// run one of the hidden cases at the end of this file.
#include "daybook/host/detached.hpp"

#include "daybook/host/notify_socket.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace daybook::host {
namespace {

using support::TempFolder;
using namespace std::chrono_literals;

constexpr auto kPatience = 30s;

/// Ends the child however the test ends, and waits for it.
class Background {
 public:
  explicit Background(pid_t pid) : pid_(pid) {}
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

Result<pid_t> start(const std::string& hidden_case,
                    const TempFolder& folder,
                    std::chrono::milliseconds wait = kPatience) {
  return start_detached({hidden_case, "--out", "/dev/null"}, folder.at("log"), wait);
}

std::string link_of(pid_t pid, const std::string& name) {
  std::error_code trouble;
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/" + name, trouble)
      .string();
}

/// For the hidden cases: as a daemon, without Catch2's own handlers.
void default_signals() {
  for (const int number : {SIGTERM, SIGABRT, SIGINT}) {
    ::signal(number, SIG_DFL);
  }
  ::alarm(60);  // nobody is left behind when the test itself is killed
}

}  // namespace

TEST_CASE("a detached process is waited for until it says that it is ready") {
  const TempFolder folder;
  const auto started = start("child: is ready", folder);
  REQUIRE(started.ok());
  const Background child(*started);
  CHECK(::kill(child.pid(), 0) == 0);
  CHECK(::getsid(child.pid()) == child.pid());
  CHECK(link_of(child.pid(), "cwd") == "/");
  CHECK(link_of(child.pid(), "fd/0") == "/dev/null");
  CHECK(link_of(child.pid(), "fd/1") == folder.at("log"));
  CHECK(link_of(child.pid(), "fd/2") == folder.at("log"));
}

TEST_CASE("the log of a detached process is private and is only appended to") {
  const TempFolder folder;
  folder.write("log", "before\n");
  ::chmod(folder.at("log").c_str(), 0644);
  {
    const auto started = start("child: is ready", folder);
    REQUIRE(started.ok());
    const Background child(*started);
  }
  struct stat facts {};
  REQUIRE(::stat(folder.at("log").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777U) == 0600);
  CHECK(folder.read("log").starts_with("before\nabout to be ready\n"));
}

TEST_CASE("a log that has grown large begins anew, and the old one is kept once") {
  const TempFolder folder;
  const std::string large((std::size_t{1} << 20) + 1, 'x');
  folder.write("log.1", "the one before");
  folder.write("log", large);
  const auto pid = start("child: is ready", folder);
  REQUIRE(pid);
  const Background child(*pid);
  CHECK(folder.read("log.1") == large);
  CHECK(folder.read("log").size() < large.size());
}

TEST_CASE("a detached process inherits no file, no watchdog and no journal of its parent's") {
  const TempFolder folder;
  ::setenv("WATCHDOG_USEC", "1000000", 1);
  ::setenv("JOURNAL_STREAM", "1:2", 1);
  const int inheritable = ::open("/", O_RDONLY);
  const auto started = start("child: tells what it inherited", folder);
  ::close(inheritable);
  ::unsetenv("WATCHDOG_USEC");
  ::unsetenv("JOURNAL_STREAM");
  REQUIRE(started.ok());
  const Background child(*started);
  CHECK(link_of(child.pid(), "fd/" + std::to_string(inheritable)) != "/");
  CHECK(folder.read("log").starts_with("watchdog no, journal no\n"));
}

TEST_CASE("a detached process that ends early is an error of its own kind, with what it said") {
  const TempFolder folder;
  folder.write("log", "somebody else's line\n");
  const auto started = start("child: is busy", folder);
  REQUIRE(!started.ok());
  CHECK(started.error().kind == ErrorKind::busy);
  CHECK(started.error().message == "the new process ended before it was ready (exit code 3)");
  CHECK(started.error().path == folder.at("log"));
  CHECK(started.error().hint == "The end of its log:\n    first line\n    held by \\x1b[31mpid 7");
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // no zombie is left
}

TEST_CASE("a detached process that a signal ends early is told as such") {
  const TempFolder folder;
  const auto started = start("child: dies", folder);
  REQUIRE(!started.ok());
  CHECK(started.error().kind == ErrorKind::io);
  CHECK(started.error().message == "the new process ended before it was ready (signal 9)");
  CHECK(started.error().hint == "It has logged nothing.");
}

TEST_CASE("a detached process that is never ready is ended again, even if it will not go") {
  const TempFolder folder;
  // Long enough for it to begin on a busy machine: it must have become deaf.
  const auto started = start("child: is never ready", folder, 2500ms);
  REQUIRE(!started.ok());
  CHECK(started.error().message ==
        "the new process was not ready after 2500 ms and was ended again");
  CHECK(started.error().hint == "The end of its log:\n    deaf to SIGTERM");
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("without a place for the log nothing is started") {
  const TempFolder folder;
  folder.make_link("link", folder.at("elsewhere"));
  folder.make_pipe("pipe");
  CHECK(start_detached({"child: is ready"}, folder.at("none/log"), kPatience).error().kind ==
        ErrorKind::not_found);
  CHECK(start_detached({"child: is ready"}, folder.at("link"), kPatience).error().kind ==
        ErrorKind::not_regular);
  CHECK(start_detached({"child: is ready"}, folder.at("pipe"), kPatience).error().kind ==
        ErrorKind::not_regular);
}

TEST_CASE("nothing of the handshake stays in the folder for temporary files") {
  const TempFolder folder;
  const TempFolder temporary;
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  const auto started = start("child: is ready", folder);
  ::unsetenv("TMPDIR");
  REQUIRE(started.ok());
  const Background child(*started);
  CHECK(temporary.names().empty());
}

TEST_CASE("a process that is asked to end is waited for, and not killed when it stays") {
  const TempFolder folder;
  const auto willing = start("child: is ready", folder);
  REQUIRE(willing.ok());
  const auto is_gone = [&] { return ::waitpid(*willing, nullptr, WNOHANG) != 0; };
  CHECK(end_process(*willing, is_gone, kPatience).ok());
  CHECK(end_process(
            *willing, [] { return true; }, kPatience)
            .ok());  // gone already

  const auto deaf = start("child: is deaf", folder);
  REQUIRE(deaf.ok());
  const Background child(*deaf);
  const auto outcome = end_process(
      *deaf, [] { return false; }, 50ms);
  REQUIRE(!outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::busy);
  CHECK(::kill(*deaf, 0) == 0);
  CHECK_FALSE(end_process(
                  1, [] { return true; }, 50ms)
                  .ok());
  CHECK_FALSE(end_process(
                  0, [] { return true; }, 50ms)
                  .ok());
}

// --- what the children do
// -------------------------------------------------------------------------

TEST_CASE("child: is ready", "[.]") {
  default_signals();
  std::cout << "about to be ready" << std::endl;
  Notifier notifier = Notifier::from_environment();
  notifier.status("not yet");
  notifier.ready("now");
  ::pause();
}

TEST_CASE("child: tells what it inherited", "[.]") {
  default_signals();
  std::cout << "watchdog " << (std::getenv("WATCHDOG_USEC") == nullptr ? "no" : "yes")
            << ", journal " << (std::getenv("JOURNAL_STREAM") == nullptr ? "no" : "yes")
            << std::endl;
  Notifier::from_environment().ready("now");
  ::pause();
}

TEST_CASE("child: is busy", "[.]") {
  std::cout << "first line\nheld by \x1b[31mpid 7" << std::endl;
  ::_exit(3);
}

TEST_CASE("child: is deaf", "[.]") {
  default_signals();
  ::signal(SIGTERM, SIG_IGN);
  Notifier::from_environment().ready("for nothing");
  for (;;) {
    ::pause();
  }
}

TEST_CASE("child: dies", "[.]") { ::raise(SIGKILL); }

TEST_CASE("child: is never ready", "[.]") {
  default_signals();
  ::signal(SIGTERM, SIG_IGN);
  std::cout << "deaf to SIGTERM" << std::endl;
  Notifier::from_environment().status("READY=0");
  for (;;) {
    ::pause();
  }
}

}  // namespace daybook::host
