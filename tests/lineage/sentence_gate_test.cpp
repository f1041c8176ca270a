// SPDX-License-Identifier: MIT
#include "daybook/lineage/sentence_gate.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

namespace daybook::lineage {
namespace {

using Flaws = std::vector<SentenceFlaw>;

const SentenceContext kNoContext{};

/// `count` words, the first of which is an anchor.
std::string words(std::size_t count) {
  std::string sentence = "DP-19";
  for (std::size_t i = 1; i < count; ++i) {
    sentence += " word";
  }
  return sentence + ".";
}

/// A sentence that has nothing to hold on to but what is put into it.
std::string about(const std::string& what) {
  return "We looked at " + what + " again today with the whole team and nothing else came up.";
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += text;
  }
  return out;
}

}  // namespace

TEST_CASE("the seed's example passes") {
  CHECK(sentence_flaws("Finalized DP-19 write-gate clamping decisions and queued scope-aware dedup "
                       "parity validation before merge.",
                       {"/home/nicholai/signet/signetai", ""})
            .empty());
}

TEST_CASE("twelve to forty-eight words pass and one less or more does not") {
  CHECK(sentence_flaws(words(12), kNoContext) == Flaws{});
  CHECK(sentence_flaws(words(30), kNoContext) == Flaws{});
  CHECK(sentence_flaws(words(48), kNoContext) == Flaws{});
  CHECK(sentence_flaws(words(11), kNoContext) == Flaws{SentenceFlaw::too_few_words});
  CHECK(sentence_flaws(words(1), kNoContext) == Flaws{SentenceFlaw::too_few_words});
  CHECK(sentence_flaws(words(49), kNoContext) == Flaws{SentenceFlaw::too_many_words});
  CHECK(sentence_flaws(words(500), kNoContext) == Flaws{SentenceFlaw::too_many_words});
}

TEST_CASE("a sentence without words is missing and nothing else") {
  for (const std::string sentence : {"", " ", "\t\n", " \r\n "}) {
    CHECK(sentence_flaws(sentence, kNoContext) == Flaws{SentenceFlaw::missing});
  }
}

TEST_CASE("each flaw is found alone") {
  std::string unended = words(20);
  unended.pop_back();
  CHECK(sentence_flaws(unended, kNoContext) == Flaws{SentenceFlaw::no_terminal_punctuation});
  CHECK(sentence_flaws(about("the thing"), kNoContext) == Flaws{SentenceFlaw::no_anchor});
  CHECK(sentence_flaws(about("DP-19"), kNoContext) == Flaws{});
}

TEST_CASE("several flaws are listed in their order") {
  CHECK(sentence_flaws("did something", kNoContext) == Flaws{SentenceFlaw::too_few_words,
                                                             SentenceFlaw::no_terminal_punctuation,
                                                             SentenceFlaw::no_anchor});
  CHECK(sentence_flaws(repeated("word ", 60), kNoContext) ==
        Flaws{SentenceFlaw::too_many_words,
              SentenceFlaw::no_terminal_punctuation,
              SentenceFlaw::no_anchor});
}

TEST_CASE("the templates that say nothing are known in any spelling") {
  // A template is always too short as well: it is the one flaw that cannot be alone.
  const Flaws expected{
      SentenceFlaw::too_few_words, SentenceFlaw::no_anchor, SentenceFlaw::low_signal_template};
  for (const std::string sentence : {"Investigated issue.",
                                     "Worked on task.",
                                     "Reviewed code.",
                                     "investigated issue.",
                                     "WORKED ON TASK!",
                                     "\"Reviewed code.\""}) {
    CAPTURE(sentence);
    CHECK(sentence_flaws(sentence, kNoContext) == expected);
  }
  // An anchor does not help a template.
  CHECK(sentence_flaws("Reviewed code.", {"/srv/code", ""}) ==
        Flaws{SentenceFlaw::too_few_words, SentenceFlaw::low_signal_template});
}

TEST_CASE("a longer sentence that begins like a template is none") {
  CHECK(sentence_flaws("Reviewed code in src/lineage and found that the body hasher takes back "
                       "blanks at line ends.",
                       kNoContext)
            .empty());
}

TEST_CASE("sentences end in all the ways that sentences end") {
  std::string unended = words(20);
  unended.pop_back();
  for (const std::string end : {".",
                                "!",
                                "?",
                                "...",
                                "…",
                                "。",
                                "！",
                                "？",
                                ".\"",
                                ".)",
                                "!'",
                                "?]",
                                ".`",
                                ".”",
                                ".’",
                                "。」",
                                ". ",
                                ".\" "}) {
    CAPTURE(end);
    CHECK(sentence_flaws(unended + end, kNoContext).empty());
  }
  for (const std::string end : {"", ",", ":", ";", "-", ")", "\"", " .x", "、"}) {
    CAPTURE(end);
    const Flaws flaws = sentence_flaws(unended + end, kNoContext);
    CHECK(std::count(flaws.begin(), flaws.end(), SentenceFlaw::no_terminal_punctuation) == 1);
  }
}

TEST_CASE("a line break after the full stop as YAML blocks leave it is no flaw") {
  CHECK(sentence_flaws(words(20) + "\n", kNoContext).empty());
  CHECK(sentence_flaws(words(20) + "\r\n", kNoContext).empty());
  CHECK(sentence_flaws(words(20) + "\t", kNoContext).empty());
}

TEST_CASE("words are what stands between blanks and holds a letter or digit") {
  CHECK(count_words("") == 0);
  CHECK(count_words("one") == 1);
  CHECK(count_words("one two  three\tfour\nfive") == 5);
  CHECK(count_words(" lead and trail ") == 3);
  CHECK(count_words("a - b — c") == 3);
  CHECK(count_words("... !!! ---") == 0);
  CHECK(count_words("write-gate src/main.cpp e.g. don't 3.14") == 5);
  CHECK(count_words("\"quoted\" (bracketed) *starred*") == 3);
  CHECK(count_words("no\u00A0break\u3000wide\u2003em") == 4);
  CHECK(count_words("Grüße aus Köln") == 3);
  CHECK(count_words("Это обычное предложение") == 3);
  CHECK(count_words("한국어 문장") == 2);
  CHECK(count_words("42 7") == 2);
  CHECK(count_words("\xFF\xFE") == 0);
}

TEST_CASE("two letters of a script without blanks are one word") {
  CHECK(count_words("会") == 1);
  CHECK(count_words("会话") == 1);
  CHECK(count_words("会话记") == 2);
  CHECK(count_words("会话记忆") == 2);
  CHECK(count_words("テストを書いた") == 4);  // 7 letters
  CHECK(count_words("สวัสดีครับ") == 5);         // 10 letters, signs above counted
  CHECK(count_words("修复。提交") == 2);      // two runs
  CHECK(count_words("修。复") == 2);          // each rounded up
  CHECK(count_words("修 复") == 2);
  CHECK(count_words("修复 bug") == 2);
  CHECK(count_words("修复bug后提交") == 4);  // 1 + 1 + 2
  CHECK(count_words("会话-1") == 2);
}

TEST_CASE("Chinese and Japanese and Thai sentences pass by the same measure") {
  for (const std::string letter : {"修", "あ", "ก"}) {
    const std::string stop = letter == "ก" ? "." : "。";
    CAPTURE(letter);
    CHECK(sentence_flaws("DP-19 " + repeated(letter, 22) + stop, kNoContext).empty());  // 1 + 11
    CHECK(sentence_flaws("DP-19 " + repeated(letter, 20) + stop, kNoContext) ==
          Flaws{SentenceFlaw::too_few_words});
    CHECK(sentence_flaws("DP-19 " + repeated(letter, 94) + stop, kNoContext).empty());  // 1 + 47
    CHECK(sentence_flaws("DP-19 " + repeated(letter, 95) + stop, kNoContext) ==
          Flaws{SentenceFlaw::too_many_words});
  }
}

TEST_CASE("adding a word adds one to the count") {
  REQUIRE(rc::check("words", [] {
    const auto count = *rc::gen::inRange<std::size_t>(0, 200);
    RC_ASSERT(count_words(repeated("word, ", count)) == count);
    RC_ASSERT(count_words(repeated("会话、", count)) == count);
  }));
}

TEST_CASE("identifiers are anchors") {
  for (const std::string what :
       {"task 45",        "Task 45",      "task #45",       "#12",       "(#12)",     "#12,",
        "DP-19",          "DP-19:",       "\"DP-19\"",      "GH-7",      "PR 7",      "pr 7",
        "PR#45",          "owner/repo#7", "issue 12",       "Issue: 12", "ticket 9a", "bug 1234",
        "pull request 7", "MR 3",         "commit 3f2a9c1", "X2-1"}) {
    CAPTURE(what);
    CHECK(has_anchor(about(what), kNoContext));
  }
}

TEST_CASE("a word that announces an identifier is none without its number") {
  for (const std::string what :
       {"task",           "the task",  "Task",   "an issue", "a PR",   "the bug", "this ticket",
        "a pull request", "task list", "task -", "#",        "# 12",   "DP-",     "-19",
        "dp-19x",         "DP-x",      "45",     "1234567",  "facade", "deadbeef"}) {
    CAPTURE(what);
    CHECK_FALSE(has_anchor(about(what), kNoContext));
  }
}

TEST_CASE("paths and packages and files are anchors") {
  for (const std::string what : {"src/main.cpp",
                                 "src/lineage",
                                 "./run",
                                 "~/notes",
                                 "/etc/hosts",
                                 "`src/base/`",
                                 "(docs/CHECKS.md)",
                                 "main.cpp",
                                 "package.json,",
                                 "`index.db`",
                                 "Node.js",
                                 "CMakeLists.txt",
                                 "snake_case",
                                 "std::string",
                                 "commit()",
                                 "react@18.2",
                                 "@types/node"}) {
    CAPTURE(what);
    CHECK(has_anchor(about(what), kNoContext));
  }
}

TEST_CASE("slashes and dots of ordinary prose are no anchors") {
  for (const std::string what : {"this and/or that",
                                 "And/Or",
                                 "and/or,",
                                 "either/or",
                                 "read/write",
                                 "I/O",
                                 "n/a",
                                 "1/2",
                                 "24/7",
                                 "12/2024",
                                 "Q3/2024",
                                 "e.g. this",
                                 "e.g.,",
                                 "i.e. that",
                                 "3.14",
                                 "3.14159",
                                 "1.2.3",
                                 "v1.2",
                                 "10.5MB",
                                 "a.m.",
                                 "U.S. law",
                                 "etc. etc.",
                                 "...",
                                 "/",
                                 ".",
                                 "_",
                                 "*this*",
                                 "_that_",
                                 "someone@example",
                                 "a_",
                                 "::"}) {
    CAPTURE(what);
    CHECK_FALSE(has_anchor(about(what), kNoContext));
  }
}

TEST_CASE("a file whose whole name is an extension is an anchor") {
  CHECK(has_anchor(about(".gitignore"), kNoContext));
  CHECK(has_anchor(about("`.clang-format`"), kNoContext));
  CHECK(has_anchor(about(".env"), kNoContext));
}

TEST_CASE("slashes alone are no path") {
  CHECK_FALSE(has_anchor(about("//"), kNoContext));
  CHECK_FALSE(has_anchor(about("///"), kNoContext));
}

TEST_CASE("the project's basename is an anchor") {
  const auto anchored = [](const std::string& what, std::string_view project) {
    return has_anchor(about(what), {project, ""});
  };
  CHECK(anchored("signetai", "/home/nicholai/signet/signetai"));
  CHECK(anchored("signetai", "/home/nicholai/signet/signetai/"));
  CHECK(anchored("signetai", "/home/nicholai/signet/signetai///"));
  CHECK(anchored("SignetAI", "/home/nicholai/signet/signetai"));
  CHECK(anchored("signetai", "/home/nicholai/signet/SIGNETAI"));
  CHECK(anchored("signetai", "signetai"));
  CHECK(anchored("signetai's", "signetai"));
  CHECK(anchored("(signetai)", "signetai"));
  CHECK(anchored("daybook", "C:\\work\\Daybook\\"));
  CHECK(anchored("my project", "/home/u/my project"));
  CHECK(anchored("Übung", "/home/u/übung"));
  CHECK(anchored("会话", "/home/u/会话"));
}

TEST_CASE("something else than the project's whole basename is no anchor") {
  const auto anchored = [](const std::string& what, std::string_view project) {
    return has_anchor(about(what), {project, ""});
  };
  CHECK_FALSE(anchored("nothing", "/home/nicholai/signet/signetai"));
  CHECK_FALSE(anchored("signet", "/home/nicholai/signet/signetai"));  // the folder above
  CHECK_FALSE(anchored("presignetai", "signetai"));
  CHECK_FALSE(anchored("signetais", "signetai"));
  CHECK_FALSE(anchored("signetai2", "signetai"));
  CHECK_FALSE(anchored("nothing", ""));
  CHECK_FALSE(anchored("nothing", "/"));
  CHECK_FALSE(anchored("x", "/home/u/x"));  // one letter says too little
}

TEST_CASE("names stand next to Chinese letters without a blank") {
  CHECK(has_anchor("今天修复了daybook中的索引问题。", {"/home/u/daybook", ""}));
  CHECK(has_anchor("今天修复了索引，改用SQLite存储。", {"", "我们决定用SQLite存储索引。"}));
  CHECK_FALSE(has_anchor("今天修复了daybooks中的索引问题。", {"/home/u/daybook", ""}));
}

TEST_CASE("identifiers are found between Chinese letters") {
  CHECK(has_anchor("今天修复了DP-19的索引问题。", kNoContext));
  CHECK(has_anchor("今天修改了src/main.cpp，已提交。", kNoContext));
  CHECK_FALSE(has_anchor("今天修复了索引问题，已提交。", kNoContext));
}

TEST_CASE("a component is an anchor only when the session names it") {
  for (const std::string what : {"SQLite", "fooBar", "sha256", "write-gate", "Daybook", "FTS5"}) {
    const std::string sentence = about(what);
    CAPTURE(what);
    CHECK_FALSE(has_anchor(sentence, kNoContext));
    CHECK_FALSE(has_anchor(sentence, {"", "The session speaks of other things."}));
    CHECK(has_anchor(sentence, {"", "user: what about " + what + "?"}));
    CHECK(has_anchor(sentence, {"", what}));
    CHECK_FALSE(has_anchor(sentence, {"", "a" + what + "b"}));
    CHECK_FALSE(has_anchor(sentence, {"", what + "_2"}));
  }
}

TEST_CASE("a plain word is no component although the session uses it") {
  CHECK_FALSE(has_anchor(about("the index"), {"", "We looked at the index again today."}));
  CHECK_FALSE(has_anchor("Yesterday we looked at it again and nothing else came up at all.",
                         {"", "Yesterday was fine."}));
}

TEST_CASE("a capital that begins a second sentence makes no component") {
  CHECK_FALSE(has_anchor("we talked about many things for long. The rest was left for later.",
                         {"", "The user asked something. The rest is silence."}));
}

TEST_CASE("the name of each flaw is stable") {
  CHECK(to_string(SentenceFlaw::missing) == "missing");
  CHECK(to_string(SentenceFlaw::too_few_words) == "too-few-words");
  CHECK(to_string(SentenceFlaw::too_many_words) == "too-many-words");
  CHECK(to_string(SentenceFlaw::no_terminal_punctuation) == "no-terminal-punctuation");
  CHECK(to_string(SentenceFlaw::no_anchor) == "no-anchor");
  CHECK(to_string(SentenceFlaw::low_signal_template) == "low-signal-template");
}

TEST_CASE("any bytes are judged without harm") {
  REQUIRE(rc::check(
      "random sentences",
      [](const std::string& sentence, const std::string& project, const std::string& text) {
        const Flaws flaws = sentence_flaws(sentence, {project, text});
        const bool anchored = has_anchor(sentence, {project, text});
        const bool missing = flaws == Flaws{SentenceFlaw::missing};
        const bool says_no_anchor =
            std::count(flaws.begin(), flaws.end(), SentenceFlaw::no_anchor) == 1;
        RC_ASSERT(missing || says_no_anchor == !anchored);
        RC_ASSERT(std::is_sorted(flaws.begin(), flaws.end()));
      }));
}

TEST_CASE("a session text of megabytes is searched in one pass and not for ever") {
  // Quadratic search would run into the test's time limit.
  const std::string text = repeated("aB", 2'000'000);
  CHECK_FALSE(has_anchor(about(repeated("aB", 200) + "c"), {"", text}));
}

}  // namespace daybook::lineage
