// SPDX-License-Identifier: MIT
#include "canon/frontmatter_edit.hpp"

#include "daybook/parse/frontmatter.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace daybook::canon {
namespace {

using Items = std::vector<std::string>;

std::string file(const std::string& yaml) { return "---\n" + yaml + "---\nBody.\n"; }

/// The frontmatter after one change, or `refused`.
std::string edited(const std::string& yaml, const FieldChange& change) {
  const std::vector<FieldChange> changes{change};
  const auto text = edit_frontmatter(file(yaml), changes);
  if (!text) {
    CHECK(text.error().kind == ErrorKind::damaged);
    return "refused";
  }
  const std::string_view whole = *text;
  CHECK(whole.starts_with("---\n"));
  CHECK(whole.ends_with("---\nBody.\n"));
  return std::string(whole.substr(4, whole.size() - 4 - std::string_view("---\nBody.\n").size()));
}

std::string with_crlf(std::string text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2)) {
    text.insert(at, 1, '\r');
  }
  return text;
}

}  // namespace

TEST_CASE("a value is replaced on its line and nothing else moves") {
  const std::string others = "# above\na: 1\n\n";
  const std::string behind = "# below\nz: 'it''s' # kept\n";
  for (const std::string old : {"null",
                                "3",
                                "\"text\"",
                                "'it''s'",
                                "2026-03-28T22:34:06.792Z",
                                "\"a # b\"",
                                "~",
                                "bare words of many"}) {
    CAPTURE(old);
    CHECK(edited(others + "key: " + old + "\n" + behind, {"key", std::string("new")}) ==
          others + "key: \"new\"\n" + behind);
    CHECK(edited(others + "key:   " + old + "  # why\n" + behind, {"key", std::uint64_t{7}}) ==
          others + "key:   7  # why\n" + behind);
  }
  CHECK(edited("key:\nb: 1\n", {"key", std::string("new")}) == "key: \"new\"\nb: 1\n");
  CHECK(edited("key: # why\nb: 1\n", {"key", std::string("new")}) == "key: \"new\" # why\nb: 1\n");
  CHECK(edited("key: x\n", {"key", {}}) == "key: null\n");
}

TEST_CASE("a value that is there already keeps its bytes") {
  CHECK(edited("key: 'new' # c\n", {"key", std::string("new")}) == "key: 'new' # c\n");
  CHECK(edited("key: 007\n", {"key", std::string("007")}) == "key: 007\n");
  CHECK(edited("key:\n", {"key", {}}) == "key:\n");
  CHECK(edited("key: ~\n", {"key", {}}) == "key: ~\n");
  CHECK(edited("key:\n", {"key", Items{}}) == "key:\n");
  CHECK(edited("key: [a, 'b']\n", {"key", Items{"a", "b"}}) == "key: [a, 'b']\n");
}

TEST_CASE("a missing field is added as the last") {
  CHECK(edited("a: 1\n# end\n", {"key", std::uint64_t{1}}) == "a: 1\n# end\nkey: 1\n");
  CHECK(edited("a: 1\n", {"key", Items{"x", "y"}}) == "a: 1\nkey:\n  - \"x\"\n  - \"y\"\n");
  CHECK(edited("a: 1\n", {"key", Items{}}) == "a: 1\nkey: []\n");
  CHECK(edited("a:\n  - x\n", {"key", {}}) == "a:\n  - x\nkey: null\n");
}

TEST_CASE("lists keep their style and the lines of items that stay") {
  CHECK(edited("key: []\nb: 1\n", {"key", Items{"x"}}) == "key: [\"x\"]\nb: 1\n");
  CHECK(edited("key: [a, \"]\"] # c\n", {"key", Items{"]", "z"}}) == "key: [\"]\", \"z\"] # c\n");
  CHECK(edited("key:\n    - a # first\n    - 'b'\nz: 1\n", {"key", Items{"b", "a", "c"}}) ==
        "key:\n    - 'b'\n    - a # first\n    - \"c\"\nz: 1\n");
  CHECK(edited("key:\n- a\n- b\nz: 1\n", {"key", Items{"b", "c"}}) == "key:\n- b\n- \"c\"\nz: 1\n");
  CHECK(edited("key: # c\n  # about a\n  - a\n\n# about z\nz: 1\n", {"key", Items{"b"}}) ==
        "key: # c\n  # about a\n  - \"b\"\n\n# about z\nz: 1\n");
  CHECK(edited("key:\n  - a\n  - b\nz: 1\n", {"key", Items{}}) == "key: []\nz: 1\n");
  CHECK(edited("key:\n  - a\nz: 1\n", {"key", {}}) == "key: null\nz: 1\n");
  CHECK(edited("key: null\nz: 1\n", {"key", Items{"a"}}) == "key:\n  - \"a\"\nz: 1\n");
  CHECK(edited("key:\n", {"key", Items{"a"}}) == "key:\n  - \"a\"\n");
}

TEST_CASE("values of any text survive") {
  for (const std::string text : {"",
                                 "null",
                                 "a: b",
                                 "# no comment",
                                 "\"quoted\" \\ back",
                                 "line\nbreak\ttab\x01",
                                 "- x",
                                 "修复",
                                 "[x]",
                                 "'"}) {
    CAPTURE(text);
    const std::vector<FieldChange> changes{{"key", text}, {"list", Items{text, text}}};
    CHECK(edit_frontmatter(file("key: x\nb: 1\n"), changes).ok());
  }
}

TEST_CASE("forms that cannot be edited line by line are refused") {
  const FieldChange change{"key", std::string("new")};
  for (const std::string yaml : {"key: |\n  block\n  text\n",
                                 "key: >-\n  folded\n",
                                 "key: \"over\n  two lines\"\n",
                                 "key: plain\n  goes on\n",
                                 "key: [a,\n  b]\n",
                                 "\"key\": x\n",
                                 "? key\n: x\n",
                                 "{key: x, b: 1}\n",
                                 "key: [[a]]\n",
                                 "key: &a x\n",
                                 "key: x\nkey: y\n",
                                 "not yaml: [\n"}) {
    CAPTURE(yaml);
    CHECK(edited(yaml, change) == "refused");
  }
  CHECK_FALSE(edit_frontmatter("no frontmatter\n", std::vector{change}).ok());
  CHECK_FALSE(edit_frontmatter("---\nkey: x\n", std::vector{change}).ok());
  CHECK_FALSE(edit_frontmatter("---\nkey: \xFF\n---\n", std::vector{change}).ok());
  CHECK_FALSE(
      edit_frontmatter(file("key: x\n"), std::vector{FieldChange{"key", std::string("\xFF")}})
          .ok());
}

TEST_CASE("a field in another form does not keep its neighbours from being edited") {
  CHECK(edited("note: |\n  key: no field\nkey: 1\n", {"key", std::uint64_t{2}}) ==
        "note: |\n  key: no field\nkey: 2\n");
}

TEST_CASE("line ends and BOM and body stay as they are") {
  const std::string body = "---\r\nBody with\rodd\n\nends  \xFF\n\n";
  const std::string text =
      "\xEF\xBB\xBF" + with_crlf("---\na: 1\nkey: 1 # c\nlist:\n  - x\n") + body;
  const std::vector<FieldChange> changes{
      {"key", std::uint64_t{2}}, {"list", Items{"x", "y"}}, {"more", std::string("z")}};
  const auto edit = edit_frontmatter(text, changes);
  REQUIRE(edit.ok());
  CHECK(*edit == "\xEF\xBB\xBF" +
                     with_crlf("---\na: 1\nkey: 2 # c\nlist:\n  - x\n  - \"y\"\nmore: \"z\"\n") +
                     body);
}

TEST_CASE("an edit of any frontmatter does what it should or refuses") {
  REQUIRE(rc::check("edit", [] {
    const auto some_of = [](const std::vector<std::string>& lines) {
      std::string text;
      for (const std::string& line : lines) {
        text.append(*rc::gen::arbitrary<bool>() ? line : "");
      }
      return text;
    };
    const std::string yaml =
        some_of({"b: 2\n", "# x\n", "\n", "c: [a, 'b'] # c\n", "d: |\n  key: 1\n", "\r\n"}) +
        *rc::gen::element<std::string>("",
                                       "key: 1\n",
                                       "key:  'a''b' # c\r\n",
                                       "key:\n  - a\n",
                                       "key:\n- a # c\n# d\n- \"x\"\n",
                                       "key: [x, y]\n",
                                       "key: |\n  t\n",
                                       "key: a\n  b\n",
                                       "key: {a: b}\n") +
        some_of({"# y\n", "\n", "e: \"z\"\n", "  - f\n", "g:\n  - h\n", "  # i\n"});
    const std::string old = file(yaml);
    const std::string text =
        *support::text_made_of({"a", "\"", "\\", "\n", ": ", "# ", "- ", "修", "\x7F", "null"});
    const std::vector<FieldChange> changes{
        {"key",
         *rc::gen::element<FieldValue>(FieldValue{},
                                       FieldValue{text},
                                       FieldValue{std::uint64_t{5}},
                                       FieldValue{Items{}},
                                       FieldValue{Items{text, "x"}})}};
    const auto edit = edit_frontmatter(old, changes);
    if (!edit) {
      RC_ASSERT(edit.error().kind == ErrorKind::damaged);
      return;
    }
    RC_TAG("edited");
    // Every line of the other fields is still there, in its order, and a second edit has no work.
    RC_ASSERT(*edit_frontmatter(*edit, changes) == *edit);
    parse::Frontmatter before;
    parse::Frontmatter after;
    std::vector<lineage::Diagnostic> diagnostics;
    RC_ASSERT(parse::read_frontmatter_yaml(parse::split_file(old).yaml, before, diagnostics));
    RC_ASSERT(parse::read_frontmatter_yaml(parse::split_file(*edit).yaml, after, diagnostics));
    for (const auto& field : before.fields()) {
      RC_ASSERT(after.find(field.key) != nullptr);
      if (field.key != "key") {
        RC_ASSERT(after.find(field.key)->scalar == field.scalar);
      }
    }
  }));
}

}  // namespace daybook::canon
