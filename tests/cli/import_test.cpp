// SPDX-License-Identifier: MIT
//
// `daybook import` on made histories: what comes into the vault, and that it comes in once.
#include "cli/import_bench.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <set>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

std::uint64_t sum(const std::vector<support::MadeSession>& made,
                  std::uint64_t support::MadeSession::*member) {
  std::uint64_t total = 0;
  for (const auto& session : made) {
    total += session.*member;
  }
  return total;
}

/// So that a program without rights can write there.
void open_to_all(const ImportBench& bench) {
  fs::permissions(bench.place().path(), fs::perms::all);
  for (const auto& entry : fs::recursive_directory_iterator(bench.place().at("vault"))) {
    fs::permissions(entry, fs::perms::all);
  }
  fs::permissions(bench.place().at("vault"), fs::perms::all);
}

}  // namespace

TEST_CASE("a history of 2,000 session files is imported, and a second run writes nothing") {
  const ImportBench bench(small_plan(2000));
  for (const char* harness : {"claude-code", "codex"}) {
    const auto made = bench.made_by(harness);
    const std::string home = harness == std::string("codex") ? bench.codex() : bench.claude();
    const auto first = bench.json({"import", harness, home});
    INFO(first.dump(1));
    CHECK(first["found"] == made.size());
    CHECK(first["imported"] == made.size());
    CHECK(first["failed"] == 0);
    CHECK(first["published"] == true);
    CHECK(first["broken_lines"] == sum(made, &support::MadeSession::broken_lines));
    CHECK(first["unknown_lines"] == sum(made, &support::MadeSession::unknown_lines));
    CHECK(first["read_bytes"] == sum(made, &support::MadeSession::bytes));
  }
  CHECK(bench.findings().empty());
  const Names names = bench.memory_names();
  CHECK(count_kind(names, "summary") == 2000);
  CHECK(count_kind(names, "transcript") == 2000);
  CHECK(count_kind(names, "manifest") == 2000);
  CHECK(names.size() == 6000);

  const auto before = bench.memory_stats();
  for (const auto& [harness, home] :
       {std::pair("claude-code", bench.claude()), std::pair("codex", bench.codex())}) {
    const auto second = bench.json({"import", harness, home});
    CHECK(second["imported"] == 0);
    CHECK(second["to_read"] == 0);
    CHECK(second["unchanged"] == bench.made_by(harness).size());
  }
  CHECK(bench.memory_stats() == before);
}

TEST_CASE("with all receipts lost, an import finds its sessions in the vault") {
  const ImportBench bench(small_plan(60));
  bench.run({"import", "claude-code", bench.claude()});
  const auto before = bench.memory_stats();
  fs::remove_all(bench.place().at("state"));
  const auto again = bench.json({"import", "claude-code", "--no-publish", bench.claude()});
  INFO(again.dump(1));
  CHECK(again["imported"] == 0);
  CHECK(again["already_there"] == bench.made_by("claude-code").size());
  CHECK(bench.memory_stats() == before);
}

TEST_CASE("the same history gives the same files on another device, at another time") {
  const auto plan = small_plan(40);
  const ImportBench here(plan);
  ImportBench there(plan);
  there.set_now("2027-02-02T00:00:00Z");
  here.run({"import", "claude-code", "--no-publish", here.claude()});
  there.run({"import", "claude-code", "--no-publish", there.claude()});
  CHECK(here.memory_texts() == there.memory_texts());
  CHECK_FALSE(here.memory_texts().empty());
}

TEST_CASE("the summary of a sub-agent links to the manifest of its parent session") {
  const ImportBench bench(small_plan(60));
  bench.run({"import", "claude-code", bench.claude()});
  std::size_t children = 0;
  for (const auto& made : bench.made_by("claude-code")) {
    if (made.parent_session_id.empty()) {
      continue;
    }
    ++children;
    const std::string parent = bench.file_of(made.parent_session_id, "manifest");
    const std::string summary = bench.file_of(made.session_id, "summary");
    INFO(made.path << ": " << summary << " -> " << parent);
    REQUIRE_FALSE(parent.empty());
    REQUIRE_FALSE(summary.empty());
    CHECK(bench.place().read("vault/" + summary).find("[[" + parent + "|parent session]]") !=
          std::string::npos);
  }
  CHECK(children > 5);
  CHECK(bench.findings().empty());
}

TEST_CASE("a sub-agent that is listed before its parent, or without one, is imported") {
  const ImportBench bench;
  const std::string folder = "history/claude/projects/-home-nina-boats/";
  // Their folders name nobody's file, so that only the text tells whose they are.
  const auto child = [](const std::string& parent) {
    std::string text = lines(parent, "04", "Looked at the pier");
    for (std::size_t at = 0; (at = text.find("\"cwd\"", at)) != std::string::npos; at += 60) {
      text.insert(at, "\"isSidechain\":true,\"agentId\":\"a1\",");
    }
    return text;
  };
  bench.place().write(folder + "aaa/subagents/agent-a1.jsonl", child("zzz"));
  bench.place().write(folder + "bbb/subagents/agent-a1.jsonl", child("nobody"));
  bench.place().write(folder + "zzz.jsonl", lines("zzz", "05", "Asked for the pier"));
  const auto answer = bench.json({"import", "claude-code", bench.claude()});
  INFO(answer.dump(1));
  CHECK(answer["imported"] == 3);
  CHECK(bench.place()
            .read("vault/" + bench.file_of("zzz:agent-a1", "summary"))
            .find("[[" + bench.file_of("zzz", "manifest") + "|parent session]]") !=
        std::string::npos);
  CHECK(bench.place()
            .read("vault/" + bench.file_of("nobody:agent-a1", "summary"))
            .find("parent session]]") == std::string::npos);
  CHECK(bench.findings().empty());
}

TEST_CASE("a session file that has grown gives a second transcript of the same session") {
  const ImportBench bench;
  const std::string file = "history/claude/projects/-home-nina-boats/s1.jsonl";
  bench.place().write(file, lines("s1", "03", "Paint the hull"));
  bench.run({"import", "claude-code", bench.claude()});
  const Names first = bench.memory_names();
  const auto before = bench.memory_texts();
  bench.place().write(
      file, lines("s1", "03", "Paint the hull") + lines("s1", "09", "Now the mast, please"));
  const auto answer = bench.json({"import", "claude-code", bench.claude()});
  CHECK(answer["imported"] == 1);
  const Names names = bench.memory_names();
  CHECK(count_kind(names, "manifest") == 1);
  CHECK(count_kind(names, "transcript") == 2);
  CHECK(count_kind(names, "summary") == 2);
  const std::string manifest = bench.place().read("vault/" + bench.file_of("s1", "manifest"));
  for (const std::string& name : names) {
    if (!name.ends_with("--manifest.md")) {
      CHECK(manifest.find("memory/" + name) != std::string::npos);
    }
  }
  for (const std::string& name : first) {
    if (!name.ends_with("--manifest.md")) {
      CHECK(bench.memory_texts()[name] == before.at(name));
    }
  }
  CHECK(bench.findings().empty());
}

TEST_CASE("two files of one session, read side by side, come to one manifest") {
  const ImportBench bench;
  for (int i = 1; i <= 8; ++i) {
    const std::string day = "0" + std::to_string(i);
    bench.place().write("history/claude/projects/-home-nina-boats/f" + day + ".jsonl",
                        lines("s1", day, "Go on with part " + day));
  }
  const auto answer = bench.json({"import", "claude-code", bench.claude()});
  INFO(answer.dump(1));
  CHECK(answer["imported"] == 8);
  CHECK(answer["sessions"] == 1);
  CHECK(count_kind(bench.memory_names(), "manifest") == 1);
  CHECK(count_kind(bench.memory_names(), "transcript") == 8);
  CHECK(bench.findings().empty());
}

TEST_CASE("what was removed stays away, and its sub-agents with it") {
  auto plan = small_plan(12);
  plan.hostile = false;
  const ImportBench bench(plan);
  bench.run({"import", "claude-code", bench.claude()});
  const auto all = bench.made_by("claude-code");
  const auto child = std::find_if(
      all.begin(), all.end(), [](const auto& one) { return !one.parent_session_id.empty(); });
  REQUIRE(child != all.end());
  for (const std::string& id : {child->session_id, child->parent_session_id}) {
    INFO(id);
    REQUIRE(bench.run({"remove", "--session", id, "--reason", "a test", "--yes"}).exit_code == 0);
  }
  const auto siblings =
      static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), [&child](const auto& one) {
        return one.parent_session_id == child->parent_session_id ||
               one.session_id == child->parent_session_id;
      }));
  for (const auto& made : all) {  // as if the harness had copied them: no receipt counts any more
    fs::last_write_time(bench.place().at("history/" + made.path), fs::file_time_type::clock::now());
  }
  const auto again = bench.json({"import", "claude-code", bench.claude()});
  INFO(again.dump(1));
  CHECK(again["removed"] == siblings);
  CHECK(again["imported"] == 0);
  CHECK(bench.file_of(child->session_id, "summary").empty());
  CHECK(bench.file_of(child->parent_session_id, "transcript").empty());
  CHECK(again["failed"] == 0);
}

TEST_CASE("times, projects and numbers choose what is imported") {
  const ImportBench bench;
  const std::string folder = "history/claude/projects/-home-nina-boats/";
  for (int i = 1; i <= 5; ++i) {
    const std::string id = "s" + std::to_string(i);
    bench.place().write(folder + id + ".jsonl", lines(id, "0" + std::to_string(i), "Row " + id));
    fs::last_write_time(bench.place().at(folder + id + ".jsonl"),
                        fs::file_time_type::clock::now() - std::chrono::hours(24 * (10 - i)));
  }
  bench.place().write("history/claude/projects/-home-nina-boats-old/s9.jsonl",
                      "{\"type\":\"user\",\"sessionId\":\"s9\",\"timestamp\":"
                      "\"2026-03-09T10:00:00Z\",\"message\":{\"role\":\"user\",\"content\":"
                      "\"Without a folder\"}}\n");
  const auto planned = [&bench](const Names& options) {
    Names arguments{"import", "claude-code", "--dry-run", bench.claude()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return bench.json(arguments)["to_read"].get<int>();
  };
  CHECK(planned({}) == 6);
  CHECK(planned({"--project", "/home/nina/boats"}) == 6);
  CHECK(planned({"--project", "/home/nina"}) == 6);
  CHECK(planned({"--project", "/home/nina/boat"}) == 0);
  CHECK(planned({"--project", "/home/nina/boats/old"}) == 1);
  CHECK(planned({"--project", "/home/other"}) == 0);
  CHECK(planned({"--limit", "2"}) == 2);
  CHECK(planned({"--since", "2000-01-01"}) == 6);
  CHECK(planned({"--since", "2999-01-01"}) == 0);
  // s4 was written six days ago, s5 five, s9 just now. Half a day from both edges.
  const auto then = std::chrono::system_clock::now() - std::chrono::hours(132);
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(then.time_since_epoch());
  CHECK(planned({"--since", lineage::to_string(lineage::Timestamp{ms.count()})}) == 2);

  // Newest first; and a limit counts what was not read before, so that the next run goes on.
  CHECK(bench.json({"import", "claude-code", "--limit", "2", bench.claude()})["imported"] == 2);
  CHECK_FALSE(bench.file_of("s9", "summary").empty());
  CHECK_FALSE(bench.file_of("s5", "summary").empty());
  CHECK(bench.json({"import", "claude-code", "--limit", "3", bench.claude()})["imported"] == 3);
  CHECK(bench.file_of("s1", "summary").empty());
  CHECK(bench.json({"import", "claude-code", bench.claude()})["imported"] == 1);
}

TEST_CASE("a dry run tells what would be read, and makes nothing") {
  const ImportBench bench(small_plan(20));
  const auto answer = bench.json({"import", "claude-code", "--dry-run", bench.claude()});
  CHECK(answer["dry_run"] == true);
  CHECK(answer["to_read"] == bench.made_by("claude-code").size());
  CHECK(answer["to_read_bytes"] == sum(bench.made_by("claude-code"), &support::MadeSession::bytes));
  CHECK(answer["oldest"].is_string());
  CHECK(bench.memory_names().empty());
  CHECK_FALSE(fs::exists(bench.place().at("state")));
  const auto words = bench.run({"import", "claude-code", "--dry-run", bench.claude()});
  CHECK(words.exit_code == 0);
  CHECK(words.out.starts_with("Would read 15 session files ("));
  bench.run({"import", "claude-code", bench.claude()});
  CHECK(bench.json({"import", "claude-code", "--dry-run", bench.claude()})["unchanged"] == 15);
}

TEST_CASE("a harness's home, a folder in it and one file can be named") {
  const ImportBench bench;
  const std::string project = "history/claude/projects/-home-nina-boats";
  bench.place().write(project + "/s1.jsonl", lines("s1", "03", "Paint the hull"));
  bench.place().write(project + "/s1/subagents/agent-a.jsonl",
                      lines("s1", "03", "Count the nails"));
  const auto found = [&bench](const std::string& path) {
    return bench.json({"import", "claude-code", "--dry-run", path})["to_read"].get<int>();
  };
  CHECK(found(bench.claude()) == 2);
  CHECK(found(bench.claude() + "/projects") == 2);
  CHECK(found(bench.place().at(project)) == 2);
  CHECK(found(bench.place().at(project + "/s1.jsonl")) == 1);
  auto by_environment = bench.program({"--json", "import", "claude-code", "--dry-run"});
  by_environment.environment = {"CLAUDE_CONFIG_DIR=" + bench.claude()};
  CHECK(nlohmann::json::parse(support::run(by_environment).out)["to_read"] == 2);
  // What was read under one name is known under the other.
  bench.run({"import", "claude-code", bench.place().at(project + "/s1.jsonl")});
  CHECK(found(bench.claude()) == 1);
}

TEST_CASE("a folder without session files is an error that says what to name") {
  const ImportBench bench;
  bench.place().make_folder("history/claude/projects");
  bench.place().write("history/claude/history.jsonl", lines("s1", "03", "No session of its own"));
  for (const std::string& path : {bench.claude(), bench.place().at("nowhere")}) {
    const auto outcome = bench.run({"import", "claude-code", path});
    CHECK(outcome.exit_code != 0);
    CHECK(outcome.err.find("there are no session files of claude-code here") != std::string::npos);
    CHECK(outcome.err.find(path) != std::string::npos);
  }
}

TEST_CASE("a file that cannot be read is told, and stops no other") {
  const ImportBench bench(small_plan(20));
  const std::string file = bench.place().at("history/" + bench.made().front().path);
  fs::permissions(file, fs::perms::none);
  open_to_all(bench);
  auto program = bench.program({"--json", "import", "claude-code", bench.claude()});
  program.unprivileged = true;
  const auto outcome = support::run(program);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  const auto answer = nlohmann::json::parse(outcome.out);
  CHECK(answer["failed"] == 1);
  CHECK(answer["failures"][0]["path"] == bench.made().front().path.substr(7));
  CHECK(answer["imported"] == bench.made_by("claude-code").size() - 1);
  fs::permissions(file, fs::perms::all);
  CHECK(support::run(program).exit_code == 0);
  CHECK(bench.findings().empty());
}

TEST_CASE("a folder that cannot be read is told with its path, and stops no other") {
  const ImportBench bench;
  const std::string projects = "history/claude/projects/";
  bench.place().write(projects + "-a/s1.jsonl", lines("s1", "03", "Paint the hull"));
  bench.place().write(projects + "-b/s2.jsonl", lines("s2", "03", "Paint the mast"));
  bench.place().write(projects + "-c/s3.jsonl", lines("s3", "03", "Paint the keel"));
  fs::permissions(bench.place().at(projects + "-b"), fs::perms::none);
  open_to_all(bench);
  const auto unprivileged = [&bench](Names arguments) {
    arguments.insert(arguments.begin(), "--json");
    auto program = bench.program(std::move(arguments));
    program.unprivileged = true;
    program.environment = {"CLAUDE_CONFIG_DIR=" + bench.claude()};
    return support::run(program);
  };
  for (const bool dry : {true, false}) {
    const auto outcome = unprivileged(dry ? Names{"import", "claude-code", "--dry-run"}
                                          : Names{"import", "claude-code"});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 1);
    const auto answer = nlohmann::json::parse(outcome.out);
    CHECK(answer["failed"] == 1);
    CHECK(answer["failures"][0]["path"] ==
          fs::canonical(bench.place().at("history")).string() + "/claude/projects/-b");
    CHECK(answer["imported"] == (dry ? 0 : 2));
  }
  const auto doctor = nlohmann::json::parse(unprivileged({"doctor"}).out);
  const auto& findings = doctor["findings"];
  CHECK(std::any_of(findings.begin(), findings.end(), [](const auto& finding) {
    return finding["name"] == "sessions-unreadable" && finding["severity"] == "warning" &&
           finding["paths"].size() == 1;
  }));
  fs::permissions(bench.place().at(projects + "-b"), fs::perms::all);
  CHECK(unprivileged({"import", "claude-code"}).exit_code == 0);
}

TEST_CASE("a sub-agent is chosen with its parent, by time and by project") {
  const ImportBench bench;
  const std::string folder = "history/claude/projects/-home-nina-boats/";
  const std::string agent = folder + "s1/subagents/agent-a.jsonl";
  bench.place().write(folder + "s1.jsonl", lines("s1", "03", "Paint the hull"));
  bench.place().write(agent,
                      "{\"type\":\"user\",\"sessionId\":\"s1\",\"isSidechain\":true,\"agentId\":"
                      "\"a\",\"cwd\":\"/elsewhere\",\"message\":{\"role\":\"user\",\"content\":"
                      "\"Count the nails\"}}\n");
  fs::last_write_time(bench.place().at(agent),
                      fs::file_time_type::clock::now() - std::chrono::hours(24 * 2000));
  bench.place().write(folder + "s1/subagents/agent-acompact-1.jsonl",
                      lines("s1", "03", "Compact this"));
  bench.place().write(folder + "s1/subagents/agent-aprompt_suggestion-1.jsonl",
                      lines("s1", "03", "Suggest that"));
  const auto planned = [&bench](const Names& options) {
    Names arguments{"import", "claude-code", "--dry-run", bench.claude()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto answer = bench.json(arguments);
    return std::pair(answer["to_read"].get<int>(), answer["not_wanted"].get<int>());
  };
  CHECK(planned({}) == std::pair(2, 2));
  CHECK(planned({"--since", "2025-01-01"}) == std::pair(2, 2));
  CHECK(planned({"--project", "/home/nina/boats"}) == std::pair(2, 2));
  CHECK(planned({"--project", "/elsewhere"}) == std::pair(0, 4));
  const auto outcome = bench.run({"import", "claude-code", "--project", "boats", bench.claude()});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("--project takes the path of a folder") != std::string::npos);
}

}  // namespace daybook::test
