// SPDX-License-Identifier: MIT
//
// Every planted shape goes through every way into the vault, and then the bytes of all files that
// Daybook has written are searched for it: notes, databases and their logs, spool, what the
// programs said, temporaries.
#include "cli/daybook_program.hpp"
#include "support/eventually.hpp"
#include "support/planted.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <map>

using namespace daybook;
namespace fs = std::filesystem;
using nlohmann::json;
using support::Planted;

namespace {

constexpr const char* kWords = "thoroughly harmless words";
constexpr const char* kFolder = "/home/nina/tidewater";

/// In prose, in code, in JSON, and, where a shape can be known by its halves, over two lines.
std::string in_all_forms(const Planted& item) {
  const std::string line = item.before + item.secret + item.after;
  std::string text = "Of " + item.name + " it said " + line + " and went on with " + kWords + ".\n";
  text += "    const auto x = f(\"" + line + "\");  // why\n";
  text += json{{"a", 1}, {"text", "first\n" + line + "\nlast"}}.dump() + "\n";
  if (item.splits == support::Splits::anywhere) {
    const std::size_t middle = item.secret.size() / 2;
    text += "It is " + item.before + item.secret.substr(0, middle) + "\n    " +
            item.secret.substr(middle) + item.after + "\n";
  }
  return text + "\n";
}

std::string all_planted() {
  std::string text = "Please mend src/tide.cpp.\n\n";
  for (const Planted& item : support::planted()) {
    text += in_all_forms(item);
  }
  return text;
}

std::string lines(const std::vector<json>& objects) {
  std::string text;
  for (const json& object : objects) {
    text += object.dump() + "\n";
  }
  return text;
}

/// A session of Claude Code in which everything that can say something says it.
std::string claude_session(const std::string& id, const std::string& said) {
  const auto message = [&id](const std::string& role, const json& content) {
    return json{{"type", role},
                {"sessionId", id},
                {"cwd", kFolder},
                {"timestamp", "2026-05-01T10:00:00Z"},
                {"message", {{"role", role}, {"content", content}}}};
  };
  std::vector<json> all{message("user", said)};
  for (const Planted& item : support::planted()) {
    const std::string line = item.before + item.secret + item.after;
    all.push_back(message("assistant",
                          {{{"type", "tool_use"},
                            {"id", item.name},
                            {"name", "Bash"},
                            {"input", {{"command", "echo " + line}, {"description", line}}}}}));
    all.push_back(message(
        "user", {{{"type", "tool_result"}, {"tool_use_id", item.name}, {"content", line}}}));
  }
  all.push_back({{"type", "summary"}, {"summary", said}});
  all.push_back(message("assistant", {{{"type", "text"}, {"text", said}}}));
  return lines(all);
}

std::string codex_session(const std::string& said) {
  const auto item = [](const json& payload) {
    return json{
        {"timestamp", "2026-05-01T10:00:00Z"}, {"type", "response_item"}, {"payload", payload}};
  };
  const auto message = [&item, &said](const std::string& role, const std::string& type) {
    return item(
        {{"type", "message"}, {"role", role}, {"content", {{{"type", type}, {"text", said}}}}});
  };
  return lines({{{"timestamp", "2026-05-01T09:59:00Z"},
                 {"type", "session_meta"},
                 {"payload", {{"id", "c-1"}, {"cwd", kFolder}}}},
                message("user", "input_text"),
                item({{"type", "function_call"},
                      {"name", "shell"},
                      {"call_id", "a"},
                      {"arguments", json{{"command", {"bash", "-lc", said}}}.dump()}}),
                item({{"type", "function_call_output"}, {"call_id", "a"}, {"output", said}}),
                message("assistant", "output_text")});
}

class PlantedDesk {
 public:
  PlantedDesk() {
    place_.make_folder("vault/memory");
    place_.make_folder("tmp");
  }

  support::Program program(std::vector<std::string> words, const std::string& input = {}) const {
    std::vector<std::string> all{
        "--workspace", place_.at("vault"), "--state-dir", place_.at("state")};
    all.insert(all.end(), words.begin(), words.end());
    auto program = test::daybook(all);
    program.environment = {"TMPDIR=" + place_.at("tmp"), "HOME=" + place_.at("home")};
    if (!input.empty()) {
      place_.write("given/input", input);
      program.stdin_file = place_.at("given/input");
    }
    return program;
  }

  /// What it said counts among what was written: a harness or a service manager may keep it.
  support::ProgramOutcome run(const support::Program& program) {
    auto outcome = support::run(program);
    INFO(outcome.err.substr(0, 2000));
    CHECK(outcome.exit_code == 0);
    said_["what was said, " + std::to_string(said_.size())] = outcome.out + outcome.err;
    return outcome;
  }

  std::string give(const std::string& name, const std::string& bytes) const {
    place_.write("given/" + name, bytes);
    return place_.at("given/" + name);
  }

  json hook(const std::string& event, const std::string& id, const std::string& path) const {
    return {{"hook_event_name", event},
            {"session_id", id},
            {"transcript_path", path},
            {"cwd", kFolder}};
  }

  bool spool_is_empty() const {
    std::error_code none;
    return fs::directory_iterator(place_.at("state/spool"), none) == fs::directory_iterator();
  }

  /// Name -> bytes of everything but what the test gave.
  std::map<std::string, std::string> written() const {
    std::map<std::string, std::string> all = said_;
    for (const auto& entry : fs::recursive_directory_iterator(place_.path())) {
      const std::string name = fs::relative(entry.path(), place_.path()).string();
      if (entry.is_regular_file() && !name.starts_with("given/")) {
        all[name] = place_.read(name);
      }
    }
    return all;
  }

 private:
  support::TempFolder place_;
  std::map<std::string, std::string> said_;
};

/// Lines that say what was found where, for all of them at once.
std::string leaks(const std::map<std::string, std::string>& files) {
  std::string found;
  for (const Planted& item : support::planted()) {
    for (const auto& [name, bytes] : files) {
      const std::string left = support::left_over(bytes, item.random);
      found += left.empty() ? "" : item.name + " in " + name + ": " + left + "\n";
    }
  }
  return found;
}

}  // namespace

TEST_CASE("Secrets: no planted shape is left in any file, whichever way the session came") {
  PlantedDesk desk;
  const std::string said = all_planted();
  REQUIRE(leaks({{"given", said}}).size() > support::planted().size());  // it can be found at all

  const auto ended = desk.run(desk.program({"--json", "capture", "session-end"},
                                           json{{"session_id", "ended"},
                                                {"project", kFolder},
                                                {"transcript", said},
                                                {"summary", said},
                                                {"status", "failed"},
                                                {"error", said}}
                                               .dump()));
  desk.run(desk.program({"capture", "session-end"},
                        json{{"session_id", "made"}, {"transcript", said}}.dump()));
  desk.run(desk.program({"capture", "compaction"},
                        json{{"session_id", "ended"}, {"text", said}}.dump()));

  // A hook leaves a copy as it is, for the service.
  auto service = desk.program({"--verbose", "watch"});
  service.meanwhile = [&](pid_t process) {
    const auto transcript = desk.give("hooked.jsonl", claude_session("hooked", said));
    desk.run(desk.program({"hook", "claude-code"},
                          desk.hook("PreCompact", "hooked", transcript).dump()));
    auto after = desk.hook("PostCompact", "hooked", transcript);
    after["compact_summary"] = said;
    desk.run(desk.program({"hook", "claude-code"}, after.dump()));
    CHECK_FALSE(desk.spool_is_empty());
    desk.run(desk.program({"hook", "claude-code"},
                          desk.hook("SessionEnd", "hooked", transcript).dump()));
    CHECK(support::eventually([&] { return desk.spool_is_empty(); }));
    ::kill(process, SIGTERM);
  };
  desk.run(service);

  const auto claude =
      desk.give("claude/projects/p/imported.jsonl", claude_session("imported", said));
  desk.run(desk.program({"import", "claude-code", claude}));
  desk.run(desk.program(
      {"import",
       "codex",
       desk.give("codex/rollout-2026-05-01T09-59-00-c-1.jsonl", codex_session(said))}));
  desk.run(desk.program({"reindex", "--full"}));

  const auto written = desk.written();
  CHECK(leaks(written) == "");
  // What was harmless has arrived, so the secrets were on the same ways.
  std::size_t transcripts = 0;
  for (const auto& [name, bytes] : written) {
    transcripts +=
        name.ends_with("--transcript.md") && bytes.find(kWords) != std::string::npos ? 1U : 0U;
  }
  CHECK(transcripts == 5);
  const auto status = support::run(desk.program({"--json", "status"}));
  CHECK(json::parse(status.out)["redacted"]["secrets"].get<std::size_t>() >
        10 * support::planted().size());
  CHECK(json::parse(status.out)["redacted"]["pii"].get<std::size_t>() > 50);
  INFO(ended.out);
  CHECK(json::parse(ended.out)["redacted"]["secrets"].get<std::size_t>() >
        2 * support::planted().size());
}

TEST_CASE("Secrets: no secret is left that stands where a name belongs") {
  PlantedDesk desk;
  const auto items = support::planted();
  for (std::size_t i = 0; i < items.size(); i += 9) {
    const std::string line = items[i].before + items[i].secret + items[i].after;
    desk.run(desk.program({"capture", "session-end", "--no-publish"},
                          json{{"session_id", line},
                               {"session_key", "key " + line},
                               {"project", line},
                               {"harness", line},
                               {"source_node_id", line},
                               {"parent_session_id", line},
                               {"idempotency_key", line},
                               {"transcript", "User: mend src/tide.cpp\n"}}
                              .dump()));
  }
  desk.run(desk.program({"reindex"}));
  CHECK(leaks(desk.written()) == "");
}
