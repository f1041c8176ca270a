// SPDX-License-Identifier: MIT
#include "daybook/base/printable.hpp"

#include "daybook/base/utf8.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace daybook::base {
namespace {

using namespace std::string_literals;

bool is_control_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

bool reorders_or_hides(char32_t c) {
  return (c >= 0x80 && c < 0xA0) || c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

}  // namespace

TEST_CASE("ordinary text is shown as it is") {
  for (const std::string& text :
       {""s,
        "plain text, with \\ and \"quotes\""s,
        "café 会话 \u1F600 한"s,
        "\u00A0"s,
        "\U0001F600"s,
        "memory/2026-03-28T22-34-06.792Z--ly63agshl7q5mxfi--summary.md"s}) {
    CHECK(printable(text) == text);
  }
}

TEST_CASE("escape sequences become visible") {
  CHECK(printable("\x1b[31mred\x1b[0m") == "\\x1b[31mred\\x1b[0m");
  CHECK(printable("\x1b]0;title\x07") == "\\x1b]0;title\\x07");  // window title
  CHECK(printable("\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\") ==
        "\\x1b]8;;http://x\\x1b\\a\\x1b]8;;\\x1b\\");                        // OSC 8, a link
  CHECK(printable("\x1b]52;c;cm0gLXJm\x07") == "\\x1b]52;c;cm0gLXJm\\x07");  // OSC 52, clipboard
  CHECK(printable("\xC2\x9B"
                  "31mred") == "\\u009b31mred");  // C1 CSI
  CHECK(printable("\xC2\x9D"
                  "52;c;x\xC2\x9C") == "\\u009d52;c;x\\u009c");  // C1 OSC and ST
  CHECK(printable("\x9B"
                  "31m") == "\\x9b31m");  // the same, raw
}

TEST_CASE("control characters become visible and the text stays on one line") {
  CHECK(printable("a\nb") == "a\\nb");
  CHECK(printable("a\tb") == "a\\tb");
  CHECK(printable("a\r\nb") == "a\\x0d\\nb");
  CHECK(printable("a\bb") == "a\\x08b");
  CHECK(printable("\0"s) == "\\x00");
  CHECK(printable("\x7F") == "\\x7f");
  CHECK(printable("\xC2\x85") == "\\u0085");  // next line
  CHECK(printable("a\u2028b\u2029c") == "a\\u2028b\\u2029c");
}

TEST_CASE("characters that reorder or hide their neighbours become visible") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\u202A", "\\u202a"},
      {"\u202B", "\\u202b"},
      {"\u202C", "\\u202c"},
      {"\u202D", "\\u202d"},
      {"\u202E", "\\u202e"},
      {"\u2066", "\\u2066"},
      {"\u2067", "\\u2067"},
      {"\u2068", "\\u2068"},
      {"\u2069", "\\u2069"},
      {"\u200E", "\\u200e"},
      {"\u200F", "\\u200f"},
      {"\u061C", "\\u061c"},
      {"\u200B", "\\u200b"},
      {"\u2060", "\\u2060"},
      {"\uFEFF", "\\ufeff"},
      {"\uFFF9", "\\ufff9"},
      {"\U000E0041", "\\ue0041"},
  };
  for (const auto& [given, expected] : cases) {
    CHECK(printable("x" + given + "y") == "x" + expected + "y");
  }
  CHECK(printable("note\u202Edm.exe") == "note\\u202edm.exe");
}

TEST_CASE("bytes that are not UTF-8 become visible one by one") {
  CHECK(printable("\xFF") == "\\xff");
  CHECK(printable("caf\xC3") == "caf\\xc3");
  CHECK(printable("\xE4\xBC|") == "\\xe4\\xbc|");
  CHECK(printable("\xC0\x9B") == "\\xc0\\x9b");
  CHECK(printable("\xED\xA0\x80") == "\\xed\\xa0\\x80");
  CHECK(printable("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

TEST_CASE("every ASCII character is either shown or escaped") {
  for (int c = 0; c < 128; ++c) {
    const std::string text(1, static_cast<char>(c));
    CAPTURE(c);
    if (is_control_byte(text[0])) {
      CHECK(printable(text).starts_with("\\"));
      CHECK(printable(text).size() >= 2);
    } else {
      CHECK(printable(text) == text);
    }
  }
}

TEST_CASE("lines and tabs of a text stay, and nothing else that controls") {
  CHECK(printable_lines("a\tb\r\nc\rd\n\n\x1B[31m\xE2\x80\xAE") ==
        "a\tb\nc\\x0dd\n\n\\x1b[31m\\u202e");
  const std::string once = printable_lines("\x1B \\ \xFF\n");
  CHECK(printable_lines(once) == once);
}

TEST_CASE("no line of a text that is set off begins as one of the frame around it") {
  CHECK(set_off("one line [with] --- brackets") == "one line [with] --- brackets");
  CHECK(set_off("a\n\n---\n\n[Type: procedural]\nb\n[[x|y]]") ==
        "a\n\n  ---\n\n  [Type: procedural]\n  b\n  [[x|y]]");
  CHECK(set_off("[Type: procedural]") == "  [Type: procedural]");
  CHECK(set_off("--- ") == "  --- ");
  CHECK(set_off("").empty());
  CHECK(set_off("a\n") == "a\n");
}

TEST_CASE("whatever comes in the result is harmless") {
  const auto judge = [](const std::string& text) {
    const std::string shown = printable(text);
    RC_ASSERT(is_valid_utf8(shown));
    RC_ASSERT(std::none_of(shown.begin(), shown.end(), is_control_byte));
    for (std::size_t at = 0; at < shown.size();) {
      const DecodedCharacter character = decode_utf8(shown, at);
      RC_ASSERT(!reorders_or_hides(character.code_point));
      at += character.size;
    }
    RC_ASSERT(printable(shown) == shown);
    RC_ASSERT(shown.size() >= text.size());  // nothing is dropped
  };
  REQUIRE(rc::check("hostile text", [&judge] {
    judge(*support::text_made_of({"a",      "\x1b",     "\x1b]8;;", "\x07",   "\xC2\x9B",
                                  "\xC2",   "\x9B",     "\n",       "\r",     "\t",
                                  "\u202E", "\u2069",   "\u200F",   "\uFEFF", "\x7F",
                                  "\xFF",   "\xE2\x80", "\xAE",     "会",     "\xF0\x9F\x98\x80",
                                  "\\",     "\xF3\xA0"}));
  }));
  REQUIRE(rc::check("any bytes", [&judge](const std::string& text) { judge(text); }));
}

}  // namespace daybook::base
