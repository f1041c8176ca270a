// SPDX-License-Identifier: MIT
#include "daybook/harness/session_list.hpp"

#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <sys/stat.h>

using namespace daybook;
using namespace daybook::harness;

namespace {

std::vector<std::string> paths_of(const Result<SessionListing>& listing) {
  std::vector<std::string> paths;
  for (const SessionFile& file : listing->files) {
    paths.push_back(file.path);
  }
  return paths;
}

Environment environment_of(std::vector<std::pair<std::string, std::string>> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    for (const auto& [key, value] : values) {
      if (key == name) {
        return value;
      }
    }
    return std::nullopt;
  };
}

}  // namespace

TEST_CASE("Sessions of Claude Code are listed with their sub-agents, and once each") {
  const support::TempFolder home;
  home.write("projects/-home-nina/b.jsonl", "1234");
  home.write("projects/-home-nina/a.jsonl", "1");
  home.write("projects/-home-nina/a/subagents/agent-7.jsonl", "12");
  home.write("projects/-home-nina/a/tool-results/x.jsonl", "no");
  home.write("projects/-home-nina/notes.md", "no");
  home.write("projects/-home-nina/.jsonl", "no");
  home.write("projects/-tmp/new\nline.jsonl", "123");
  home.write("projects/loose.jsonl", "no");
  home.make_link("projects/-linked", home.at("projects/-tmp"));
  home.make_link("projects/-tmp/linked.jsonl", home.at("projects/loose.jsonl"));
  home.make_pipe("projects/-tmp/pipe.jsonl");

  const auto listing = list_sessions(base::real_disk(), Format::claude_code, home.path().string());
  REQUIRE(listing.ok());
  CHECK(paths_of(listing) ==
        std::vector<std::string>{"projects/-home-nina/a.jsonl",
                                 "projects/-home-nina/a/subagents/agent-7.jsonl",
                                 "projects/-home-nina/b.jsonl",
                                 "projects/-tmp/new\nline.jsonl"});
  CHECK(listing->files[0].name == "a");
  CHECK(listing->files[0].parent_id.empty());
  CHECK(listing->files[1].name == "agent-7");
  CHECK(listing->files[1].parent_id == "a");
  CHECK(listing->files[1].size == 2);
  CHECK(listing->files[1].mtime_ns > 0);
}

TEST_CASE("Histories that were moved and linked to are listed and read") {
  const support::TempFolder place;
  place.write("disk/-home-nina/a.jsonl", "1234");
  place.write("disk/-home-nina/a/subagents/agent-7.jsonl", "12");
  SECTION("as a whole") {
    place.make_folder("home");
    place.make_link("home/projects", place.at("disk"));
  }
  SECTION("by project, even twice") {
    place.make_folder("home/projects");
    place.make_link("home/projects/-home-nina", place.at("disk/-home-nina"));
    place.make_link("home/projects/-home-nina-2", place.at("disk/-home-nina"));
    place.make_link("home/projects/-nowhere", place.at("nowhere"));
  }
  const auto listing = list_sessions(base::real_disk(), Format::claude_code, place.at("home"));
  CHECK(paths_of(listing) ==
        std::vector<std::string>{"projects/-home-nina/a.jsonl",
                                 "projects/-home-nina/a/subagents/agent-7.jsonl"});
  CHECK(listing->unreadable.empty());
  std::string text;
  REQUIRE(stream_session(base::real_disk(),
                         listing->root,
                         listing->files.front(),
                         [&text](std::string_view piece) -> Result<void> {
                           text += piece;
                           return {};
                         }));
  CHECK(text == "1234");
}

TEST_CASE("Sessions of Codex are listed by day, and those that were archived") {
  const support::TempFolder home;
  home.write("archived_sessions/rollout-2024-01-01T10-00-00-w.jsonl", "1");
  home.write("archived_sessions/notes.jsonl", "no");
  home.write("sessions/2026/03/28/rollout-2026-03-28T10-00-00-x.jsonl", "1");
  home.write("sessions/2025/12/01/rollout-y.jsonl", "1");
  home.write("sessions/2025/12/01/other.jsonl", "no");
  home.write("sessions/2025/12/rollout-z.jsonl", "no");
  home.write("sessions/old/12/01/rollout-z.jsonl", "no");
  CHECK(paths_of(list_sessions(base::real_disk(), Format::codex, home.path().string())) ==
        std::vector<std::string>{"archived_sessions/rollout-2024-01-01T10-00-00-w.jsonl",
                                 "sessions/2025/12/01/rollout-y.jsonl",
                                 "sessions/2026/03/28/rollout-2026-03-28T10-00-00-x.jsonl"});
}

TEST_CASE("A harness that was never used has no sessions") {
  const support::TempFolder home;
  CHECK(list_sessions(base::real_disk(), Format::claude_code, home.path().string())->files.empty());
  CHECK(list_sessions(base::real_disk(), Format::codex, home.at("nowhere"))->files.empty());
}

TEST_CASE("Where a harness keeps its files") {
  const auto none = environment_of({});
  CHECK(home_folder(Format::claude_code, environment_of({{"HOME", "/home/nina"}})).value() ==
        "/home/nina/.claude");
  CHECK(home_folder(Format::codex, environment_of({{"HOME", "/home/nina"}, {"CODEX_HOME", ""}}))
            .value() == "/home/nina/.codex");
  CHECK(home_folder(Format::claude_code, environment_of({{"CLAUDE_CONFIG_DIR", "/c"}})).value() ==
        "/c");
  CHECK(home_folder(Format::codex, environment_of({{"CODEX_HOME", "/d"}})).value() == "/d");
  CHECK_FALSE(home_folder(Format::codex, none).ok());
  CHECK_FALSE(home_folder(Format::text, none).ok());
}

TEST_CASE(
    "The days after which sessions are deleted come from the settings, else they are thirty") {
  const support::TempFolder home;
  const auto days = [&] { return cleanup_days(base::real_disk(), home.path().string()).value(); };
  CHECK(days() == 30);
  home.write("settings.json", R"({"a": {"cleanupPeriodDays": 1}, "cleanupPeriodDays": 365})");
  CHECK(days() == 365);
  home.write("dotfiles/claude.json", R"({"cleanupPeriodDays": 90})");
  std::filesystem::remove(home.at("settings.json"));
  home.make_link("settings.json", home.at("dotfiles/claude.json"));
  CHECK(days() == 90);
  std::filesystem::remove(home.at("settings.json"));
  for (const char* text :
       {"", "{", "{\"cleanupPeriodDays\": \"7\"}", "{\"cleanupPeriodDays\": -7}"}) {
    home.write("settings.json", text);
    CHECK(days() == 30);
  }
}

TEST_CASE("Days left are whole, and end at none") {
  constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;
  SessionFile file;
  file.mtime_ns = 0;
  CHECK(days_left(file, 30, 0) == 30);
  CHECK(days_left(file, 30, 1) == 29);
  CHECK(days_left(file, 30, 30 * kDay - 1) == 0);
  CHECK(days_left(file, 30, 90 * kDay) == 0);
}

TEST_CASE("A folder in a home, one that was copied from it, and one file can be named") {
  const support::TempFolder place;
  for (const char* home : {"claude/projects/", "copied/"}) {
    place.write(std::string(home) + "-home-nina/a.jsonl", "1");
    place.write(std::string(home) + "-home-nina/a/subagents/agent-7.jsonl", "12");
    place.write(std::string(home) + "-tmp/b.jsonl", "123");
  }
  place.write("claude/projects/-home-nina/a/tool-results/x.jsonl", "no");
  place.write("claude/history.jsonl", "no");
  const auto listed = [&place](const std::string& path) {
    const auto listing = list_sessions_at(base::real_disk(), Format::claude_code, place.at(path));
    REQUIRE(listing.ok());
    std::vector<std::string> found;
    for (const SessionFile& file : listing->files) {
      const std::string whole = listing->root + "/" + file.path;
      found.push_back(whole.substr(std::filesystem::canonical(place.path()).string().size() + 1) +
                      " " + file.parent_id);
    }
    return found;
  };
  using Found = std::vector<std::string>;
  const std::string nina = "claude/projects/-home-nina/";
  const Found both{nina + "a.jsonl ", nina + "a/subagents/agent-7.jsonl a"};
  const Found all{both[0], both[1], "claude/projects/-tmp/b.jsonl "};
  CHECK(listed("claude") == all);
  CHECK(listed("claude/projects") == all);
  CHECK(listed(nina) == both);
  CHECK(listed(nina + "a") == Found{both[1]});
  CHECK(listed(nina + "a/subagents") == Found{both[1]});
  CHECK(listed(nina + "a.jsonl") == Found{both[0]});
  CHECK(listed(nina + "a/subagents/agent-7.jsonl") == Found{both[1]});
  CHECK(listed("copied") == Found{"copied/-home-nina/a.jsonl ",
                                  "copied/-home-nina/a/subagents/agent-7.jsonl a",
                                  "copied/-tmp/b.jsonl "});
  CHECK(listed("copied/-home-nina/a") == Found{"copied/-home-nina/a/subagents/agent-7.jsonl a"});
  CHECK(list_sessions_at(base::real_disk(), Format::claude_code, place.at("none")).error().kind ==
        ErrorKind::not_found);
}

TEST_CASE("A name is a session's id for certain if it is a UUID of Claude Code's") {
  const std::string uuid = "0197f3a2-1111-7222-8333-444455556666";
  CHECK(is_certain_id(Format::claude_code, uuid));
  CHECK_FALSE(is_certain_id(Format::codex, uuid));
  CHECK_FALSE(is_certain_id(Format::claude_code, uuid + ":agent-7"));
  CHECK_FALSE(is_certain_id(Format::claude_code, "0197f3a2-1111-7222-8333-44445555666g"));
  CHECK_FALSE(is_certain_id(Format::claude_code, "f01"));
}

TEST_CASE("A file's name tells which session it probably holds") {
  const std::string uuid = "0197f3a2-1111-7222-8333-444455556666";
  CHECK(likely_session_id(Format::claude_code, {"", uuid, "", 0, 0}) == uuid);
  CHECK(likely_session_id(Format::claude_code, {"", "agent-7", uuid, 0, 0}) == uuid + ":agent-7");
  CHECK(likely_session_id(Format::codex, {"", "rollout-2026-03-28T22-34-06-" + uuid, "", 0, 0}) ==
        uuid);
}
