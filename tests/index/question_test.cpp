// SPDX-License-Identifier: MIT
#include "daybook/index/question.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

using daybook::index::Question;
using daybook::index::SearchTerm;
using daybook::index::stem_of;

std::vector<std::string> stems(std::string_view asked) {
  std::vector<std::string> found;
  const Question question = Question::parse(asked).value();
  for (const auto& term : question.terms()) {
    found.push_back(term.stem);
  }
  return found;
}

}  // namespace

TEST_CASE("Words that say nothing are left out of a question, and each other one comes once") {
  CHECK(stems("Why was the cache not flushed after the caches were full?") ==
        std::vector<std::string>{"cach", "flush", "full"});
  CHECK(Question::parse("what did you do there").value().is_empty());
  CHECK(Question::parse(" ?! ").value().is_empty());
}

TEST_CASE("Inflections of a word share what is looked for") {
  for (const auto& [one, other] :
       std::vector<std::pair<std::string, std::string>>{{"caching", "cached"},
                                                        {"stopped", "stops"},
                                                        {"retries", "retry"},
                                                        {"migrations", "migrated"},
                                                        {"timeouts", "timeout"},
                                                        {"verification", "verified"}}) {
    INFO(one << " " << other);
    const std::string_view a = stem_of(one);
    const std::string_view b = stem_of(other);
    CHECK((a.starts_with(b) || b.starts_with(a)));
    CHECK(a.size() >= 4);
  }
}

TEST_CASE("A short word, a number and a word of another script are looked for as they are") {
  const Question question = Question::parse("tls 404 潮汐表 Ölpumpe").value();
  REQUIRE(question.terms().size() == 4);
  CHECK(question.terms()[0].match == SearchTerm::Match::whole);
  CHECK(question.terms()[0].stem == "tls");
  CHECK(question.terms()[1].stem == "404");
  CHECK(question.terms()[2].stem == "潮汐表");
  CHECK(question.terms()[3].stem == "olpump");
}

TEST_CASE("A question as long as a book counts by its first words") {
  std::string asked;
  for (int i = 0; i < 100'000; ++i) {
    asked.append("word").append(std::to_string(i)).append(" ");
  }
  CHECK(Question::parse(asked).value().terms().size() == daybook::index::kMostQuestionTerms);
}

TEST_CASE("Words that say nothing take no room of the others, and a cut is told") {
  std::string asked;
  for (int i = 0; i < 2000; ++i) {
    asked += "the ";
  }
  const Question found = Question::parse(asked + "idempotency").value();
  REQUIRE(found.terms().size() == 1);
  CHECK_FALSE(found.is_cut());
  asked.clear();
  for (std::size_t i = 0; i < daybook::index::kMostQuestionTerms; ++i) {
    asked += "w" + std::to_string(i) + " ";
  }
  CHECK_FALSE(Question::parse(asked + "the w0").value().is_cut());
  CHECK(Question::parse(asked + "more words").value().is_cut());
  CHECK(Question::parse(std::string(daybook::index::kLongestQuestion, ' ') + "word")
            .value()
            .is_cut());
}
