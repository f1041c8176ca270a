// SPDX-License-Identifier: MIT
#include "daybook/lineage/link_target.hpp"

#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace daybook::lineage {
namespace {

using namespace std::string_literals;

const std::string kName = "2026-03-28T22-34-06.792Z--ly63agshl7q5mxfi--summary";

/// What anybody has ever tried in order to leave a folder.
std::vector<std::string> traversals() {
  return {
      // two dots, with slashes
      "..",
      "../",
      "../secret",
      "../../secret",
      "../../../../../../etc/passwd",
      "./..",
      "./../secret",
      ".//../secret",
      "notes/..",
      "notes/../secret",
      "notes/../../secret",
      "notes/./../../secret",
      "notes//../secret",
      "a/b/c/../../../../secret",
      "memory/..",
      "memory/../secret.md",
      "memory/../../secret.md",
      "memory/x.md/../../../secret.md",
      "memory/" + kName + ".md/..",
      "memory/./../x.md",
      // ... with backslashes
      "..\\secret",
      "..\\..\\secret",
      "notes\\..\\secret",
      "notes/..\\secret",
      "notes\\../secret",
      "memory\\..\\x.md",
      "memory/..\\x.md",
      // absolute
      "/",
      "//",
      "/etc/passwd",
      "/memory/x.md",
      "//server/share",
      "/../etc/passwd",
      "/./x",
      "\\",
      "\\secret",
      "\\\\server\\share\\x",
      "\\\\?\\C:\\x",
      "\\/server/x",
      "memory\\x.md",
      // a drive
      "C:",
      "C:/secret",
      "c:\\secret",
      "Z:/",
      "d:\\..\\x",
      // home
      "~/secret",
      "~/.ssh/id_rsa",
      // a scheme
      "file:///etc/passwd",
      "file:/etc/passwd",
      "file://server/x",
      "FILE:///etc/passwd",
      "File:secret",
      "file:memory/x.md",
      // percent-encoded once
      "%2e%2e/secret",
      "%2E%2E/secret",
      "%2e%2e",
      "notes/.%2e",
      "%2e./secret",
      ".%2e/secret",
      "..%2fsecret",
      "..%2Fsecret",
      "%2e%2e%2fsecret",
      "%2e%2e%5csecret",
      "..%5csecret",
      "%2fetc/passwd",
      "%5csecret",
      "%5c%5cserver",
      "notes/%2e%2e/%2e%2e/secret",
      "memory/%2e%2e/x.md",
      "memory%2f..%2fx.md",
      "memory%5cx.md",
      "C%3a/secret",
      "%43:/secret",
      "%7e/secret",
      "file%3a///etc/passwd",
      "%66ile:///etc/passwd",
      // ... twice and three times
      "%252e%252e/secret",
      "%252e%252e%252fsecret",
      "..%252fsecret",
      "..%255csecret",
      "%252fetc/passwd",
      "%25%32%65%25%32%65/secret",
      "memory/%252e%252e/x.md",
      "%252e%252e%255csecret",
      "C%253a/secret",
      "%25252e%25252e/secret",
      "..%25252fsecret",
      // a byte that ends a C string
      "memory/x.md\0.png"s,
      "\0"s,
      "notes\0/../x"s,
      "memory/x.md%00.png",
      "memory/x%2500.md",
  };
}

LinkForm form_of(std::string_view inside) { return read_wikilink(inside).form; }
std::string path_of(std::string_view inside) { return std::string(read_wikilink(inside).path); }

}  // namespace

TEST_CASE("a path from the root into memory is the one right form") {
  for (const std::string& inside : {"memory/x.md"s,
                                    "memory/sub/x.md"s,
                                    "memory/" + kName + ".md",
                                    "memory/a b.md"s,
                                    "memory/会话.md"s,
                                    "memory/50%.md"s,
                                    "memory/100%25.md"s,
                                    "memory/a..b.md"s,
                                    "memory/...md"s}) {
    CAPTURE(inside);
    CHECK(form_of(inside) == LinkForm::memory_path);
    CHECK(path_of(inside) == inside);
  }
}

TEST_CASE("heading and block and label are no part of the path") {
  for (const std::string inside : {"memory/x.md",
                                   "memory/x.md#Heading",
                                   "memory/x.md#One#Two",
                                   "memory/x.md#^block",
                                   "memory/x.md|label",
                                   "memory/x.md#Heading|label",
                                   "memory/x.md#^block|a|b",
                                   "memory/x.md|",
                                   "memory/x.md#",
                                   "memory/x.md\\|label",
                                   "memory/x.md#Heading\\|label",
                                   " memory/x.md ",
                                   "\tmemory/x.md |label",
                                   "memory/x.md #Heading",
                                   "memory/x.md|../label",
                                   "memory/x.md#../h",
                                   "memory/x.md#/etc",
                                   "memory/x.md|C:\\x"}) {
    CAPTURE(inside);
    CHECK(form_of(inside) == LinkForm::memory_path);
    CHECK(path_of(inside) == "memory/x.md");
  }
}

TEST_CASE("a link to a heading of the same note leads nowhere else") {
  for (const std::string inside :
       {"#Heading", "#^block", "#Heading|label", "#", "#../x", "", " ", "|label", " #Heading"}) {
    CAPTURE(inside);
    CHECK(form_of(inside) == LinkForm::self);
    CHECK(path_of(inside).empty());
  }
}

TEST_CASE("what means a file of memory without saying so from the root is told apart") {
  for (const std::string& inside : {"memory/x"s,
                                    "memory/x.png"s,
                                    "memory/"s,
                                    "memory/.md"s,
                                    "memory/x.MD"s,
                                    "memory/" + kName,
                                    kName,
                                    kName + ".md",
                                    "notes/" + kName + ".md",
                                    "./" + kName,
                                    kName + "|summary",
                                    kName + ".md#Heading"}) {
    CAPTURE(inside);
    CHECK(form_of(inside) == LinkForm::not_root_relative);
  }
}

TEST_CASE("anything else is a note to be found by name") {
  for (const std::string inside : {"Plan",
                                   "Plan.md",
                                   "Plan (1)",
                                   "folder/Plan",
                                   "folder/Plan.md",
                                   "image.png",
                                   "会话",
                                   "memory",
                                   "memory.md",
                                   "memoryx/x.md",
                                   "...",
                                   "a..b",
                                   "..a",
                                   "a..",
                                   "x/..y",
                                   "x/y..",
                                   ". .",
                                   "-f x",
                                   "https://example.org/x",
                                   "C++",
                                   "AB:/x",
                                   "Q: why",
                                   "1:/x",
                                   "~draft",
                                   "filed",
                                   "file",
                                   "a:b",
                                   "100%",
                                   "%zz",
                                   "%2",
                                   "50%25",
                                   "a%2fb",
                                   "a%20b",
                                   "a--b--c"}) {
    CAPTURE(inside);
    CHECK(form_of(inside) == LinkForm::note);
    CHECK(path_of(inside) == inside);
    CHECK_FALSE(escapes_workspace(inside));
  }
  CHECK(path_of(" -f x ") == "-f x");
}

TEST_CASE("every way out of the workspace is seen") {
  REQUIRE(traversals().size() >= 60);
  for (const std::string& path : traversals()) {
    CAPTURE(path);
    CHECK(escapes_workspace(path));
    CHECK(form_of(path) == LinkForm::escapes);
  }
}

TEST_CASE("a heading or a label or blanks around it hide no way out") {
  for (const std::string& path : traversals()) {
    CAPTURE(path);
    CHECK(form_of(path + "#Heading") == LinkForm::escapes);
    if (path != "\\") {  // `\|` sets a label off
      CHECK(form_of(path + "|label") == LinkForm::escapes);
    }
    CHECK(form_of(" " + path + " ") == LinkForm::escapes);
    CHECK(form_of(path + "#^block|label") == LinkForm::escapes);
  }
  CHECK(form_of("..\\|label") == LinkForm::escapes);
  CHECK(form_of("../x\\|label") == LinkForm::escapes);
}

TEST_CASE("whoever decodes percent signs is not led out by any mixture of them") {
  const auto encoded = [](const std::string& text, int depth) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string out = text;
    for (int pass = 0; pass < depth; ++pass) {
      std::string next;
      for (const char c : out) {
        const auto byte = static_cast<unsigned char>(c);
        if (*rc::gen::arbitrary<bool>()) {
          next += '%';
          next += kHex[byte / 16];
          next += kHex[byte % 16];
        } else {
          next += c;
        }
      }
      out = next;
    }
    return out;
  };
  REQUIRE(rc::check("encoded up to twice", [&encoded] {
    const auto path = *rc::gen::elementOf(
        std::vector<std::string>{"../x", "a/../../x", "/etc/passwd", "\\x", "c:/x", "file:/x"});
    const auto spelt = encoded(path, *rc::gen::inRange(0, 3));
    RC_ASSERT(escapes_workspace(spelt));
  }));
}

TEST_CASE("any path with two dots between slashes escapes") {
  REQUIRE(rc::check("components", [] {
    const auto parts = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element("a"s, "memory"s, "."s, ".."s, "..."s, "x.md"s, "..x"s, ""s));
    std::string path = "start";
    bool dots = false;
    for (const std::string& part : parts) {
      path += *rc::gen::element('/', '\\');
      path += part;
      dots = dots || part == "..";
    }
    RC_ASSERT(escapes_workspace(path) == dots);
  }));
}

TEST_CASE("any bytes are judged without harm and the path is part of what was given") {
  REQUIRE(rc::check("random links", [](const std::string& text) {
    const LinkTarget target = read_wikilink(text);
    RC_ASSERT((target.form == LinkForm::self) == target.path.empty());
    RC_ASSERT(text.find(target.path) != std::string::npos);
    RC_ASSERT((target.form == LinkForm::escapes) ==
              (!target.path.empty() && escapes_workspace(target.path)));
  }));
  REQUIRE(rc::check("links of dots and slashes and percent signs", [] {
    const auto text = *support::text_made_of({".",
                                              "..",
                                              "/",
                                              "\\",
                                              "%",
                                              "%2e",
                                              "%2f",
                                              "%25",
                                              "2e",
                                              "|",
                                              "#",
                                              " ",
                                              "memory/",
                                              ".md",
                                              "c:"});
    const LinkTarget target = read_wikilink(text);
    RC_ASSERT(text.find(target.path) != std::string::npos);
    RC_ASSERT((target.form == LinkForm::escapes) ==
              (!target.path.empty() && escapes_workspace(target.path)));
  }));
}

}  // namespace daybook::lineage
