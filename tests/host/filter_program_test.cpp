// SPDX-License-Identifier: MIT
#include "daybook/host/filter_program.hpp"

#include "support/alive.hpp"
#include "support/eventually.hpp"
#include "support/outcome.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace daybook::host {
namespace {

using support::eventually;
using support::outcome_of;
using support::TempFolder;
using namespace std::chrono_literals;

FilterProgram shell(const std::string& script, std::chrono::milliseconds most = 60s) {
  FilterProgram program;
  program.words = {"sh", "-c", script};
  program.most_time = most;
  return program;
}

bool is_running(const std::string& pid) {
  return !pid.empty() && support::is_alive(static_cast<pid_t>(std::stol(pid)));
}

}  // namespace

TEST_CASE("a filter's input is its text, and its output the answer") {
  const auto answer = run_filter(shell("tr a-z A-Z; exit 3"), "one line\nand another");
  REQUIRE(answer.ok());
  CHECK(answer->out == "ONE LINE\nAND ANOTHER");
  CHECK(answer->exit_code == 3);
  CHECK_FALSE(answer->ok());
}

TEST_CASE("a filter takes more than a pipe holds, both ways at once") {
  const std::string large(3'000'000, 'x');
  FilterProgram program;
  program.words = {"cat"};
  program.most_output = 4'000'000;
  const auto answer = run_filter(program, large);
  REQUIRE(answer.ok());
  CHECK(answer->out == large);
}

TEST_CASE("a filter that does not read its input is heard all the same") {
  const std::string large(3'000'000, 'x');
  const auto answer = run_filter(shell("exec <&-; echo done"), large);
  REQUIRE(answer.ok());
  CHECK(answer->out == "done\n");
}

TEST_CASE("words reach a filter as they are: no shell reads them") {
  FilterProgram program;
  program.words = {"printf", "%s|", "$HOME `id` ; 'x y'"};
  const auto answer = run_filter(program, "");
  REQUIRE(answer.ok());
  CHECK(answer->out == "$HOME `id` ; 'x y'|");
}

TEST_CASE("a filter sees this program's variables and the given ones instead of its own") {
  ::setenv("DAYBOOK_TEST_KEPT", "kept", 1);
  ::setenv("DAYBOOK_TEST_GIVEN", "old", 1);
  FilterProgram program =
      shell("echo $DAYBOOK_TEST_KEPT $DAYBOOK_TEST_GIVEN; env | grep -c _GIVEN");
  program.variables = {"DAYBOOK_TEST_GIVEN=new"};
  const auto answer = run_filter(program, "");
  ::unsetenv("DAYBOOK_TEST_KEPT");
  ::unsetenv("DAYBOOK_TEST_GIVEN");
  REQUIRE(answer.ok());
  CHECK(answer->out == "kept new\n1\n");
}

TEST_CASE("a filter that never ends is killed with everything that it started") {
  const TempFolder folder;
  const std::string pid_file = folder.at("pid");
  const auto answer =
      run_filter(shell("sleep 600 & echo $! > " + pid_file + "; sleep 600", 2s), "text");
  CHECK(outcome_of(answer) == "another kind");
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().kind == ErrorKind::busy);
  CHECK(answer.error().message == "'sh' did not end within 2000 ms and was killed");
  REQUIRE(std::filesystem::exists(pid_file));
  const std::string pid = folder.read("pid");
  CHECK(eventually([&pid] { return !is_running(pid); }));
}

TEST_CASE("a filter that says too much is killed at once") {
  FilterProgram program = shell("exec yes");
  program.most_output = 100'000;
  const auto answer = run_filter(program, "");
  CHECK(outcome_of(answer) == "io");
  CHECK(answer.error().message == "'sh' said more than 97 KiB and was killed");
}

TEST_CASE("a filter that leaves a child with its output open is not waited for") {
  const TempFolder folder;
  const auto answer =
      run_filter(shell("sleep 600 & echo $! > " + folder.at("pid") + "; echo done"), "");
  REQUIRE(answer.ok());
  CHECK(answer->out == "done\n");
  const std::string pid = folder.read("pid");
  CHECK(is_running(pid));  // it may be a server that was started on purpose
  ::kill(static_cast<pid_t>(std::stol(pid)), SIGKILL);
}

TEST_CASE("a filter has no terminal, and what it says to stderr goes nowhere") {
  const auto answer = run_filter(
      shell("echo hidden >&2; if (: < /dev/tty) 2>/dev/null; then echo tty; else echo none; fi"),
      "");
  REQUIRE(answer.ok());
  CHECK(answer->out == "none\n");
}

TEST_CASE("a filter ended by a signal is no success, and one that is not there is named") {
  const auto ended = run_filter(shell("kill -9 $$"), "");
  REQUIRE(ended.ok());
  CHECK(ended->exit_code == -1);
  FilterProgram missing;
  missing.words = {"daybook-no-such-program"};
  const auto answer = run_filter(missing, "");
  CHECK(outcome_of(answer) == "not_found");
  CHECK(answer.error().message == "there is no program 'daybook-no-such-program'");
  CHECK(outcome_of(run_filter({}, "")) == "not_found");
}

}  // namespace daybook::host
