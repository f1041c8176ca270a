// SPDX-License-Identifier: MIT
#include "daybook/harness/hook_input.hpp"

#include <catch2/catch.hpp>

using namespace daybook::harness;

TEST_CASE("A hook's input is read") {
  const auto input = read_hook_input(
      R"({"session_id":"s-1","transcript_path":"/home/nina/.claude/projects/x/s-1.jsonl","cwd":"/home/nina","hook_event_name":"SessionEnd","reason":"clear","new":{"a":[1]}})");
  REQUIRE(input.ok());
  CHECK(input->event == HookEvent::session_end);
  CHECK(input->event_name == "SessionEnd");
  CHECK(input->session_id == "s-1");
  CHECK(input->transcript_path == "/home/nina/.claude/projects/x/s-1.jsonl");
  CHECK(input->cwd == "/home/nina");
  CHECK(input->reason == "clear");
}

TEST_CASE("Each event has its own fields") {
  const auto pre = read_hook_input(
      R"({"hook_event_name":"PreCompact","trigger":"manual","custom_instructions":null})");
  CHECK(pre->event == HookEvent::pre_compact);
  CHECK(pre->trigger == "manual");
  CHECK(pre->custom_instructions.empty());
  const auto post = read_hook_input(
      R"({"hook_event_name":"PostCompact","compact_summary":"a\nb \ud83d\ude00 \ud83d"})");
  CHECK(post->event == HookEvent::post_compact);
  CHECK(post->compact_summary == "a\nb 😀 \xEF\xBF\xBD");
  CHECK(read_hook_input(R"({"hook_event_name":"SessionStart","source":"resume"})")->source ==
        "resume");
  const auto other = read_hook_input(R"({"hook_event_name":"Stop"})");
  CHECK(other->event == HookEvent::other);
  CHECK(other->event_name == "Stop");
}

TEST_CASE("What cannot be understood is refused, and the place is named") {
  const auto message = [](std::string_view json) {
    const auto input = read_hook_input(json);
    return input.ok() ? std::string("ok") : input.error().message;
  };
  CHECK(message("  \n") == "reading the hook's input: it is empty");
  CHECK(message("{\"a\": 1,\n  é}") == "reading the hook's input: no JSON at line 2, column 3");
  CHECK(message("{} {}") == "reading the hook's input: no JSON at line 1, column 4");
  CHECK(message("[1]") == "reading the hook's input: it is JSON, but no object");
  CHECK(message("{}") == "reading the hook's input: `hook_event_name` is missing");
  CHECK(message(R"({"hook_event_name":"Stop","cwd":5})") ==
        "reading the hook's input: `cwd` is no text");
  CHECK(message(std::string(kMostHookInput + 1, ' ')) ==
        "reading the hook's input: it has more than 8.3 MB");
  CHECK(message("{\"a\":" + std::string(1'000'000, '[')).find("no JSON at line 1") !=
        std::string::npos);
}
