// SPDX-License-Identifier: MIT
#include "cli/daybook_program.hpp"
#include "daybook/state/service_lock.hpp"
#include "daybook/state/state_folder.hpp"
#include "support/child.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

using namespace daybook;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Desk {
  Desk() { fs::create_directories(place.at("vault/memory")); }

  support::ProgramOutcome run(std::vector<std::string> words,
                              const std::string& input = {},
                              std::vector<std::string> environment = {}) const {
    std::vector<std::string> all{
        "--workspace", place.at("vault"), "--state-dir", place.at("state")};
    all.insert(all.end(), words.begin(), words.end());
    auto program = test::daybook(all);
    program.environment = std::move(environment);
    if (!input.empty()) {
      place.write("input", input);
      program.stdin_file = place.at("input");
    }
    return support::run(program);
  }

  std::set<std::string> notes() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(place.at("vault/memory"))) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  support::TempFolder place;
};

const char* const kRequest =
    R"({"session_id":"run-1","project":"/home/nina/tidewater","harness":"codex",
        "transcript":"User: mend src/tide.cpp\n\nAssistant: done\n","status":"failed",
        "error":"the tests of src/tide.cpp failed"})";

}  // namespace

TEST_CASE("A session's end comes as JSON on standard input, and the answer tells all") {
  const Desk desk;
  const auto outcome = desk.run({"--json", "capture", "session-end"}, kRequest);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const json answer = json::parse(outcome.out);
  CHECK(answer["deed"] == "captured");
  CHECK(answer["acked"] == true);
  CHECK(answer["published"] == true);
  CHECK(answer["memory_sentence_quality"] == "fallback");
  for (const char* kind : {"summary", "transcript", "manifest"}) {
    CHECK(fs::exists(desk.place.at("vault/" + answer["paths"][kind].get<std::string>())));
  }
  CHECK(answer["paths"]["compaction"].is_null());
  CHECK(desk.run({"check"}).exit_code == 0);
  CHECK(desk.place.read("vault/MEMORY.md").find("session=run-1") != std::string::npos);

  const auto again = desk.run({"--json", "capture", "session-end"}, kRequest);
  CHECK(json::parse(again.out)["deed"] == "already-captured");
  CHECK(json::parse(again.out)["paths"] == answer["paths"]);
  CHECK(desk.notes().size() == 3);
}

TEST_CASE("How a run ended is in the summary and in the index") {
  const Desk desk;
  REQUIRE(desk.run({"capture", "session-end"}, kRequest).exit_code == 0);
  const json shown = json::parse(desk.run({"--json", "show", "run-1"}).out);
  CHECK(shown["run"]["status"] == "failed");
  CHECK(shown["run"]["request_preview"] == "mend src/tide.cpp");
  CHECK(shown["run"]["failure_markers"][1] == "error: the tests of src/tide.cpp failed");
  CHECK(shown["run"]["summary"].get<std::string>().find("Error: the tests") != std::string::npos);
}

TEST_CASE("A session's end comes by flags and files as well") {
  const Desk desk;
  desk.place.write("t.txt", "User: mend src/tide.cpp\n\nAssistant: done\n");
  desk.place.write("s.md", "# Mended\n\nThe table in src/tide.cpp is right again.\n");
  const auto outcome = desk.run({"--json",
                                 "--agent",
                                 "coder",
                                 "capture",
                                 "session-end",
                                 "--session-id",
                                 "run-2",
                                 "--transcript",
                                 desk.place.at("t.txt"),
                                 "--summary",
                                 desk.place.at("s.md"),
                                 "--captured-at",
                                 "2026-03-28T22:34:06.792Z"});
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const json answer = json::parse(outcome.out);
  CHECK(answer["captured_at"] == "2026-03-28T22:34:06.792Z");
  CHECK(desk.place.read("vault/" + answer["paths"]["summary"].get<std::string>())
            .ends_with("# Mended\n\nThe table in src/tide.cpp is right again.\n"));
}

TEST_CASE("Wrong input is told with what to do, and writes nothing") {
  const Desk desk;
  struct Wrong {
    std::string input;
    std::string word;
  };
  const Wrong wrong = GENERATE(
      values<Wrong>({{"not json", "no JSON"},
                     {"[1]", "no JSON object"},
                     {R"({"session_id":"x","transkript":"y"})", "'transcript'"},
                     {R"({"session_id":7,"transcript":"y"})", "must be a text"},
                     {R"({"transcript":"y"})", "session_id"},
                     {R"({"session_id":"x"})", "nothing to capture"},
                     {R"({"session_id":"x","transcript":"y","status":"odd"})", "no status"},
                     {R"({"session_id":"x","transcript":"y","ended_at":"yesterday"})", "no time"},
                     {R"({"session_id":"x","transcript":"y","transcript_path":"z"})", "both"},
                     {R"({"session_id":"x","transcript_path":"/nowhere/t.txt"})", "/nowhere"},
                     {R"({"session_id":"x","agent_id":"a b","transcript":"y"})", "agent_id"},
                     {R"({"session_id":"x","text":"of a compaction"})", "no field 'text'"},
                     {std::string(100'000, '['), "no JSON"}}));
  const auto outcome = desk.run({"capture", "session-end"}, wrong.input);
  INFO(outcome.err);
  CHECK(outcome.exit_code != 0);
  CHECK(outcome.err.find(wrong.word) != std::string::npos);
  CHECK(outcome.err.size() < 1000);
  CHECK(desk.notes().empty());
}

TEST_CASE("No error repeats a secret that stands in the wrong place") {
  const Desk desk;
  const std::string secret = "ghp_" + std::string("aZ3kQ9wXv7LpT2mNb8RcY4dF6hJ1sG5uE0iO");
  for (const std::string& input :
       {"{\"session_id\":\"x\",\"transcript\":\"y\",\"ended_at\":\"" + secret + "\"}",
        "{\"session_id\":\"x\",\"transcript\":\"y\",\"" + secret + "\":\"z\"}",
        "{\"session_id\":\"x\",\"transcript\":\"y\",\"status\":\"" + secret + "\"}"}) {
    const auto outcome = desk.run({"capture", "session-end"}, input);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find(secret.substr(8, 12)) == std::string::npos);
  }
}

TEST_CASE("A compaction takes no transcript") {
  const Desk desk;
  const auto outcome =
      desk.run({"capture", "compaction"}, R"({"session_id":"x","text":"y","transcript":"z"})");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find("no field 'transcript'") != std::string::npos);
  CHECK(desk.notes().empty());
}

TEST_CASE("A list of literals that cannot be read stops every capture") {
  const Desk desk;
  desk.place.write("vault/daybook.yaml", "capture:\n  literals_file: secrets.txt\n");
  const auto refused = desk.run({"capture", "session-end"}, kRequest);
  CHECK(refused.exit_code != 0);
  CHECK(refused.err.find("secrets.txt") != std::string::npos);
  CHECK(desk.notes().empty());
  desk.place.write("vault/secrets.txt", "src/tide.cpp\n");
  const auto done = desk.run({"--json", "capture", "session-end"}, kRequest);
  REQUIRE(done.exit_code == 0);
  for (const std::string& name : desk.notes()) {
    CHECK(desk.place.read("vault/memory/" + name).find("tide.cpp") == std::string::npos);
  }
}

TEST_CASE("The same key from eight processes makes one set of files") {
  const Desk desk;
  const std::string request =
      R"({"session_id":"run-1","transcript":"User: mend src/tide.cpp\n","idempotency_key":"k"})";
  std::vector<std::thread> threads;
  std::vector<support::ProgramOutcome> outcomes(8);
  desk.place.write("request", request);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    threads.emplace_back([&, i] {
      auto program = test::daybook({"--workspace",
                                    desk.place.at("vault"),
                                    "--state-dir",
                                    desk.place.at("state"),
                                    "--json",
                                    "capture",
                                    "session-end"});
      program.stdin_file = desk.place.at("request");
      outcomes[i] = support::run(program);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::set<std::string> paths;
  int captured = 0;
  for (const auto& outcome : outcomes) {
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const json answer = json::parse(outcome.out);
    paths.insert(answer["paths"].dump());
    captured += answer["deed"] == "captured" ? 1 : 0;
  }
  CHECK(captured == 1);
  CHECK(paths.size() == 1);
  CHECK(desk.notes().size() == 3);
}

TEST_CASE("What was captured is found by its words at once, or by the service's work") {
  const Desk desk;
  const auto capture = [&desk](const std::string& id, const std::string& animal) {
    const auto outcome = desk.run({"--json", "capture", "session-end"},
                                  R"({"session_id":")" + id + R"(","transcript":"User: draw the )" +
                                      animal + R"(\n\nAssistant: done\n"})");
    REQUIRE(outcome.exit_code == 0);
    CHECK(json::parse(outcome.out)["published"] == true);
  };
  const auto recall = [&desk](const std::string& animal) {
    return json::parse(desk.run({"--json", "recall", "was a " + animal + " drawn?"}).out);
  };
  for (const char* const animal : {"walrus", "heron"}) {  // by a whole pass, and by a narrow one
    capture(std::string("run-") + animal, animal);
    const json answer = recall(animal);
    REQUIRE(answer["results"].size() >= 1);
    CHECK(answer["results"][0]["session_id"] == std::string("run-") + animal);
    CHECK(answer["fresh"].is_null());  // nothing is known to lack
  }
  const auto folder = state::StateFolder::open(desk.place.at("state"),
                                               fs::canonical(desk.place.at("vault")).string(),
                                               state::Create::if_missing);
  REQUIRE(folder);
  const auto service = state::ServiceLock::acquire(*folder, "daybook watch", {0});
  REQUIRE(service);
  capture("run-ibis", "ibis");
  CHECK(recall("ibis")["fresh"] == false);
}

TEST_CASE("A removed session is not captured, and the exit code says so") {
  const Desk desk;
  REQUIRE(desk.run({"capture", "session-end"}, kRequest).exit_code == 0);
  REQUIRE(desk.run({"remove", "--session", "run-1", "--reason", "asked", "--yes"}).exit_code == 0);
  const auto before = desk.notes();
  const auto outcome = desk.run({"--json", "capture", "session-end"}, kRequest);
  CHECK(outcome.exit_code == 1);
  CHECK(json::parse(outcome.out)["deed"] == "session-removed");
  CHECK(json::parse(outcome.out)["acked"] == false);
  CHECK(desk.notes() == before);
}

TEST_CASE("A transcript of 200 MB is captured within 100 MB of memory") {
  if (support::is_sanitized()) {
    return;  // it would measure the sanitizer
  }
  const Desk desk;
  {
    std::ofstream file(desk.place.at("large.txt"), std::ios::binary);
    const std::string line =
        "Assistant: the tide table in src/tide.cpp, line 42, was read once more and compared.\n";
    std::string block;
    while (block.size() < 1'000'000) {
      block += line;
    }
    for (int i = 0; i < 200; ++i) {
      file << block;
    }
  }
  const auto outcome = desk.run({"--json",
                                 "capture",
                                 "session-end",
                                 "--session-id",
                                 "large",
                                 "--transcript",
                                 desk.place.at("large.txt")});
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(json::parse(outcome.out)["transcript_bytes"].get<std::uint64_t>() > 200'000'000);
  CHECK(outcome.peak_kb < 100 * 1024);
  CHECK(desk.run({"check"}).exit_code == 0);
}
