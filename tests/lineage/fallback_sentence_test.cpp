// SPDX-License-Identifier: MIT
#include "daybook/lineage/fallback_sentence.hpp"

#include "daybook/base/utf8.hpp"
#include "daybook/lineage/sentence_gate.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>

namespace daybook::lineage {
namespace {

std::string sentence_of(std::string_view project, std::string_view body) {
  return fallback_sentence({Kind::summary, project, body, body.size()});
}

bool is_one_plain_line(std::string_view text) {
  return base::is_valid_utf8(text) && std::none_of(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
         });
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += text;
  }
  return out;
}

/// What every fallback must be. Without the body as context: the sentence carries its own anchor.
void check_form(const std::string& sentence, std::string_view project) {
  CAPTURE(sentence);
  CHECK(sentence_flaws(sentence, {project, {}}).empty());
  CHECK(sentence_flaws(sentence, {{}, {}}).empty());
  CHECK(is_one_plain_line(sentence));
  CHECK(base::count_characters(sentence) <= 400);
}

}  // namespace

TEST_CASE("a fallback names the project and the first heading and the size") {
  CHECK(sentence_of("/home/u/daybook",
                    "# Session summary\n\n## Moved the body hasher to one pass\n\nText.\n") ==
        "Work on daybook: Moved the body hasher to one pass (from its summary.md of 63 bytes).");
}

TEST_CASE("a short heading is joined by the sentence behind it") {
  CHECK(sentence_of("/srv/x/", "# Parser\n\nRewrote the **YAML** reader. It is faster now.\n") ==
        "Work on x: Parser: Rewrote the YAML reader (from its summary.md of 57 bytes).");
}

TEST_CASE("markup and links and tags leave only what a reader sees") {
  CHECK(sentence_of("p2",
                    "> - Read [the docs](https://x.y/z) and [[memory/a.md|the note]] with `ls`, "
                    "<b>bold</b> ~~old~~ ![picture](a.png).\n") ==
        "Work on p2: Read the docs and the note with ls, bold old picture (from its summary.md of "
        "114 bytes).");
}

TEST_CASE("code and tables and rules are no opening words") {
  CHECK(
      sentence_of("p2", "---\n```sh\nrm -rf x\n```\n| a | b |\n|---|---|\n\n1. Cleaned up all.") ==
      "Work on p2: Cleaned up all (from its summary.md of 62 bytes).");
}

TEST_CASE("a fallback says what was asked, what came of it, and how it ended") {
  const std::string request = "## Request\n\n> Do nine things. Then ten.\n\n";
  const std::string outcome = "## Outcome\n\n> All nine are done. Nothing failed.\n\n";
  CHECK(sentence_of("/srv/third", request + outcome + "Status: completed, 2 turns.\n") ==
        "Work on third: Do nine things; outcome: All nine are done (from its summary.md of 119 "
        "bytes).");
  CHECK(sentence_of("/srv/third", request + outcome + "Status: interrupted, 2 turns.\n") ==
        "Work on third: Do nine things; outcome: All nine are done; it was interrupted (from its "
        "summary.md of 121 bytes).");
  CHECK(sentence_of("/srv/third", "# Nine things at once\n\n" + request + "Status: failed.\n") ==
        "Work on third: Nine things at once; it failed (from its summary.md of 80 bytes).");
  CHECK(
      sentence_of("/srv/third", "## Request\n\n> Status: failed\n\nStatus: completed.\n") ==
      "Work on third: Status: failed (opening words of its summary.md of 49 bytes, as no sentence "
      "was written).");
  // So little that it would be no sentence.
  CHECK(sentence_of("/srv/third", "## Request\n\n> Hi\n") ==
        "Work on third: Hi (opening words of its summary.md of 17 bytes, as no sentence was "
        "written).");
}

TEST_CASE("without project and body the fallback still says what there is") {
  const std::string sentence = fallback_sentence({Kind::transcript, {}, {}, 0});
  CHECK(sentence ==
        "A session without a project left a transcript.md of 0 bytes without readable opening "
        "words, and no sentence was written for it.");
  check_form(sentence, {});
}

TEST_CASE("the fallback passes the gate for odd projects and bodies") {
  for (const std::string& project : {std::string(),
                                     std::string("/"),
                                     std::string("x"),
                                     std::string("C:\\work\\Daybook\\"),
                                     std::string("/home/u/会话"),
                                     std::string("/a/many words in one folder name for once"),
                                     std::string("/a/\n# forged\x1b[2J"),
                                     std::string("\xFF\xFE"),
                                     repeated("p", 10'000)}) {
    for (const std::string& body : {std::string(),
                                    std::string("\n\n\n"),
                                    std::string("word"),
                                    std::string("# Summary\n"),
                                    repeated("letters", 2'000),
                                    repeated("many words ", 2'000),
                                    repeated("修复", 2'000),
                                    repeated("修复。", 2'000),
                                    "# " + repeated("many words ", 50) + "\n## Outcome\n> " +
                                        repeated("and more ", 90) + "\n\nStatus: interrupted.",
                                    "## Outcome\n" + repeated("修复", 900) + "\n\nStatus: failed.",
                                    std::string("\0\x01\xFF binary \x7F", 12),
                                    std::string("fixed \xE4\xBF"),  // cut within a character
                                    std::string("[[[[ ]] ]( <b <!-- `` ** __ || ~~~"),
                                    std::string("\u202Egnp.exe\u2066 hidden\u200B words")}) {
      CAPTURE(project, body);
      check_form(sentence_of(project, body), project);
    }
  }
}

TEST_CASE("the fallback passes the gate for any project and body") {
  REQUIRE(rc::check("fallback", [] {
    const auto odd = support::text_made_of({"#",
                                            "# ",
                                            "\n",
                                            "\r\n",
                                            " ",
                                            "a word",
                                            "修复",
                                            "。",
                                            ". ",
                                            "[[",
                                            "]]",
                                            "|",
                                            "](",
                                            "(",
                                            ")",
                                            "<b>",
                                            "<!--",
                                            "\x1b[",
                                            "\xFF",
                                            "\xE4",
                                            "`",
                                            "```",
                                            "*",
                                            "_x_",
                                            "-",
                                            "- ",
                                            "1.",
                                            "!",
                                            "?",
                                            "\t",
                                            "\n## Outcome\n",
                                            "\nStatus: cancelled",
                                            "\u2028",
                                            "\u202E",
                                            "ก",
                                            "é",
                                            "👩‍💻",
                                            "/",
                                            "\\",
                                            "~~",
                                            "tl;dr"});
    const auto project = *odd;
    const auto body = *rc::gen::oneOf(odd, rc::gen::arbitrary<std::string>());
    const auto kind = *rc::gen::element(Kind::summary, Kind::transcript, Kind::compaction);
    const auto size = *rc::gen::arbitrary<std::uint64_t>();
    const std::string sentence = fallback_sentence({kind, project, body, size});
    RC_ASSERT(sentence_flaws(sentence, {project, {}}).empty());
    RC_ASSERT(is_one_plain_line(sentence));
    RC_ASSERT(base::count_characters(sentence) <= 400U);
    RC_ASSERT(sentence == fallback_sentence({kind, project, body, size}));
  }));
}

TEST_CASE("only the beginning of a body is looked at") {
  const std::string beginning = repeated("- \n", kFallbackBodyBytes / 3 + 1);
  CHECK(sentence_of("p2", beginning + "Words far behind.\n").find("far behind") ==
        std::string::npos);
}

}  // namespace daybook::lineage
