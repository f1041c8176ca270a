// SPDX-License-Identifier: MIT
#include "daybook/harness/session_file.hpp"

#include "daybook/base/utf8.hpp"
#include "harness/rendering.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

using namespace daybook::harness;

TEST_CASE("A file's first bytes tell whose it is") {
  CHECK(recognise("") == Format::text);
  CHECK(recognise("User: hello\n") == Format::text);
  CHECK(recognise("{\"a\": 1}\n") == Format::text);
  CHECK(recognise("# {\"sessionId\":\"x\"}\n") == Format::text);
  CHECK(recognise(R"({"type":"summary","summary":"x","leafUuid":"u"})") == Format::claude_code);
  CHECK(recognise("garbage\n{\"type\":\"mode\",\"mode\":\"x\",\"sessionId\":\"s\"}") ==
        Format::claude_code);
  CHECK(
      recognise(R"({"parentUuid":null,"type":"user","message":{"role":"user","content":"cut he)") ==
      Format::claude_code);
  CHECK(recognise(R"({"timestamp":"2026","type":"session_meta","payload":{"id":"a)") ==
        Format::codex);
  CHECK(recognise(R"({"id":"a","timestamp":"2025","instructions":null})") == Format::codex);
  CHECK(recognise(R"({"type":"message","role":"user","content":[]})") == Format::codex);
}

TEST_CASE("Plain text passes unchanged, and its speakers are found") {
  const std::string text =
      "# Notes\n\nUser: Mend it.\nSoon.\n\n**Assistant:** On it.\n\nHuman: And?\n\n"
      "## Assistant · 12:30\n\nMended.\n";
  const Rendered rendered = render(Format::text, text);
  CHECK(rendered.markdown == text);
  CHECK(rendered.outline.request == "Mend it.\nSoon.");
  CHECK(rendered.outline.last_outcome == "Mended.");
  CHECK(rendered.outline.turns == 4);
  CHECK(rendered.outline.harness.empty());
}

TEST_CASE("Plain text without speakers has a first and a last paragraph") {
  const SessionOutline outline =
      render(Format::text, "One\ntwo.\r\n\r\nThree.\n\nUser stories matter.\nFive").outline;
  CHECK(outline.request == "One\ntwo.");
  CHECK(outline.last_outcome == "User stories matter.\nFive");
  CHECK(render(Format::text, "Only one.").outline.request == "Only one.");
  CHECK(render(Format::text, "Only one.").outline.last_outcome.empty());
  CHECK(render(Format::text, "").outline.request.empty());
}

TEST_CASE("Texts of the outline are bounded, and end with a whole character") {
  std::string long_text;
  for (int i = 0; i < 20'000; ++i) {
    long_text += "é";
  }
  const SessionOutline text = render(Format::text, "a" + long_text).outline;
  CHECK(text.request.size() <= kOutlineTextBytes);
  CHECK(daybook::base::is_valid_utf8(text.request));
  const SessionOutline claude = render(Format::claude_code,
                                       R"({"type":"user","cwd":")" + long_text +
                                           R"(","message":{"content":"a)" + long_text + "\"}}\n")
                                    .outline;
  CHECK(claude.request.size() == kOutlineTextBytes - 1);
  CHECK(claude.project.size() == kOutlineNameBytes);
  CHECK(daybook::base::is_valid_utf8(claude.request + claude.project));
}

TEST_CASE("However a file is cut into pieces, its markdown and outline are the same") {
  const std::vector<std::string> parts{
      R"({"type":"user","message":{"content":"a\n## User\n```"},"sessionId":"s"})",
      R"({"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"x"}}]}})",
      R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"\ud83d"}]}})",
      R"({"timestamp":"2026-05-01T10:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":"é"}})",
      "User: a",
      "Assistant: b",
      "\n",
      "\r\n",
      "\n\n",
      "é",
      "\xe2\x80",
      "\xff",
      "{",
      "\"",
      "}",
      "\\u00"};
  CHECK(rc::check("pieces do not matter", [&](int which) {
    const std::string text = *daybook::support::text_made_of(parts);
    const auto format = static_cast<Format>(static_cast<unsigned>(which) % 3);
    const Rendered whole = render(format, text);
    const Rendered cut = render_pieces(format, daybook::support::random_pieces(text));
    RC_ASSERT(whole.markdown == cut.markdown);
    RC_ASSERT(whole.outline.request == cut.outline.request);
    RC_ASSERT(whole.outline.last_outcome == cut.outline.last_outcome);
    RC_ASSERT(whole.outline.lines == cut.outline.lines);
    RC_ASSERT(whole.outline.broken_lines == cut.outline.broken_lines);
    RC_ASSERT(daybook::base::is_valid_utf8(whole.markdown));
    if (format != Format::text) {
      RC_ASSERT(misshapen_line(whole.markdown).empty());
    }
  }));
}
