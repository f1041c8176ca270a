// SPDX-License-Identifier: MIT
#include "daybook/model/model.hpp"
#include "support/alive.hpp"
#include "support/eventually.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <string>

namespace daybook::model {
namespace {

using support::TempFolder;
using namespace std::chrono_literals;

const Prompt kPrompt{"Say one sentence.", "What was done."};

/// A real script in a folder of its own.
class Script {
 public:
  explicit Script(const std::string& text) {
    folder_.write("model", "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(folder_.at("model"), std::filesystem::perms::owner_all);
  }

  Result<std::string> ask(std::chrono::milliseconds timeout = 60s) const {
    return command_model({{folder_.at("model"), "a word"}, timeout})->answer(kPrompt);
  }
  std::string failure(std::chrono::milliseconds timeout = 60s) const {
    const auto answer = ask(timeout);
    return answer.ok() ? "" : answer.error().message + " / " + answer.error().hint;
  }
  std::string left(const std::string& name) const { return folder_.read(name); }

 private:
  TempFolder folder_;
};

}  // namespace

TEST_CASE("a command gets instructions and text on its input, and its output is the answer") {
  const auto answer = Script("cat; echo \"[$1]\"").ask();
  REQUIRE(answer.ok());
  CHECK(*answer == "Say one sentence.\n\nWhat was done.\n[a word]\n");
}

TEST_CASE("a command sees DAYBOOK_INHIBIT, so that its own hooks do nothing") {
  const auto answer = Script("echo \"$DAYBOOK_INHIBIT\"").ask();
  REQUIRE(answer.ok());
  CHECK(*answer == "1\n");
}

TEST_CASE("a command that fails is a failure, whatever it said") {
  const std::string failure = Script("echo 'A fine sentence.'; exit 1").failure();
  CHECK_THAT(failure, Catch::Contains("ended with exit code 1"));
  CHECK_THAT(failure, Catch::Contains("by hand"));
  CHECK_THAT(failure, !Catch::Contains("A fine sentence"));
  CHECK_THAT(Script("kill -9 $$").failure(), Catch::Contains("was ended by a signal"));
}

TEST_CASE("a command that says nothing has answered with nothing") {
  const auto answer = Script("exit 0").ask();
  REQUIRE(answer.ok());
  CHECK(answer->empty());
}

TEST_CASE("a command that sleeps beyond its time is killed with its children") {
  const Script script("sleep 600 & echo $! > \"$(dirname \"$0\")/pid\"; wait");
  CHECK_THAT(script.failure(2s), Catch::Contains("did not end within 2000 ms"));
  const auto pid = static_cast<pid_t>(std::stol(script.left("pid")));
  CHECK(support::eventually([pid] { return !support::is_alive(pid); }));
}

TEST_CASE("a command that speaks without end is killed") {
  CHECK_THAT(Script("exec yes").failure(), Catch::Contains("said more than 256 KiB"));
}

TEST_CASE("a command that is not there is named") {
  const auto answer = command_model({{"daybook-no-such-model"}, 60s})->answer(kPrompt);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().kind == ErrorKind::not_found);
  CHECK(answer.error().message ==
        "asking the model's command: there is no program 'daybook-no-such-model'");
  CHECK_FALSE(command_model({})->answer(kPrompt).ok());
  CHECK(command_model({{"llm", "-m", "x"}, 60s})->name() == "the command 'llm'");
}

}  // namespace daybook::model
