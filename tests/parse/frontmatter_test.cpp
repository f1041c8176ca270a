// SPDX-License-Identifier: MIT
#include "daybook/parse/frontmatter.hpp"

#include "support/frontmatter_text.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace {

using daybook::lineage::Code;
using daybook::lineage::Diagnostic;
using daybook::parse::FastRead;
using daybook::parse::Frontmatter;
using daybook::parse::FrontmatterBounds;
using daybook::support::to_text;

struct Outcome {
  bool usable = false;
  std::string text;
  std::vector<Diagnostic> diagnostics;
};

Outcome read(std::string_view yaml) {
  Outcome outcome;
  Frontmatter fields;
  outcome.usable = daybook::parse::read_frontmatter(yaml, fields, outcome.diagnostics);
  outcome.text = to_text(fields);
  return outcome;
}

void require_refused(std::string_view yaml, Code code, std::uint32_t line) {
  INFO(yaml.substr(0, 200));
  const Outcome outcome = read(yaml);
  CHECK_FALSE(outcome.usable);
  REQUIRE(outcome.diagnostics.size() == 1);
  CHECK(outcome.diagnostics.front().code == code);
  CHECK(outcome.diagnostics.front().line == line);
}

bool is_fast(std::string_view yaml) {
  Frontmatter fields;
  return daybook::parse::read_frontmatter_fast(yaml, fields) == FastRead::done;
}

/// Empty when the fast reader declines, or when both say the same.
std::string disagreement(const std::string& yaml) {
  Frontmatter fast;
  if (daybook::parse::read_frontmatter_fast(yaml, fast) == FastRead::not_recognised) {
    return {};
  }
  Frontmatter slow;
  std::vector<Diagnostic> diagnostics;
  if (!daybook::parse::read_frontmatter_yaml(yaml, slow, diagnostics)) {
    return "yaml-cpp refuses: " + std::string(diagnostics.front().sentence());
  }
  const std::string by_fast = to_text(fast);
  const std::string by_slow = to_text(slow);
  return by_fast == by_slow ? std::string() : by_fast + "\nbut yaml-cpp:\n" + by_slow;
}

}  // namespace

TEST_CASE("A file is split at its two fences") {
  const auto parts = daybook::parse::split_file("---\na: b\n---\nbody\n");
  CHECK(parts.bounds == FrontmatterBounds::found);
  CHECK(parts.yaml == "a: b\n");
  CHECK(parts.body == "body\n");
  CHECK(parts.body_line == 4);
}

TEST_CASE("A BOM, CRLF and blanks after a fence are tolerated") {
  const auto parts = daybook::parse::split_file("\xEF\xBB\xBF---\r\na: b\r\n--- \r\nbody\r\n");
  CHECK(parts.bounds == FrontmatterBounds::found);
  CHECK(parts.yaml == "a: b\r\n");
  CHECK(parts.body == "body\r\n");
}

TEST_CASE("A body may be missing altogether, and a later fence belongs to the body") {
  CHECK(daybook::parse::split_file("---\na: b\n---").body.empty());
  CHECK(daybook::parse::split_file("---\na: b\n---\nx\n---\ny").body == "x\n---\ny");
}

TEST_CASE("Files without frontmatter are told from those with an open one") {
  CHECK(daybook::parse::split_file("").bounds == FrontmatterBounds::none);
  CHECK(daybook::parse::split_file("# Note\n---\na: b\n---\n").bounds == FrontmatterBounds::none);
  CHECK(daybook::parse::split_file("----\na: b\n---\n").bounds == FrontmatterBounds::none);
  CHECK(daybook::parse::split_file("---").bounds == FrontmatterBounds::unclosed);
  CHECK(daybook::parse::split_file("---\na: b\n").bounds == FrontmatterBounds::unclosed);
}

TEST_CASE("Frontmatter of 64 KiB is read and one byte more is too large") {
  const auto file = [](std::size_t yaml_size) {
    return "---\n" + std::string(yaml_size - 1, 'a') + "\n---\nbody\n";
  };
  CHECK(daybook::parse::split_file(file(64 * 1024)).bounds == FrontmatterBounds::found);
  CHECK(daybook::parse::split_file(file(64 * 1024 + 1)).bounds == FrontmatterBounds::too_large);
}

TEST_CASE("The machine-written form is read fast") {
  const std::string yaml =
      "kind: \"summary\"\n"
      "captured_at: 2026-03-28T22:34:06.792Z\n"
      "session_key: null\n"
      "ended_at:\n"
      "revision: 3\n"
      "memory_md_refs:\n"
      "  - \"MEMORY.md#Session Ledger (Last 30 Days)\"\n"
      "  - bare\n"
      "tags: [\"a, b\", c]\n"
      "none: []\n"
      "text: \"tab\\t quote \\\" caf\\u00e9 \\\\\"\n";
  REQUIRE(is_fast(yaml));
  CHECK(read(yaml).text ==
        "2 kind = <summary>\n"
        "3 captured_at = <2026-03-28T22:34:06.792Z>\n"
        "4 session_key = null\n"
        "5 ended_at = null\n"
        "6 revision = <3>\n"
        "7 memory_md_refs = [<MEMORY.md#Session Ledger (Last 30 Days)> <bare> ]\n"
        "10 tags = [<a, b> <c> ]\n"
        "11 none = []\n"
        "12 text = <tab\t quote \" caf\xC3\xA9 \\>\n");
  CHECK(disagreement(yaml).empty());
}

TEST_CASE("What a person writes goes to yaml-cpp and means the same") {
  const std::string yaml =
      "# a comment\n"
      "project: 'it''s mine'\n"
      "sentence: plain text, with: a colon  # and a comment\n"
      "folded: >-\n"
      "  two\n"
      "  lines\n"
      "nothing: ~\n";
  CHECK_FALSE(is_fast(yaml));
  const Outcome outcome = read("a: 'x' # c\nb: >-\n  two\n  lines\nc: ~\n\nd: 'it''s'\n");
  CHECK(outcome.usable);
  CHECK(outcome.text == "2 a = <x>\n3 b = <two lines>\n6 c = null\n8 d = <it's>\n");
}

TEST_CASE("Every scalar stays the text that was written") {
  for (const std::string& value :
       std::vector<std::string>{"007", "0x1F", "1e5", "true", "yes", "3.0", "-5", "2026-03-28"}) {
    for (const std::string& suffix : std::vector<std::string>{"", " # c"}) {  // once by each reader
      const std::string yaml = "id: " + value + suffix + "\n";
      CHECK(read(yaml).text == "2 id = <" + value + ">\n");
    }
  }
}

TEST_CASE("A quoted null is a text and a bare one is nothing") {
  CHECK(read("a: \"null\"\nb: null\nc: 'null' # c\n").text ==
        "2 a = <null>\n3 b = null\n4 c = <null>\n");
}

TEST_CASE("YAML beyond flat mappings is refused with the line") {
  require_refused("a: b\nc: &x d\n", Code::yaml_forbidden, 3);
  require_refused("a: &x [*x]\n", Code::yaml_forbidden, 2);
  require_refused("a: !!str b\n", Code::yaml_forbidden, 2);
  require_refused("a: !mine b\n", Code::yaml_forbidden, 2);
  require_refused("a: b\n<<: {c: d}\n", Code::yaml_forbidden, 3);
  require_refused("a:\n  b: c\n", Code::yaml_forbidden, 3);
  require_refused("a: {b: c}\n", Code::yaml_forbidden, 2);
  require_refused("a: [[b]]\n", Code::yaml_forbidden, 2);
  require_refused("? [a]\n: b\n", Code::yaml_forbidden, 2);
  require_refused("~: b\n", Code::yaml_forbidden, 2);
}

TEST_CASE("Text that is no mapping, or more than one document, is a syntax error") {
  require_refused("just text\n", Code::yaml_syntax, 2);
  require_refused("- a\n- b\n", Code::yaml_syntax, 2);
  require_refused("a: b\n...\nc: d\n", Code::yaml_syntax, 2);
  require_refused("a: b: c\n", Code::yaml_syntax, 2);
  require_refused("a: b\n\tc: d\n", Code::yaml_syntax, 3);
}

TEST_CASE("A quote that is never closed does not swallow the fields after it") {
  require_refused("a: b\nc: \"open\nd: e\n", Code::yaml_syntax, 3);
  require_refused("a: 'open\nd: e\n", Code::yaml_syntax, 2);
}

TEST_CASE("Control characters are refused, the one that ends yaml-cpp's text included") {
  require_refused(std::string_view("a: b\nc: d\0e\n", 12), Code::yaml_syntax, 3);
  require_refused("a: b\nc: \x04\nd: e\n", Code::yaml_syntax, 3);
  require_refused("a: \"\x1b[31m\"\n", Code::yaml_syntax, 2);
}

TEST_CASE("A key that stands twice is found by either reader, also among thousands") {
  require_refused("a: b\nc: d\na: e\n", Code::duplicate_key, 4);
  require_refused("a: b\nc: 'd'\na: e\n", Code::duplicate_key, 4);
  std::string many;
  for (int i = 0; i < 5000; ++i) {
    many += "k" + std::to_string(i) + ":\n";
  }
  CHECK(read(many).usable);
  require_refused(many + "k17:\n", Code::duplicate_key, 5002);
}

TEST_CASE("Empty frontmatter is an empty mapping") {
  for (const std::string& yaml : std::vector<std::string>{"", "\n", "# only a comment\n"}) {
    const Outcome outcome = read(yaml);
    CHECK(outcome.usable);
    CHECK(outcome.text.empty());
  }
}

TEST_CASE("A mapping in braces is YAML too") {
  CHECK(read("{\"a\": \"b\", \"c\": [1, 2]}\n").text == "2 a = <b>\n2 c = [<1> <2> ]\n");
  CHECK_FALSE(read("{\"a\": \"b\n").usable);
}

TEST_CASE("The fast reader agrees with yaml-cpp on every document that it accepts") {
  std::size_t accepted = 0;
  const std::vector<std::string> parts{
      "a:",   "key:", "b_2:",  " ",    "  ",   "\n",  "\n",      "\n",      "\r\n",
      "- ",   "  - ", "\"x\"", "\"",   "\\\"", "\\n", "\\u00e9", "\\ud83d", "\\x41",
      "null", "~",    "Null",  "word", "12",   "-5",  "1:2",     "x:",      "/p/q.md",
      "[",    "]",    ", ",    "[]",   "{}",   "#",   " # c",    "'",       "&x",
      "*x",   "!t",   "|",     ">",    "é",    "\t",  "---",     "...",     "?",
      ": ",   "%",    "@",     "`",    "=",    "<<:", "\\",      "true",    "2026-01-01T00:00:00Z"};
  REQUIRE(rc::check("random parts", [&] {
    const std::string yaml = *daybook::support::text_made_of(parts);
    accepted += is_fast(yaml) ? 1U : 0U;
    RC_ASSERT(disagreement(yaml) == "");
  }));
  REQUIRE(rc::check("lines of the machine-written form, one part altered", [&] {
    const auto line = rc::gen::element<std::string>("kind: \"summary\"\n",
                                                    "key_2: null\n",
                                                    "n: 12\n",
                                                    "empty:\n",
                                                    "list:\n  - \"a\"\n  - b\n",
                                                    "flat:\n- x\n- null\n",
                                                    "flow: [\"a\", b, null]\n",
                                                    "none: []\n",
                                                    "s: \"q\\\"\\u00e9\\n\"\r\n",
                                                    "t: 2026-03-28T22:34:06.792Z\n",
                                                    "p: memory/x--y.md\n");
    std::string yaml;
    for (const std::string& text : *rc::gen::container<std::vector<std::string>>(line)) {
      yaml += text;
    }
    if (*rc::gen::arbitrary<bool>() && !yaml.empty()) {
      const auto at = *rc::gen::inRange<std::size_t>(0, yaml.size());
      yaml.replace(at, *rc::gen::inRange<std::size_t>(0, 3), *rc::gen::elementOf(parts));
    }
    accepted += is_fast(yaml) ? 1U : 0U;
    RC_ASSERT(disagreement(yaml) == "");
  }));
  CHECK(accepted > 20);  // the property would hold of a reader that declines everything
}
