// SPDX-License-Identifier: MIT
//
// What a person said is kept, whatever the harness has put around it; and what the harness gets
// over by itself is no failure.
#include "harness/rendering.hpp"

#include <catch2/catch.hpp>

using namespace daybook::harness;

namespace {

std::string claude(const std::string& who,
                   const std::string& content,
                   const std::string& more = "") {
  return R"({"type":")" + who + R"(",)" + more + R"("message":{"role":")" + who +
         R"(","content":)" + content + R"(},"sessionId":"s-1"})" + "\n";
}

std::string said(const std::string& json_text) { return claude("user", "\"" + json_text + "\""); }

std::string called(const std::string& tool, const std::string& input = "{}") {
  return claude(
      "assistant",
      R"([{"type":"tool_use","id":"t1","name":")" + tool + R"(","input":)" + input + "}]");
}

std::string result(const std::string& json_text, const std::string& more = "") {
  return claude("user",
                R"([{"type":"tool_result","tool_use_id":"t1",)" + more + R"("content":")" +
                    json_text + "\"}]");
}

std::string codex(const std::string& type, const std::string& payload) {
  return R"({"timestamp":"2026-05-01T10:00:00.000Z","type":")" + type + R"(","payload":)" +
         payload + "}\n";
}

std::string codex_said(const std::string& role, const std::string& text) {
  return codex("response_item",
               R"({"type":"message","role":")" + role +
                   R"(","content":[{"type":"input_text","text":")" + text + R"("}]})");
}

}  // namespace

TEST_CASE("What the harness puts before a person's words is cut off, and the words stay") {
  for (const char* before :
       {"<system-reminder>\\nBe good.\\n</system-reminder>\\n",
        "<system-reminder>a</system-reminder><system-reminder>b</system-reminder> ",
        "<ide_opened_file>The user opened the file x.cpp in the IDE.</ide_opened_file>",
        "<ide_selection>The user selected the lines 1 to 3</ide_selection>\\n",
        "<local-command-stdout>ok</local-command-stdout>\\n"}) {
    const Rendered rendered =
        render(Format::claude_code, said(std::string(before) + "Where is the <b>tide</b>?"));
    CAPTURE(before, rendered.markdown);
    CHECK(rendered.outline.request == "Where is the <b>tide</b>?");
    CHECK(rendered.markdown == "## User\n\n> Where is the <b>tide</b>?\n");
  }
  CHECK(render(Format::claude_code, said("<system-reminder>cut off")).markdown.empty());
  CHECK(render(Format::claude_code, said("<b>Look</b> here")).outline.request ==
        "<b>Look</b> here");
  CHECK(render(Format::claude_code, said("    make")).markdown == "## User\n\n>     make\n");
}

TEST_CASE("What is open in an editor is no request, even as a block of its own") {
  const Rendered rendered = render(
      Format::claude_code,
      claude(
          "user",
          R"([{"type":"text","text":"<ide_opened_file>x.cpp</ide_opened_file>"},{"type":"text","text":"Mend it."}])"));
  CHECK(rendered.outline.request == "Mend it.");
  CHECK(rendered.markdown == "## User\n\n> Mend it.\n");
}

TEST_CASE("A shell's line that a person typed is shown as such, and is not the request") {
  const Rendered rendered = render(
      Format::claude_code,
      said("<bash-input>git status</bash-input>") +
          said("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>") + said("Commit it."));
  CHECK(rendered.markdown == "## User\n\n> ! git status\n\n## User\n\n> Commit it.\n");
  CHECK(rendered.outline.request == "Commit it.");
}

TEST_CASE("Answers to a tool's question are a turn of the person") {
  const Rendered rendered = render(
      Format::claude_code,
      called("AskUserQuestion", R"({"questions":[]})") +
          result(
              R"(User has answered your questions: \"Which colour?\"=\"Blue\". You can now continue with the user's answers in mind.)"));
  CHECK(rendered.markdown ==
        "## Assistant\n\n"
        "- **AskUserQuestion** (input 16 B, result 111 B)\n\n"
        "## User\n\n"
        "> \"Which colour?\"=\"Blue\".\n");
  // Any other tool may say the same without anybody having said it.
  CHECK(render(Format::claude_code,
               called("Bash") + result("User has answered your questions: never"))
            .markdown.find("## User") == std::string::npos);
}

TEST_CASE("The reason why a person refused a call is a turn of theirs") {
  const std::string refused =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it "
      "was a file edit, the new_string was NOT written to the file). ";
  const auto shown = [&](const std::string& behind) {
    return render(Format::claude_code,
                  called("Edit") + result(refused + behind, R"("is_error":true,)"))
        .markdown;
  };
  CHECK(shown("To tell you how to proceed, the user said:\\nUse the other table.")
            .ends_with("\n\n## User\n\n> Use the other table.\n"));
  CHECK(shown("To tell you how to proceed, the user said:\\nNo.\\n\\nNote: The user's next message "
              "may contain a correction.")
            .ends_with("\n\n## User\n\n> No.\n"));
  CHECK(shown("STOP what you are doing.").find("## User") == std::string::npos);
}

TEST_CASE("An error that is tried again, or that work follows, is no failure") {
  const std::string retried =
      R"({"type":"system","subtype":"api_error","error":{"message":"529"},"retryInMs":500,"retryAttempt":1,"maxRetries":10})"
      "\n";
  const std::string last = R"({"type":"system","subtype":"api_error","error":{"message":"529"}})"
                           "\n";
  const auto error = [](const std::string& lines) {
    return render(Format::claude_code, said("Go.") + lines).outline.error;
  };
  CHECK(error(retried).empty());
  CHECK(error(last) == "529");
  CHECK(error(last + called("Bash")).empty());
  CHECK(error(called("Bash") + last) == "529");

  const auto event = [](const std::string& type, const std::string& message) {
    return codex("event_msg", R"({"type":")" + type + R"(","message":")" + message + R"("})");
  };
  const auto codex_error = [](const std::string& lines) {
    return render(Format::codex, codex_said("user", "Go.") + lines).outline.error;
  };
  CHECK(codex_error(event("stream_error", "stream error: cut; retrying 1/5 in 200ms")).empty());
  CHECK(codex_error(event("stream_error", "Reconnecting... 2/5")).empty());
  CHECK(codex_error(event("stream_error", "gone")) == "gone");
  CHECK(codex_error(event("error", "quota")) == "quota");
  CHECK(codex_error(
            event("error", "quota") +
            codex("response_item",
                  R"({"type":"function_call","name":"shell","arguments":"{}","call_id":"a"})"))
            .empty());
}

TEST_CASE("Of what an editor gives to Codex the request is kept") {
  for (const char* context : {"# Context from my IDE setup:\\n\\n## Active file: x.cpp\\n\\n## "
                              "Open tabs:\\n- x.cpp\\n\\n",
                              "# Files mentioned by the user:\\n\\n## a.png: /tmp/a.png\\n\\n"}) {
    const Rendered rendered = render(
        Format::codex,
        codex_said("user", std::string(context) + "## My request for Codex:\\nMend the lock.\\n"));
    CHECK(rendered.outline.request == "Mend the lock.");
    CHECK(rendered.markdown == "## User · 2026-05-01 10:00:00\n\n> Mend the lock.\n");
  }
  CHECK(render(Format::codex, codex_said("user", "# Context from my IDE setup:\\nnothing"))
            .outline.request == "# Context from my IDE setup:\nnothing");
}

TEST_CASE("A search shows what was looked for, not where") {
  CHECK(render(Format::claude_code, called("Grep", R"({"path":"src","pattern":"tide_table"})"))
            .markdown.find("**Grep** `tide_table`") != std::string::npos);
  CHECK(render(Format::claude_code, called("LS", R"({"path":"src"})"))
            .markdown.find("**LS** `src`") != std::string::npos);
}

TEST_CASE("No mark of a comment in a quote can hide what follows it") {
  CHECK(render(Format::claude_code, said("a %% b %%% c % d")).markdown ==
        "## User\n\n> a ％％ b ％％％ c % d\n");
  CHECK(render(Format::claude_code, said("```\\n%%time\\n```\\n%%")).markdown ==
        "## User\n\n> ```\n> %%time\n> ```\n> ％％\n");
}
