// SPDX-License-Identifier: MIT
#include "projection/plain_text.hpp"

#include "daybook/base/utf8.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>

namespace daybook::projection {
namespace {

std::string plain(std::string_view text) { return plain_text(text, 1000); }

}  // namespace

TEST_CASE("ordinary text stays as it is") {
  for (const std::string text : {"Finalized DP-19 write-gate clamping (PR #12, owner/repo#7).",
                                 "C# and F# at 50 % of a = b; x -> y; snake_case, don't.",
                                 "src/base/utf8.cpp:12, ~/notes, \"quoted\", {braces}, a & b!",
                                 "Grüße aus Köln",
                                 "今天修复了索引。",
                                 "C:\\work\\Daybook"}) {
    CHECK(plain(text) == text);
  }
}

TEST_CASE("what means something in markdown becomes a look-alike") {
  CHECK(plain("a|b") == "a¦b");
  CHECK(plain("[[x|y]]") == "［［x¦y］］");
  CHECK(plain("[a](b)") == "［a］(b)");
  CHECK(plain("`code`") == "'code'");
  CHECK(plain("<!-- x --> <b>") == "‹!-- x --> ‹b>");
  CHECK(plain("%%x%%") == "%％x%％");
  CHECK(plain("==x==") == "=＝x=＝");
  CHECK(plain("~~x~~") == "~～x~～");
  CHECK(plain("$x$") == "＄x＄");
  CHECK(plain("end ^block") == "end ˆblock");
  CHECK(plain("**x**") == "∗∗x∗∗");
  CHECK(plain("https://x.y") == "https∶//x.y");
}

TEST_CASE("a hash is kept where it can be no tag") {
  CHECK(plain("#12") == "#12");
  CHECK(plain("(#12)") == "(#12)");
  CHECK(plain("#12, C#") == "#12, C#");
  CHECK(plain("#tag") == "＃tag");
  CHECK(plain("#12th") == "＃12th");
  CHECK(plain("#1-a") == "＃1-a");
  CHECK(plain("#1/x") == "＃1/x");
  CHECK(plain("#é") == "＃é");
  CHECK(plain("#1$") == "＃1＄");
  CHECK(plain("#1: #2; #3") == "#1: #2; #3");
  CHECK(plain("# heading") == "＃ heading");
  CHECK(plain("##12") == "＃#12");
}

TEST_CASE("lines and controls and invisible characters leave one line of what can be seen") {
  CHECK(plain("a\nb\r\nc\td") == "a b c d");
  CHECK(plain("  a \u2028\u2029\u0085 b\u00A0 ") == "a b");
  CHECK(plain("\x1b[2Ja") == "［2Ja");
  CHECK(plain("a\u202Eb\u2066c\u200Bd\uFEFFe") == "abcde");
  CHECK(plain(std::string("a\0b", 3)) == "a b");
  CHECK(plain("a\xFF"
              "b\xE4") == "a\uFFFDb\uFFFD");
  CHECK(plain("") == "");
  CHECK(plain("\n \t") == "");
}

TEST_CASE("an invisible character between two others does not hide what they are together") {
  CHECK(plain("http:\u200B//x") == "http∶//x");
  CHECK(plain("%\u200B%") == "%％");
  CHECK(plain("#1\u200Bx") == "＃1x");
}

TEST_CASE("text is cut at its characters with the ellipsis counted") {
  CHECK(plain_text("abcde", 5) == "abcde");
  CHECK(plain_text("abcdef", 5) == "abcd…");
  CHECK(plain_text("修修修修修修", 5) == "修修修修…");
  CHECK(plain_text("|||||", 5) == "¦¦¦¦¦");
  CHECK(plain_text("||||||", 5) == "¦¦¦¦…");
  CHECK(plain_text("abcde   ", 5) == "abcde");
  CHECK(base::count_characters(plain_text(std::string(10'000, 'x'), 400)) == 400);
}

TEST_CASE("no text becomes markup however it is made and cut") {
  REQUIRE(rc::check("plain", [] {
    const auto odd = support::text_made_of(
        {"[", "]",  "|",  "`",    "<",      "!--", "%",      "=",      "~",    "#",    "#1", "a",
         " ", "\n", "\r", "$",    "^",      "*",   "\u200B", "\u202E", "\xFF", "\xE4", "修", "://",
         ":", "/",  "-",  "\x1b", "\u2028", "!",   "(",      ")",      "1",    "\\"});
    const auto text = *rc::gen::oneOf(odd, rc::gen::arbitrary<std::string>());
    const auto most = *rc::gen::inRange<std::size_t>(1, 60);
    const std::string out = plain_text(text, most);
    RC_ASSERT(base::is_valid_utf8(out));
    RC_ASSERT(base::count_characters(out) <= most);
    RC_ASSERT(out.find_first_of("|[]`<$^*\n\r") == std::string::npos);
    for (const std::string_view pair : {"%%", "==", "~~", "://", " #a", "##a", "  ", "\u2028"}) {
      RC_ASSERT(out.find(pair) == std::string::npos);
    }
    RC_ASSERT(!out.starts_with(' '));
    RC_ASSERT(out.ends_with("…") || plain_text(out, most) == out);
  }));
}

TEST_CASE("only a path that can be nothing else is linked") {
  for (const std::string path : {"memory/2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--summary.md",
                                 "memory/2026/März notes/x--summary.md",
                                 "memory/修/x--summary.md"}) {
    CAPTURE(path);
    CHECK(is_linkable(path));
  }
  for (const std::string path : {"",
                                 "memory/a|b/x.md",
                                 "memory/a]]b/x.md",
                                 "memory/a[b/x.md",
                                 "memory/a#b/x.md",
                                 "memory/C#/x.md",
                                 "memory/a^b/x.md",
                                 "memory/a`b/x.md",
                                 "memory/a\nb/x.md",
                                 "memory/a  b/x.md",
                                 "memory/%%/x.md",
                                 "memory/\u202E/x.md",
                                 "memory/\xFF/x.md",
                                 "memory/../x.md",
                                 "/memory/x.md",
                                 "notes/x.md"}) {
    CAPTURE(path);
    CHECK_FALSE(is_linkable(path));
  }
}

TEST_CASE("visible text keeps lines and markdown") {
  CHECK(visible_text("# a\r\n- [[b]]\r\tc\n") == "# a\n- [[b]]\n\tc\n");
  CHECK(visible_text("a\x1b[2J\u202Eb\u2028\xFF") == "a [2Jb \uFFFD");
}

}  // namespace daybook::projection
