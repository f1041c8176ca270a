// SPDX-License-Identifier: MIT
//
// Whose session a file is: by its name and its place where they say more than its lines.
#include "cli/import_bench.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {
namespace {

constexpr const char* kFolder = "history/claude/projects/-home-nina-boats/";
const std::string kFirst = "11111111-aaaa-4bbb-8ccc-000000000001";
const std::string kSecond = "22222222-aaaa-4bbb-8ccc-000000000002";

}  // namespace

TEST_CASE("a file that begins with lines of another session is filed under its own name") {
  const ImportBench bench;
  const std::string before = lines(kFirst, "03", "Paint the hull");
  const std::string after = GENERATE_REF(as<std::string>(), "", lines(kSecond, "04", "The mast"));
  bench.place().write(kFolder + kFirst + ".jsonl", before);
  bench.place().write(kFolder + kSecond + ".jsonl", before + after);
  const auto answer = bench.json({"import", "claude-code", bench.claude()});
  INFO(answer.dump(1));
  CHECK(answer["imported"] == 2);
  CHECK(count_kind(bench.memory_names(), "manifest") == 2);
  const std::string summary = bench.place().read("vault/" + bench.file_of(kSecond, "summary"));
  CHECK(summary.find("\nparent_session_id: \"" + kFirst + "\"") != std::string::npos);
  CHECK(summary.find("[[" + bench.file_of(kFirst, "manifest") + "|parent session]]") !=
        std::string::npos);
  CHECK(bench.findings().empty());
}

TEST_CASE("a session that a hook has captured is found again by its file's name") {
  ImportBench bench;
  const std::string path = kFolder + kSecond + ".jsonl";
  bench.place().write(path, lines(kFirst, "03", "Paint the hull") + lines(kSecond, "04", "Mast"));
  bench.place().write("input",
                      nlohmann::json{{"hook_event_name", "SessionEnd"},
                                     {"session_id", kSecond},
                                     {"transcript_path", bench.place().at(path)}}
                          .dump());
  auto hook = bench.program({"hook", "claude-code"});
  hook.stdin_file = bench.place().at("input");
  support::run(hook);
  bench.set_now("2027-01-01T01:00:00Z");  // the file has settled
  CHECK(bench.json({"capture", "drain"})["captured"] == 1);
  const auto before = bench.memory_names();
  CHECK(bench.json({"import", "claude-code", bench.claude()})["already_there"] == 1);
  CHECK(bench.memory_names() == before);
}

TEST_CASE("a file whose name says nothing is filed under the last session in it") {
  const ImportBench bench;
  bench.place().write(std::string(kFolder) + "copy.jsonl",
                      lines("s1", "03", "Paint the hull") + lines("s2", "04", "The mast"));
  CHECK(bench.run({"import", "claude-code", bench.claude()})
            .out.starts_with("Imported 1 session file of 1 session.\n"));
  CHECK_FALSE(bench.file_of("s2", "transcript").empty());
  CHECK(bench.file_of("s1", "transcript").empty());
}

TEST_CASE("a file among a session's sub-agents is none of the session's own") {
  const ImportBench bench;
  bench.place().write(kFolder + kFirst + ".jsonl", lines(kFirst, "03", "Paint the hull"));
  bench.place().write(kFolder + kFirst + "/subagents/agent-a7.jsonl",
                      lines(kFirst, "09", "Count the nails"));
  CHECK(bench.json({"import", "claude-code", bench.claude()})["imported"] == 2);
  CHECK(count_kind(bench.memory_names(), "manifest") == 2);
  const std::string agent =
      bench.place().read("vault/" + bench.file_of(kFirst + ":agent-a7", "summary"));
  // The beginning of an id means the session, not what was done for it.
  CHECK(bench.json({"show", kFirst.substr(0, 8)})["session"]["session_id"] == kFirst);
  CHECK(bench.json({"show", kFirst + ":ag"})["session"]["session_id"] == kFirst + ":agent-a7");
  CHECK(agent.find("\nparent_session_id: \"" + kFirst + "\"") != std::string::npos);
  CHECK(
      bench.place().read("vault/" + bench.file_of(kFirst, "transcript")).find("Count the nails") ==
      std::string::npos);
  CHECK(bench.findings().empty());
}

}  // namespace daybook::test
