// SPDX-License-Identifier: MIT
#include "harness/rendering.hpp"

#include <catch2/catch.hpp>

using namespace daybook::harness;

namespace {

std::string line(const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-05-01T10:00:00.000Z","type":")" + type + R"(","payload":)" +
         payload + "}\n";
}

std::string item(const std::string& payload) { return line("response_item", payload); }

std::string said(const std::string& role, const std::string& text) {
  return item(R"({"type":"message","role":")" + role + R"(","content":[{"type":")" +
              (role == "user" ? "input" : "output") + R"(_text","text":")" + text + R"("}]})");
}

}  // namespace

TEST_CASE("A rollout of Codex becomes turns and calls") {
  const Rendered rendered = render(
      Format::codex,
      line(
          "session_meta",
          R"({"id":"c-1","timestamp":"2026-05-01T09:59:00Z","cwd":"/home/nina/locks","git":{"branch":"dev"},"source":"cli"})") +
          said("developer", "rules") +
          said("user", "<environment_context>x</environment_context>") +
          line("turn_context", R"({"cwd":"/home/nina/locks","model":"model-y"})") +
          said("user", "Run the tests.") +
          line("event_msg", R"({"type":"user_message","message":"Run the tests."})") +
          item(R"({"type":"reasoning","summary":[],"encrypted_content":"zz"})") +
          item(
              R"({"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"FOO=1 ctest -j2\"]}","call_id":"a"})") +
          item(
              R"({"type":"function_call_output","call_id":"a","output":"{\"output\":\"bad\",\"metadata\":{\"exit_code\":8,\"duration_seconds\":1}}"})") +
          item(
              R"({"type":"custom_tool_call","name":"apply_patch","call_id":"b","input":"*** Begin Patch\n*** Update File: src/lock.cpp\n@@\n-a\n+b\n*** Add File: src/key.cpp\n*** End Patch"})") +
          item(
              R"({"type":"custom_tool_call_output","call_id":"b","output":[{"type":"input_text","text":"Done"}]})") +
          item(
              R"({"type":"local_shell_call","call_id":"d","status":"completed","action":{"type":"exec","command":["git","status"]}})") +
          item(R"({"type":"function_call_output","call_id":"d","output":"Exit code: 0\nclean"})") +
          item(
              R"({"type":"web_search_call","status":"completed","action":{"type":"search","query":"flock"}})") +
          item(
              R"({"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"make\"}","call_id":"e"})") +
          item(
              R"({"type":"function_call_output","call_id":"e","output":"Chunk\nProcess exited with code 2\n"})") +
          said("assistant", "All mended.") +
          line("event_msg", R"({"type":"token_count","info":null})"));

  CHECK(rendered.markdown ==
        "## User · 2026-05-01 10:00:00\n\n"
        "> Run the tests.\n\n"
        "## Assistant · 2026-05-01 10:00:00\n\n"
        "- **shell** `FOO=1 ctest -j2` (input 44 B, result 64 B, failed)\n"
        "- **apply_patch** `*** Begin Patch *** Update File: src/lock.cpp @@ -a +b *** Add File: "
        "src/key.cpp *** End Patch` (input 94 B, result 4 B)\n"
        "- **local_shell** `git status` (input 42 B, result 18 B)\n"
        "- **web_search** `flock` (input 33 B, no result)\n"
        "- **exec_command** `make` (input 14 B, result 33 B, failed)\n\n"
        "> All mended.\n");
  const SessionOutline& outline = rendered.outline;
  CHECK(outline.session_id == "c-1");
  CHECK(outline.project == "/home/nina/locks");
  CHECK(outline.git_branch == "dev");
  CHECK(outline.model == "model-y");
  CHECK(outline.harness == "codex");
  CHECK(outline.request == "Run the tests.");
  CHECK(outline.last_outcome == "All mended.");
  CHECK(outline.touched ==
        std::vector<std::string>{"ctest", "src/lock.cpp", "src/key.cpp", "git", "make"});
  CHECK(outline.thinking_blocks == 1);
  CHECK(outline.tool_calls == 5);
  CHECK(outline.failed_tool_calls == 2);
  CHECK(outline.unknown_lines + outline.broken_lines == 0);
}

TEST_CASE("Older rollouts have their items without a wrapper") {
  const Rendered rendered = render(
      Format::codex,
      R"({"id":"old-1","timestamp":"2025-06-01T08:00:00Z","instructions":null,"git":{"branch":"main"}})"
      "\n"
      R"({"record_type":"state"})"
      "\n"
      R"({"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]})"
      "\n"
      R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"Good day."}]})"
      "\n");
  CHECK(rendered.markdown == "## User\n\n> Hello.\n\n## Assistant\n\n> Good day.\n");
  CHECK(rendered.outline.session_id == "old-1");
  CHECK(rendered.outline.git_branch == "main");
  CHECK(rendered.outline.unknown_lines == 0);
}

TEST_CASE("A rollout says how it ended, was compacted, and of whom it is a part") {
  const SessionOutline outline =
      render(
          Format::codex,
          line(
              "session_meta",
              R"({"id":"c-2","source":{"subagent":{"thread_spawn":{"parent_thread_id":"c-1"}}}})") +
              line("session_meta", R"({"id":"c-1"})") + said("user", "Go on.") +
              line("compacted", R"({"message":"So far so good."})") +
              line("event_msg", R"({"type":"error","message":"quota"})") +
              line("event_msg", R"({"type":"turn_aborted","reason":"interrupted"})") +
              line("never_heard_of", "{}") + "{\"timestamp\"\n{} junk\n")
          .outline;
  CHECK(outline.session_id == "c-2");
  CHECK(outline.parent_session_id == "c-1");
  CHECK(outline.compact_summary == "So far so good.");
  CHECK(outline.error == "quota");
  CHECK(outline.interrupted);
  CHECK(outline.unknown_lines == 1);
  CHECK(outline.broken_lines == 2);
}
