// SPDX-License-Identifier: MIT
// Json writes what nlohmann::ordered_json writes, byte for byte: many scripts read these answers.
#include "daybook/base/json.hpp"

#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace daybook::base {
namespace {

using namespace std::string_literals;
using nlohmann::ordered_json;

/// The same value twice, by both.
struct Twins {
  Json ours;
  ordered_json theirs;
};

template <typename Value>
Twins twins_of(const Value& value) {
  return {Json(value), ordered_json(value)};
}

std::string pretty(const ordered_json& value) {
  return value.dump(2, ' ', true, ordered_json::error_handler_t::replace);
}

std::string compact(const ordered_json& value) {
  return value.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

void check_same(const Twins& twins) {
  CHECK(twins.ours.pretty() == pretty(twins.theirs));
  CHECK(twins.ours.compact() == compact(twins.theirs));
}

/// Whole and broken characters of every length, and what JSON itself has names for.
std::string random_text() {
  return *support::text_made_of({"a",
                                 " ",
                                 "\"",
                                 "\\",
                                 "/",
                                 "\n",
                                 "\x7F",
                                 "\x1F"s,
                                 "\0"s,
                                 "ä",
                                 "€",
                                 "😀",
                                 "\x80",
                                 "\xBF",
                                 "\xC0\xAF",
                                 "\xC3",
                                 "\xE2\x82",
                                 "\xE0\x80",
                                 "\xED\xA0",
                                 "\xED\xA0\x80",
                                 "\xF0\x9F",
                                 "\xF0",
                                 "\xF0\x80",
                                 "\xF4\x90",
                                 "\xF0\x9F\x98",
                                 "\xF4\x8F\xBF\xBF",
                                 "\xEF\xBF\xBD",
                                 "\xF8",
                                 "\xFF"});
}

double random_double() {
  switch (*rc::gen::inRange(0, 3)) {
    case 0:  // any bits, so any size
      return std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
    case 1:  // of the size of scores and seconds
      return static_cast<double>(*rc::gen::inRange<std::int64_t>(-1'000'000'000, 1'000'000'000)) /
             static_cast<double>(*rc::gen::inRange<std::int64_t>(1, 1'000'000));
    default:
      return static_cast<double>(*rc::gen::arbitrary<std::int64_t>());
  }
}

Twins random_leaf() {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return twins_of(*rc::gen::arbitrary<bool>());
    case 1:
      return twins_of(*rc::gen::arbitrary<std::int64_t>());
    case 2:
      return twins_of(*rc::gen::arbitrary<std::uint64_t>());
    case 3:
      return twins_of(random_double());
    case 4:
      return twins_of(random_text());
    case 5:
      return twins_of(std::vector<std::string>{random_text(), random_text()});
    default:
      return twins_of(nullptr);
  }
}

Twins random_tree(int depth) {
  const int shape = depth == 0 ? 0 : *rc::gen::inRange(0, 3);
  if (shape == 0) {
    return random_leaf();
  }
  const bool is_array = shape == 1;
  Twins tree{is_array ? Json::array() : Json::object({}),
             is_array ? ordered_json::array() : ordered_json::object()};
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) {
    Twins part = random_tree(depth - 1);
    if (is_array) {
      tree.ours.push_back(std::move(part.ours));
      tree.theirs.push_back(std::move(part.theirs));
    } else {
      const std::string name = random_text();
      tree.ours[name] = std::move(part.ours);
      tree.theirs[name] = std::move(part.theirs);
    }
  }
  return tree;
}

}  // namespace

TEST_CASE("a JSON answer is written as it is read here") {
  Json answer =
      Json::object({{"name", "a \"b\"\n"},
                    {"count", 3},
                    {"score", 2.0},
                    {"none", nullptr},
                    {"empty", Json::array()},
                    {"nothing", Json::object({})},
                    {"pairs", Json::array({Json::array({"a", 1}), Json::array({"b", 2})})}});
  answer["count"] = 4;
  answer["fresh"] = true;
  CHECK(answer.pretty() == R"({
  "name": "a \"b\"\n",
  "count": 4,
  "score": 2.0,
  "none": null,
  "empty": [],
  "nothing": {},
  "pairs": [
    [
      "a",
      1
    ],
    [
      "b",
      2
    ]
  ],
  "fresh": true
})");
  CHECK(answer.compact() ==
        R"({"name":"a \"b\"\n","count":4,"score":2.0,"none":null,"empty":[],"nothing":{},)"
        R"("pairs":[["a",1],["b",2]],"fresh":true})");
}

TEST_CASE(
    "JSON text is ASCII, and what is not UTF-8 becomes U+FFFD, once for each broken character") {
  CHECK(Json("\x7F").compact() == R"("\u007f")");
  CHECK(Json("\b\t\n\f\r\x0B\x1B"s + "\0"s).compact() == R"("\b\t\n\f\r\u000b\u001b\u0000")");
  CHECK(Json("ä€😀\xF4\x8F\xBF\xBF").compact() == R"("\u00e4\u20ac\ud83d\ude00\udbff\udfff")");
  CHECK(Json("a\xE2\x82"s).compact() == R"("a\ufffd")");
  CHECK(Json("\xE2\x82z"s).compact() == R"("\ufffdz")");
  CHECK(Json("\xE2\xE2\x82\xAC"s).compact() == R"("\ufffd\u20ac")");
  CHECK(Json("\xED\xA0\x80"s).compact() == R"("\ufffd\ufffd\ufffd")");
}

TEST_CASE("every text of up to four hostile bytes is written as by nlohmann's JSON") {
  std::size_t differences = 0;
  support::every_text(
      "\x41\x22\x80\x8F\x90\x9F\xA0\xBF\xC0\xC3\xE0\xE2\xED\xEF\xF0\xF3\xF4\xF5\xFF",
      4,
      [&differences](const std::string& text) {
        differences += Json(text).compact() == compact(text) ? 0U : 1U;
      });
  CHECK(differences == 0);
}

TEST_CASE("every character is written as by nlohmann's JSON") {
  std::string all;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c < 0x80) {
      all.push_back(static_cast<char>(c));
    } else if (c < 0x800) {
      all.append({static_cast<char>(0xC0U | c >> 6U), static_cast<char>(0x80U | (c & 0x3FU))});
    } else if (c < 0x10000) {  // with the surrogates, which UTF-8 forbids
      all.append({static_cast<char>(0xE0U | c >> 12U),
                  static_cast<char>(0x80U | (c >> 6U & 0x3FU)),
                  static_cast<char>(0x80U | (c & 0x3FU))});
    } else {
      all.append({static_cast<char>(0xF0U | c >> 18U),
                  static_cast<char>(0x80U | (c >> 12U & 0x3FU)),
                  static_cast<char>(0x80U | (c >> 6U & 0x3FU)),
                  static_cast<char>(0x80U | (c & 0x3FU))});
    }
  }
  const bool same = Json(all).compact() == compact(all);
  CHECK(same);
}

TEST_CASE("numbers at the ends of their range are written as by nlohmann's JSON") {
  using Doubles = std::numeric_limits<double>;
  for (const double number : {0.0,
                              -0.0,
                              1.0,
                              -1.5,
                              0.1,
                              1e15,
                              1e16,
                              1e17,
                              123456789012345678.0,
                              1e-4,
                              1e-5,
                              5e-324,
                              9.5367431640625e-07,
                              1e23,
                              Doubles::max(),
                              Doubles::lowest(),
                              Doubles::min(),
                              Doubles::epsilon(),
                              Doubles::infinity(),
                              -Doubles::infinity(),
                              std::nan("")}) {
    check_same(twins_of(number));
  }
  check_same(twins_of(std::numeric_limits<int>::min()));
  check_same(twins_of(std::numeric_limits<unsigned>::max()));
  check_same(twins_of(std::numeric_limits<long long>::min()));
  check_same(twins_of(std::numeric_limits<long long>::max()));
  check_same(twins_of(std::numeric_limits<unsigned long long>::max()));
}

TEST_CASE("A value tells the memory that it takes, with all that is in it") {
  const std::size_t nothing = Json().memory();
  CHECK(nothing == sizeof(Json));
  CHECK(Json("short").memory() == nothing);
  CHECK(Json(std::string(1000, 'x')).memory() > 1000);
  CHECK(Json::object({{std::string(1000, 'x'), 0}}).memory() > 1000 + 2 * nothing);
  std::string zeros = "[0";
  for (int i = 1; i < 1000; ++i) {
    zeros.append(",0");
  }
  const std::size_t many = Json::parse(zeros + "]")->memory();
  CHECK(many >= 1000 * nothing);
  CHECK(many <= 3000 * nothing);  // vectors grow ahead
  CHECK(Json::parse(R"({"a":)" + zeros + "]}")->memory() > many);
}

TEST_CASE("any value is written as by nlohmann's JSON") {
  CHECK(rc::check([] {
    const Twins tree = random_tree(*rc::gen::inRange(0, 5));
    RC_ASSERT(tree.ours.pretty() == pretty(tree.theirs));
    RC_ASSERT(tree.ours.compact() == compact(tree.theirs));
  }));
}

TEST_CASE("any double is written as by nlohmann's JSON") {
  CHECK(rc::check([] {
    for (int i = 0; i < 100; ++i) {
      const Twins number = twins_of(random_double());
      RC_ASSERT(number.ours.compact() == compact(number.theirs));
    }
  }));
}

}  // namespace daybook::base
