// SPDX-License-Identifier: MIT
#include "daybook/host/child_program.hpp"

#include "support/outcome.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>

namespace daybook::host {
namespace {

using support::outcome_of;
using support::TempFolder;
using namespace std::chrono_literals;

constexpr auto kPatience = 30s;

}  // namespace

TEST_CASE("a program that is asked answers with both streams and its exit code") {
  const auto answer = ask_program({"sh", "-c", "echo out; echo err >&2; cat; exit 7"}, kPatience);
  REQUIRE(answer.ok());
  CHECK(answer->out == "out\n");
  CHECK(answer->err == "err\n");
  CHECK(answer->exit_code == 7);
  CHECK_FALSE(answer->ok());
}

TEST_CASE("words reach a program as they are: no shell reads them") {
  const auto answer = ask_program({"printf", "%s|", "$HOME `id` 'x y'\n", ""}, kPatience);
  REQUIRE(answer.ok());
  CHECK(answer->out == "$HOME `id` 'x y'\n||");
}

TEST_CASE("a program that says very much is heard out, and kept in part") {
  const auto answer = ask_program(
      {"sh", "-c", "head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2"}, kPatience);
  REQUIRE(answer.ok());
  CHECK(answer->ok());
  CHECK(answer->out.size() >= 1'000'000);
  CHECK(answer->out.size() < 1'100'000);
}

TEST_CASE("a program that never ends is ended") {
  const auto answer = ask_program({"sh", "-c", "exec sleep 60"}, 100ms);
  REQUIRE(!answer.ok());
  CHECK(answer.error().message == "'sh' did not answer within 0 s and was ended");
}

TEST_CASE("a program ended by a signal is no success") {
  const auto answer = ask_program({"sh", "-c", "kill -9 $$"}, kPatience);
  REQUIRE(answer.ok());
  CHECK(answer->exit_code == -1);
  CHECK_FALSE(answer->ok());
}

TEST_CASE("a program that is not there is named") {
  const auto answer = ask_program({"daybook-no-such-program"}, kPatience);
  CHECK(outcome_of(answer) == "not_found");
  CHECK(answer.error().message == "there is no program 'daybook-no-such-program' on PATH");
  CHECK(outcome_of(ask_program({}, kPatience)) == "not_found");
  const TempFolder folder;
  folder.write("text", "no program");
  CHECK(outcome_of(show_program({folder.at("text")})) == "not_found");
}

TEST_CASE("a program that is shown hands its exit code back") {
  CHECK(show_program({"sh", "-c", "exit 4"}).value() == 4);
  CHECK(show_program({"sh", "-c", "kill -15 $$"}).value() == 128 + 15);
}

}  // namespace daybook::host
