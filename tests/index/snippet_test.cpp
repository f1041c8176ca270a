// SPDX-License-Identifier: MIT
#include "daybook/index/snippet.hpp"

#include "daybook/base/utf8.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <string>
#include <vector>

namespace {

using daybook::index::make_snippet;
using daybook::index::SearchQuery;
using daybook::index::Snippet;

Snippet snippet(std::string_view text, std::string_view typed, std::size_t width) {
  static auto splitter = daybook::store::WordSplitter::make().value();
  return make_snippet(splitter, text, SearchQuery::parse(typed).value().terms(), width).value();
}

/// The snippet with what is highlighted in brackets.
std::string marked(std::string_view text, std::string_view typed, std::size_t width = 60) {
  const Snippet made = snippet(text, typed, width);
  std::string shown = made.text;
  for (auto range = made.ranges.rbegin(); range != made.ranges.rend(); ++range) {
    shown.insert(range->end, "]");
    shown.insert(range->begin, "[");
  }
  return (made.cut_before ? "…" : "") + shown + (made.cut_after ? "…" : "");
}

}  // namespace

TEST_CASE("A short text is shown whole, with what was found marked") {
  CHECK(marked("The tide was high.", "tide") == "The [tide] was high.");
  CHECK(marked("Tide, tides and TIDE", "tide") == "[Tide], tides and [TIDE]");
  CHECK(marked("Tide, tides and TIDE", "tid*") == "[Tide], [tides] and [TIDE]");
  CHECK(marked("nothing here", "tide") == "nothing here");
  CHECK(marked("", "tide").empty());
}

TEST_CASE("Letters are compared as the full text compares them") {
  CHECK(marked("Die Ölpumpe läuft", "olpumpe LAUFT") == "Die [Ölpumpe] [läuft]");
  CHECK(marked("Die Olpumpe", "ölpumpe") == "Die [Olpumpe]");
  CHECK(marked("e\xCC\x81t\xC3\xA9", "été") == "[e\xCC\x81t\xC3\xA9]");
  CHECK(marked("看 潮汐表 吧", "潮汐*") == "看 [潮汐表] 吧");
}

TEST_CASE("A phrase is marked as one, and only where its words follow each other") {
  CHECK(marked("tide table, table tide", "\"tide table\"") == "[tide table], table tide");
  CHECK(marked("see src/tide.cpp and src", "src/tide.cpp") == "see [src/tide.cpp] and src");
  CHECK(marked("a a b a a a b", "\"a a b\"") == "[a a b] a [a a b]");
  CHECK(marked("a b a b a c", "\"a b a c\"") == "a b [a b a c]");
  CHECK(marked("tide\n  table", "\"tide table\"") == "[tide table]");
}

TEST_CASE("The place with most terms is shown, the earliest of equals") {
  std::string filler;
  for (int i = 0; i < 40; ++i) {
    filler.append("word ");
  }
  const std::string text =
      "gauge " + filler + "tide and gauge " + filler + "tide and gauge " + filler;
  const std::string shown = marked(text, "tide gauge", 40);
  CHECK(shown == "…word [tide] and [gauge] word word word…");
  CHECK(marked(filler + "harmonics", "harmonics", 30) == "…word word word word [harmonics]");
}

TEST_CASE("Line ends and runs of blanks become one blank") {
  CHECK(marked("one\r\n\r\n  tide\t\tgauge\n", "tide") == "one [tide] gauge");
}

TEST_CASE("A word longer than the width is cut, not lost") {
  const Snippet made = snippet("x " + std::string(500, 'a') + " y", "aaa*", 40);
  CHECK(made.text.size() <= 40);
  REQUIRE(made.ranges.size() == 1);
  CHECK(made.ranges.front().begin < made.ranges.front().end);
  CHECK(made.cut_after);
}

TEST_CASE("Sixteen megabytes are looked through, and the last word is found") {
  std::string text;
  while (text.size() < (16U << 20U)) {
    text.append("the tide of the day and the other words of it ");
  }
  text.append("harmonics");
  CHECK(marked(text, "harmonics \"the tide of the night\" the", 40).find("[harmonics]") !=
        std::string::npos);
}

TEST_CASE("Whatever the text, ranges are apart, inside, and cut no character") {
  rc::prop("ranges", [] {
    const std::string text = *daybook::support::text_made_of(
        {"tide", "gauge", " ", "\n", "ä", "é", "潮", "-", "ti", "\xF0\x9F\x8C\x8A", "  ", "\r"});
    const auto width = *rc::gen::inRange<std::size_t>(0, 50);
    const Snippet made = snippet(text, "tide* \"gauge ti\" ä", width);
    const auto starts_character = [&made](std::size_t at) {
      return at == made.text.size() || !daybook::base::continues_character(made.text[at]);
    };
    RC_ASSERT(made.text.size() <= width);
    RC_ASSERT(made.text.find_first_of("\r\n\t") == std::string::npos);
    RC_ASSERT(starts_character(0));
    std::size_t last = 0;
    for (const Snippet::Range& range : made.ranges) {
      RC_ASSERT(range.begin >= last);
      RC_ASSERT(range.end > range.begin);
      RC_ASSERT(range.end <= made.text.size());
      RC_ASSERT(starts_character(range.begin));
      RC_ASSERT(starts_character(range.end));
      last = range.end + 1;
    }
  });
}
