// SPDX-License-Identifier: MIT
#include "harness/rendering.hpp"

#include <catch2/catch.hpp>

using namespace daybook::harness;

namespace {

const std::string kUser =
    R"({"parentUuid":null,"isSidechain":false,"cwd":"/home/nina/tidewater","sessionId":"s-1","gitBranch":"main","type":"user","message":{"role":"user","content":"Mend the tide table.\n\nPlease."},"timestamp":"2026-03-28T22:34:06.792Z"})"
    "\n";

std::string answer(const std::string& blocks, const std::string& more = "") {
  return R"({"message":{"model":"model-x","role":"assistant","content":[)" + blocks +
         R"(]},"requestId":"r","type":"assistant",)" + more +
         R"("timestamp":"2026-03-28T22:34:10Z","sessionId":"s-1"})" + "\n";
}

std::string results(const std::string& blocks) {
  return R"({"type":"user","toolUseResult":{"stdout":"x"},"message":{"role":"user","content":[)" +
         blocks + R"(]},"timestamp":"2026-03-28T22:34:12Z","sessionId":"s-1"})" + "\n";
}

std::string said(const std::string& json_text) {
  return R"({"type":"user","message":{"role":"user","content":")" + json_text +
         R"("},"sessionId":"s-1"})" + "\n";
}

}  // namespace

TEST_CASE("A session of Claude Code becomes turns, quotes and one line for each call") {
  const Rendered rendered = render(
      Format::claude_code,
      R"({"type":"summary","summary":"Tide table","leafUuid":"u"})"
      "\n" +
          kUser +
          answer(
              R"({"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":"Looking."})") +
          answer(
              R"({"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cd src && make -j2","description":"d"}})") +
          answer(
              R"({"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"src/tide.cpp","old_string":"a","new_string":"b"}})") +
          results(
              R"({"tool_use_id":"t1","type":"tool_result","content":"ok\n\"done\"","is_error":false})") +
          results(
              R"({"tool_use_id":"t2","type":"tool_result","content":[{"type":"text","text":"no such file"}],"is_error":true})") +
          answer(R"({"type":"text","text":"Done.\n```cpp\nint x;\n```"})"));

  CHECK(rendered.markdown ==
        "## User · 2026-03-28 22:34:06\n"
        "\n"
        "> Mend the tide table.\n"
        ">\n"
        "> Please.\n"
        "\n"
        "## Assistant · 2026-03-28 22:34:10\n"
        "\n"
        "> Looking.\n"
        "\n"
        "- **Bash** `cd src && make -j2` (input 50 B, result 9 B)\n"
        "- **Edit** `src/tide.cpp` (input 62 B, result 12 B, failed)\n"
        "\n"
        "> Done.\n"
        "> ```cpp\n"
        "> int x;\n"
        "> ```\n");
  const SessionOutline& outline = rendered.outline;
  CHECK(outline.session_id == "s-1");
  CHECK(outline.project == "/home/nina/tidewater");
  CHECK(outline.harness == "claude-code");
  CHECK(outline.model == "model-x");
  CHECK(outline.git_branch == "main");
  CHECK(outline.title == "Tide table");
  CHECK(outline.request == "Mend the tide table.\n\nPlease.");
  CHECK(outline.last_outcome == "Done.\n```cpp\nint x;\n```");
  CHECK(outline.touched == std::vector<std::string>{"make", "src/tide.cpp"});
  CHECK(to_string(*outline.started_at) == "2026-03-28T22:34:06.792Z");
  CHECK(to_string(*outline.ended_at) == "2026-03-28T22:34:12.000Z");
  CHECK(outline.turns == 2);
  CHECK(outline.tool_calls == 2);
  CHECK(outline.failed_tool_calls == 1);
  CHECK(outline.thinking_blocks == 1);
  CHECK(outline.lines == 8);
  CHECK(outline.skipped_lines == 1);
  CHECK(outline.broken_lines + outline.unknown_lines + outline.huge_lines == 0);
  CHECK_FALSE(outline.interrupted);
}

TEST_CASE("No line of a message can be mistaken for a turn") {
  const std::string ends[] = {
      "\\n", "\\r", "\\r\\n", "\\u000b", "\\f", "\\u0085", "\\u2028", "\\u2029", "\xe2\x80\xa8"};
  for (const std::string& end : ends) {
    CAPTURE(end);
    const Rendered rendered =
        render(Format::claude_code, said("a" + end + "## Assistant · 2026-03-28 22:34:10"));
    CHECK(rendered.markdown == "## User\n\n> a\n> ## Assistant · 2026-03-28 22:34:10\n");
  }
  for (const char* text : {"## User",
                           "<!-- ",
                           "<script>",
                           "```",
                           "~~~~\\nx",
                           "> ## User",
                           "===",
                           "- a\\n      ```",
                           "[image, 1 B]: /x",
                           "    code"}) {
    CAPTURE(text);
    CHECK(misshapen_line(render(Format::claude_code, said(text) + said("b")).markdown).empty());
  }
}

TEST_CASE("A fence that a message leaves open is closed at its end") {
  CHECK(render(Format::claude_code, said("a\\n````cpp\\n```\\nint x;")).markdown ==
        "## User\n\n> a\n> ````cpp\n> ```\n> int x;\n> ````\n");
  CHECK(render(Format::claude_code, said("~~~\\n```")).markdown ==
        "## User\n\n> ~~~\n> ```\n> ~~~\n");
  CHECK(render(Format::claude_code, said("```a`b")).markdown == "## User\n\n> ```a`b\n");
}

TEST_CASE("A tool's argument stays on one line in a code span that it cannot leave") {
  const auto line_for = [](const std::string& input) {
    const std::string text =
        answer(R"({"type":"tool_use","id":"t","name":"Bash","input":)" + input + "}");
    const std::string markdown = render(Format::claude_code, text).markdown;
    return markdown.substr(markdown.find("- "));
  };
  CHECK(line_for(R"({"command":"echo `id`\n## User"})") ==
        "- **Bash** ``echo `id` ## User`` (input 32 B, no result)\n");
  CHECK(line_for(R"({"command":"``x"})") == "- **Bash** ``` ``x ``` (input 17 B, no result)\n");
  CHECK(line_for(R"({"timeout":5})") == "- **Bash** (input 13 B, no result)\n");
  CHECK(line_for(R"({"other":"first","more":"second"})") ==
        "- **Bash** `first` (input 33 B, no result)\n");
  CHECK(line_for("{\"command\":\"" + std::string(500, 'x') + "\"}") ==
        "- **Bash** `" + std::string(120, 'x') + "…` (input 514 B, no result)\n");
  CHECK(line_for("\"text\"") == "- **Bash** (input 4 B, no result)\n");
}

TEST_CASE("A tool's name is made of plain letters") {
  const std::string text =
      answer(R"({"type":"tool_use","id":"t","name":"a**\n## User","input":{}})");
  CHECK(render(Format::claude_code, text).markdown ==
        "## Assistant · 2026-03-28 22:34:10\n\n- **a___n___User** (input 2 B, no result)\n");
}

TEST_CASE("Interruptions and errors count only if no answer follows") {
  const std::string stop = said("[Request interrupted by user for tool use]");
  const std::string error =
      answer(R"({"type":"text","text":"API Error: 529"})", R"("isApiErrorMessage":true,)");
  const std::string good = answer(R"({"type":"text","text":"Fine."})");

  const SessionOutline stopped = render(Format::claude_code, kUser + good + stop).outline;
  CHECK(stopped.interrupted);
  CHECK(stopped.request == "Mend the tide table.\n\nPlease.");
  const SessionOutline failed = render(Format::claude_code, kUser + good + error).outline;
  CHECK(failed.error == "API Error: 529");
  CHECK(failed.last_outcome == "Fine.");
  const SessionOutline mended = render(Format::claude_code, kUser + stop + error + good).outline;
  CHECK_FALSE(mended.interrupted);
  CHECK(mended.error.empty());
}

TEST_CASE("What the harness says to itself is not shown, and not the request") {
  const Rendered rendered = render(
      Format::claude_code,
      R"({"type":"user","isMeta":true,"message":{"role":"user","content":"Caveat: never mind"},"sessionId":"s"})"
      "\n" +
          said("<command-name>/review</command-name>\\n<command-args>src</command-args>") +
          said("<local-command-stdout>\\u001b[1mok\\u001b[0m</local-command-stdout>") +
          R"({"type":"system","subtype":"turn_duration","content":"x"})"
          "\n"
          R"({"type":"progress","data":{"type":"hook_progress"}})"
          "\n"
          R"({"type":"file-history-snapshot","snapshot":{}})"
          "\n"
          R"({"type":"never-heard-of"})"
          "\n"
          "{\"type\":\"user\",\"mess\n"
          "not json\n"
          "{} junk\n{ } {}\n{}}\n"
          R"({"type":"attachment","attachment":{"type":"queued_command","prompt":"And the chart."}})"
          "\n");
  CHECK(rendered.markdown == "## User\n\n> /review src\n\n## User\n\n> And the chart.\n");
  CHECK(rendered.outline.request == "And the chart.");
  CHECK(rendered.outline.unknown_lines == 1);
  CHECK(rendered.outline.broken_lines == 5);
  CHECK(rendered.outline.skipped_lines == 5);
}

TEST_CASE("A command is the request when nothing else was asked") {
  CHECK(render(Format::claude_code, said("<command-name>/review</command-name>")).outline.request ==
        "/review");
}

TEST_CASE("A compaction is marked, and its summary kept") {
  const Rendered rendered = render(
      Format::claude_code,
      kUser +
          R"({"type":"system","subtype":"compact_boundary","content":"Conversation compacted"})"
          "\n"
          R"({"type":"user","isCompactSummary":true,"message":{"role":"user","content":"We mended it."},"timestamp":"2026-03-28T23:00:00Z"})"
          "\n");
  CHECK(rendered.outline.compact_summary == "We mended it.");
  CHECK(rendered.outline.request == "Mend the tide table.\n\nPlease.");
  CHECK(rendered.markdown.ends_with(
      "\n*The context was compacted here.*\n\n"
      "## Compaction summary · 2026-03-28 23:00:00\n\n> We mended it.\n"));
}

TEST_CASE("A sub-agent's file knows its parent") {
  const std::string line =
      R"({"isSidechain":true,"agentId":"a1","sessionId":"s-1","type":"user","message":{"role":"user","content":"Find it."}})"
      "\n";
  const Rendered own = render(Format::claude_code, line);
  CHECK(own.outline.session_id == "s-1:agent-a1");
  CHECK(own.outline.parent_session_id == "s-1");
  CHECK(own.outline.request == "Find it.");
  CHECK(own.markdown == "## User\n\n> Find it.\n");

  const Rendered within = render(Format::claude_code, kUser + line);
  CHECK(within.outline.session_id == "s-1");
  CHECK(within.outline.request == "Mend the tide table.\n\nPlease.");
  CHECK(within.markdown.ends_with("## User (sub-agent)\n\n> Find it.\n"));
}

TEST_CASE("Images are shown by their size") {
  const std::string data(4000, 'A');
  const std::string line =
      R"({"type":"user","message":{"role":"user","content":[{"type":"text","text":"See"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
      data + R"("}}]}})" + "\n";
  CHECK(render(Format::claude_code, line).markdown == "## User\n\n> See\n\n> [image, 3.0 KB]\n");
}

TEST_CASE("Escapes, surrogates and broken UTF-8 become valid text") {
  CHECK(render(Format::claude_code, said(R"(\ud83d\ude00 \ud83d x \udc00 \u00e9 \q \u12 \/ \t.)"))
            .markdown ==
        "## User\n\n> 😀 \xEF\xBF\xBD x \xEF\xBF\xBD é \xEF\xBF\xBDq \xEF\xBF\xBD"
        "12 / \t.\n");
  CHECK(render(Format::claude_code, said("a\xff\xe2\x80z")).markdown ==
        "## User\n\n> a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\n");
  CHECK(render(Format::claude_code, said("a\\u0000\\u001b[31mred\\u001b[0m\\u0007")).markdown ==
        "## User\n\n> ared\n");
}

// Strings are looked at in stretches of 32 bytes: their ends and escapes may lie anywhere in one.
TEST_CASE("A string ends at its own quote, wherever that is") {
  for (std::size_t before = 0; before < 70; ++before) {
    const std::string words(before, 'w');
    INFO(before);
    CHECK(render(Format::claude_code, said("." + words + R"(\"\\\" \\)")).markdown ==
          "## User\n\n> ." + words + R"("\" \)" + "\n");
    CHECK(render(Format::claude_code, said(words + R"(\ud83d\ude00\\u00e9.)")).markdown ==
          "## User\n\n> " + words + "😀\\u00e9.\n");
    CHECK(render(Format::claude_code, said(words + "\\")).outline.broken_lines == 1);
  }
}

TEST_CASE("Of several messages in a line the last counts, of several contents the first") {
  const std::string text =
      R"({"type":"user","message":{"content":[{"type":"text","text":"one"}]},)"
      R"("message":{"c\u006fntent":[{"type":"text","text":"two"},3],"content":"three"}})"
      "\n";
  CHECK(render(Format::claude_code, text).markdown == "## User\n\n> two\n");
  const std::string none = R"({"type":"user","message":{"content":"one"},"message":"two"})"
                           "\n";
  CHECK(render(Format::claude_code, none).outline.skipped_lines == 1);
}

TEST_CASE("A message may have any number of blocks") {
  for (const int number : {1, 31, 32, 33, 100}) {
    std::string blocks;
    std::string quotes = "## Assistant · 2026-03-28 22:34:10\n";
    for (int i = 0; i < number; ++i) {
      blocks += (i == 0 ? "" : ",");
      blocks += R"({"type":"text","text":"block )" + std::to_string(i) + "\"}";
      quotes += "\n> block " + std::to_string(i) + "\n";
    }
    CHECK(render(Format::claude_code, answer(blocks)).markdown == quotes);
    // Nothing of a line is shown before its end was seen.
    CHECK(render(Format::claude_code, answer(blocks + ",{\"type\"}")).markdown.empty());
  }
}

TEST_CASE("A result may come late, twice or without its call") {
  const std::string result = results(R"({"tool_use_id":"t1","type":"tool_result","content":"x"})");
  const Rendered rendered =
      render(Format::claude_code,
             answer(R"({"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"p"}})") +
                 answer(R"({"type":"text","text":"Meanwhile."})") + result + result);
  CHECK(rendered.markdown ==
        "## Assistant · 2026-03-28 22:34:10\n\n"
        "- **Task** `p` (input 14 B, no result)\n\n"
        "> Meanwhile.\n\n"
        "- **Task**, above (result 1 B)\n"
        "- *a call that is not in this file* (result 1 B)\n");
}

TEST_CASE("A thousand calls without a result do not wait for ever") {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += answer(R"({"type":"tool_use","id":"t)" + std::to_string(i) +
                   R"(","name":"Read","input":{"file_path":"f"}})");
  }
  TranscriptRenderer renderer(Format::claude_code);
  std::string markdown;
  renderer.feed(text, markdown);
  CHECK(daybook::support::lines_of(markdown).size() == 1002 - 64);
  renderer.finish(markdown);
  CHECK(renderer.outline().tool_calls == 1000);
  CHECK(daybook::support::lines_of(markdown).size() == 1002);
}

TEST_CASE("A line above sixteen MiB is one remark") {
  const std::string huge = said(std::string(kMostLineBytes, 'x'));
  const Rendered rendered = render(Format::claude_code, kUser + huge + said("after"));
  CHECK(rendered.outline.huge_lines == 1);
  CHECK(rendered.outline.lines == 3);
  CHECK(rendered.markdown.ends_with("\n*A line of 16 MB was left out.*\n\n## User\n\n> after\n"));
}

TEST_CASE("Nesting without end is a broken line, not a crash") {
  const std::string deep = R"({"type":"user","message":)" + std::string(1'000'000, '[') + "\n";
  const SessionOutline outline = render(Format::claude_code, deep + kUser).outline;
  CHECK(outline.broken_lines == 1);
  CHECK(outline.turns == 1);
  // The line's own object is not counted; the message, its content and the block are three.
  const auto block = [](std::size_t levels) {
    return results(R"({"type":"zz","data":)" + std::string(levels, '[') + std::string(levels, ']') +
                   "}");
  };
  CHECK(render(Format::claude_code, block(126)).outline.broken_lines == 0);
  CHECK(render(Format::claude_code, block(127)).outline.broken_lines == 1);
}
