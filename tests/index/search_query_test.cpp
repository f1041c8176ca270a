// SPDX-License-Identifier: MIT
#include "daybook/index/search_query.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

using daybook::index::SearchQuery;
using daybook::index::SearchTerm;

SearchQuery query(std::string_view typed) { return SearchQuery::parse(typed).value(); }

std::vector<std::string> words(std::string_view typed) {
  std::vector<std::string> all;
  const SearchQuery parsed = query(typed);
  for (const SearchTerm& term : parsed.terms()) {
    std::string joined;
    for (const std::string& word : term.words) {
      joined.append(joined.empty() ? "" : "+").append(word);
    }
    all.push_back(joined.append(term.match == SearchTerm::Match::prefix ? "*" : ""));
  }
  return all;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("Words are terms, folded as the full text folds them") {
  CHECK(words("tide gauge") == Words{"tide", "gauge"});
  CHECK(words("  Tide\tGÄUGE\n") == Words{"tide", "gauge"});
  CHECK(words("naïve Ångström") == Words{"naive", "angstrom"});
  CHECK(words("潮汐表") == Words{"潮汐表"});
}

TEST_CASE("What FTS5 takes for several words is a phrase") {
  CHECK(words("a-b") == Words{"a+b"});
  CHECK(words("src/tide/harmonics.cpp") == Words{"src+tide+harmonics+cpp"});
  CHECK(words("\"the tide table\" x") == Words{"the+tide+table", "x"});
  CHECK(words("\"the tide") == Words{"the+tide"});
  CHECK(words("one\"two three\"four") == Words{"one", "two+three", "four"});
}

TEST_CASE("A star at the end asks for a beginning") {
  CHECK(words("har*") == Words{"har*"});
  CHECK(words("src/har*") == Words{"src+har*"});
  CHECK(words("\"tide ta\"*") == Words{"tide+ta*"});
  CHECK(words("*") == Words{});
  CHECK(words("a*b") == Words{"a+b"});
}

TEST_CASE("What holds no word is ignored, and nothing at all is an empty query") {
  CHECK(words("c++ ++") == Words{"c"});
  for (const char* nothing : {"", " ", "++", "\"", "\"\"", "*", "-", "- -", "()", "\x01"}) {
    INFO(nothing);
    CHECK(query(nothing).is_empty());
    CHECK(query(nothing).expression().empty());
  }
  CHECK(query(std::string_view("\0\0", 2)).is_empty());
  CHECK(words(std::string_view("a\0b", 3)) == Words{"a", "b"});
}

TEST_CASE("A minus excludes, but only beside something to look for") {
  CHECK(words("tide -gauge") == Words{"tide"});
  CHECK(query("tide -gauge").expression() == R"((("tide")) NOT ("gauge"))");
  CHECK(query("-gauge").is_empty());
  CHECK(query("-\"a b\"").is_empty());
  CHECK(words("--force") == Words{"force"});
  CHECK(words("tide-gauge") == Words{"tide+gauge"});
}

TEST_CASE("OR joins its neighbours, and is a word where it has none") {
  CHECK(query("a b OR c d").expression() == R"((("a") AND ("b" OR "c") AND ("d")))");
  CHECK(query("a OR b OR c").expression() == R"((("a" OR "b" OR "c")))");
  CHECK(words("OR") == Words{"or"});
  CHECK(words("a OR") == Words{"a", "or"});
  CHECK(words("OR a") == Words{"or", "a"});
  CHECK(words("a OR OR b") == Words{"a", "or", "b"});
  CHECK(words("a or b") == Words{"a", "or", "b"});
  CHECK(words("a \"OR\" b") == Words{"a", "or", "b"});
}

TEST_CASE("A query is read as far as its limits") {
  std::string many;
  for (int i = 0; i < 200; ++i) {
    many.append("w").append(std::to_string(i)).append(" ");
  }
  CHECK(words(many).size() == daybook::index::kMostTerms);
  CHECK(query(std::string(1U << 20U, 'a')).terms().front().words.front().size() ==
        daybook::index::kLongestQuery);
}
