// SPDX-License-Identifier: MIT
#include "daybook/lineage/timestamp.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace daybook::lineage {
namespace {

constexpr std::int64_t kFirst = -62'167'219'200'000;  // 0000-01-01T00:00:00.000Z
constexpr std::int64_t kLast = 253'402'300'799'999;   // 9999-12-31T23:59:59.999Z
constexpr std::int64_t kExample = 1'774'737'246'792;  // 2026-03-28T22:34:06.792Z
constexpr std::int64_t kDay = 86'400'000;

std::optional<std::int64_t> ms_of(std::string_view text) {
  const auto time = parse_timestamp(text);
  return time ? std::optional(time->ms) : std::nullopt;
}

std::optional<std::int64_t> file_ms_of(std::string_view text) {
  const auto time = parse_file_timestamp(text);
  return time ? std::optional(time->ms) : std::nullopt;
}

/// What libc makes of it, with the separator of the wanted form.
std::string by_libc(std::int64_t ms, char separator) {
  const std::int64_t part = ((ms % 1000) + 1000) % 1000;
  const std::time_t seconds = (ms - part) / 1000;
  std::tm civil{};
  ::gmtime_r(&seconds, &civil);
  std::array<char, 64> text{};
  std::snprintf(text.data(),
                text.size(),
                "%04d-%02d-%02dT%02d%c%02d%c%02d.%03dZ",
                civil.tm_year + 1900,
                civil.tm_mon + 1,
                civil.tm_mday,
                civil.tm_hour,
                separator,
                civil.tm_min,
                separator,
                civil.tm_sec,
                static_cast<int>(part));
  return text.data();
}

bool round_trips(std::int64_t ms) {
  const Timestamp time{ms};
  const std::string text = to_string(time);
  const std::string file_text = to_file_string(time);
  return text == by_libc(ms, ':') && file_text == by_libc(ms, '-') &&
         to_day(time) == text.substr(0, 10) && parse_timestamp(text) == time &&
         parse_file_timestamp(file_text) == time;
}

}  // namespace

TEST_CASE("timestamps are written in one form") {
  CHECK(to_string(Timestamp{kExample}) == "2026-03-28T22:34:06.792Z");
  CHECK(to_file_string(Timestamp{kExample}) == "2026-03-28T22-34-06.792Z");
  CHECK(to_day(Timestamp{kExample}) == "2026-03-28");
  CHECK(to_string(Timestamp{0}) == "1970-01-01T00:00:00.000Z");
  CHECK(to_string(Timestamp{-1}) == "1969-12-31T23:59:59.999Z");
  CHECK(to_string(Timestamp{kFirst}) == "0000-01-01T00:00:00.000Z");
  CHECK(to_string(Timestamp{kLast}) == "9999-12-31T23:59:59.999Z");
}

TEST_CASE("a day begins and ends at midnight in UTC") {
  CHECK(to_day(Timestamp{0}) == "1970-01-01");
  CHECK(to_day(Timestamp{-1}) == "1969-12-31");
  CHECK(to_day(Timestamp{kDay - 1}) == "1970-01-01");
  CHECK(to_day(Timestamp{kDay}) == "1970-01-02");
  CHECK(to_day(Timestamp{kFirst}) == "0000-01-01");
  CHECK(to_day(Timestamp{kLast}) == "9999-12-31");
}

TEST_CASE("every form of RFC 3339 is read as the instant it means") {
  const std::vector<std::pair<std::string, std::int64_t>> cases{
      {"2026-03-28T22:34:06.792Z", kExample},
      {"2026-03-28t22:34:06.792z", kExample},
      {"2026-03-28 22:34:06.792Z", kExample},
      {"2026-03-28T22:34:06.792+00:00", kExample},
      {"2026-03-28T22:34:06.792-00:00", kExample},
      {"2026-03-28T23:34:06.792+01:00", kExample},
      {"2026-03-29T04:04:06.792+05:30", kExample},
      {"2026-03-28T14:34:06.792-08:00", kExample},
      {"2026-03-29T22:33:06.792+23:59", kExample},
      {"2026-03-27T22:35:06.792-23:59", kExample},
      {"2026-03-28T22:34:06Z", kExample - 792},
      {"1970-01-01T00:00:00Z", 0},
      {"1969-12-31T23:59:59.999Z", -1},
      {"1985-04-12T23:20:50.52Z", 482'196'050'520},  // the examples of the RFC
      {"1996-12-19T16:39:57-08:00", 851'042'397'000},
      {"1937-01-01T12:00:27.87+00:20", -1'041'337'172'130},
      {"0000-01-01T00:00:00Z", kFirst},
      {"9999-12-31T23:59:59.999Z", kLast},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK(ms_of(text) == expected);
  }
}

TEST_CASE("a fraction may have any number of digits and is cut to milliseconds") {
  const std::int64_t second = kExample - 792;
  const std::string before = "2026-03-28T22:34:06.";
  const std::vector<std::pair<std::string, int>> cases{
      {"7", 700},
      {"79", 790},
      {"792", 792},
      {"7929", 792},
      {"000", 0},
      {"0", 0},
      {"05", 50},
      {"005", 5},
      {"0009", 0},
      {"999999999", 999},
      {"123456789012345", 123},
      {std::string(400, '9'), 999},
  };
  for (const auto& [digits, ms] : cases) {
    CAPTURE(digits);
    CHECK(ms_of(before + digits + "Z") == second + ms);
    CHECK(ms_of(before + digits + "+00:00") == second + ms);
    CHECK(file_ms_of("2026-03-28T22-34-06." + digits + "Z") == second + ms);
  }
}

TEST_CASE("a fraction before 1970 counts forward as well") {
  CHECK(ms_of("1969-12-31T23:59:59.250Z") == -750);
  CHECK(ms_of("1969-12-31T23:59:59Z") == -1000);
}

TEST_CASE("a leap second is the beginning of the next day") {
  CHECK(ms_of("2016-12-31T23:59:60Z") == 1'483'228'800'000);
  CHECK(ms_of("2016-12-31T23:59:60.5Z") == 1'483'228'800'000);
  CHECK(ms_of("1990-12-31T23:59:60Z") == 662'688'000'000);
  CHECK(ms_of("1990-12-31T15:59:60-08:00") == 662'688'000'000);  // the same one, from the RFC
  CHECK(ms_of("2017-01-01T05:29:60+05:30") == 1'483'228'800'000);
  CHECK(ms_of("1969-12-31T23:59:60Z") == 0);
  CHECK(file_ms_of("2016-12-31T23-59-60Z") == 1'483'228'800'000);
}

TEST_CASE("a second sixty anywhere but at the end of a UTC day is refused") {
  for (const std::string text : {"2016-12-31T22:59:60Z",
                                 "2016-12-31T23:58:60Z",
                                 "2016-12-31T00:00:60Z",
                                 "2016-12-31T23:59:60+01:00",
                                 "2016-12-31T15:59:60-07:00",
                                 "1969-12-31T12:00:60Z",
                                 "2016-12-31T23:59:61Z",
                                 "9999-12-31T23:59:60Z"}) {  // the year 10000
    CAPTURE(text);
    CHECK_FALSE(ms_of(text).has_value());
  }
}

TEST_CASE("the twenty-ninth of February exists in leap years only") {
  for (const std::string year : {"2024", "2000", "1600", "0000", "0004", "9996"}) {
    CAPTURE(year);
    CHECK(ms_of(year + "-02-29T00:00:00Z").has_value());
    CHECK_FALSE(ms_of(year + "-02-30T00:00:00Z").has_value());
  }
  for (const std::string year : {"2023", "2025", "1900", "2100", "0100", "9999"}) {
    CAPTURE(year);
    CHECK_FALSE(ms_of(year + "-02-29T00:00:00Z").has_value());
    CHECK(ms_of(year + "-02-28T00:00:00Z").has_value());
  }
  CHECK(*ms_of("2024-03-01T00:00:00Z") - *ms_of("2024-02-28T00:00:00Z") == 2 * kDay);
  CHECK(*ms_of("2023-03-01T00:00:00Z") - *ms_of("2023-02-28T00:00:00Z") == kDay);
}

TEST_CASE("each month ends on its own day") {
  const std::array<int, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (std::size_t month = 1; month <= lengths.size(); ++month) {
    const std::string prefix =
        std::string("2026-") + (month < 10 ? "0" : "") + std::to_string(month);
    const std::string last = "-" + std::to_string(lengths[month - 1]);
    const std::string beyond = "-" + std::to_string(lengths[month - 1] + 1);
    CAPTURE(prefix);
    CHECK(ms_of(prefix + last + "T00:00:00Z").has_value());
    CHECK_FALSE(ms_of(prefix + beyond + "T00:00:00Z").has_value());
    CHECK_FALSE(ms_of(prefix + "-00T00:00:00Z").has_value());
  }
}

TEST_CASE("what is out of range or of another form is no timestamp") {
  const std::vector<std::string> texts{
      "",
      "2026-03-28",
      "2026-03-28T22:34Z",
      "2026-03-28T22Z",
      "2026-00-28T22:34:06Z",
      "2026-13-28T22:34:06Z",
      "2026-03-00T22:34:06Z",
      "2026-03-32T22:34:06Z",
      "2026-03-28T24:00:00Z",
      "2026-03-28T25:34:06Z",
      "2026-03-28T22:60:06Z",
      "2026-03-28T22:34:61Z",
      "2026-03-28T22:34:99Z",
      "2026-3-28T22:34:06Z",
      "2026-03-8T22:34:06Z",
      "2026-03-28T2:34:06Z",
      "26-03-28T22:34:06Z",
      "02026-03-28T22:34:06Z",
      "+2026-03-28T22:34:06Z",
      "-2026-03-28T22:34:06Z",
      "2026/03/28T22:34:06Z",
      "20260328T223406Z",
      "2026-03-28_22:34:06Z",
      "2026-03-28  22:34:06Z",
      "2026-03-28T22-34-06Z",
      "2026-03-28T22:34:06.Z",
      "2026-03-28T22:34:06,792Z",
      "2026-03-28T22:34:06.79aZ",
      "2026-03-28T22:34:06.792ZZ",
      "2026-03-28T22:34:06.792Z ",
      " 2026-03-28T22:34:06.792Z",
      "2026-03-28T22:34:06.792Z\n",
      "2026-03-28T22:34:06.792UTC",
      "2026-03-28T22:34:06.792 Z",
      "2026-03-28T22:34:06+24:00",
      "2026-03-28T22:34:06+01:60",
      "2026-03-28T22:34:06+1:00",
      "2026-03-28T22:34:06+0100",
      "2026-03-28T22:34:06+01",
      "2026-03-28T22:34:06+",
      "2026-03-28T22:34:06+01:00Z",
      "2026-03-28T22:34:06\xE2\x88\x92"
      "01:00",  // a typographic minus
      "２０２６-03-28T22:34:06Z",
      "today",
      "1774737246792",
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK_FALSE(ms_of(text).has_value());
  }
}

TEST_CASE("without an offset nobody knows the instant and so it is refused") {
  CHECK_FALSE(ms_of("2026-03-28T22:34:06").has_value());
  CHECK_FALSE(ms_of("2026-03-28T22:34:06.792").has_value());
  CHECK_FALSE(ms_of("2026-03-28 22:34:06").has_value());
  CHECK_FALSE(file_ms_of("2026-03-28T22-34-06.792").has_value());
}

TEST_CASE("an offset may not lead out of the four-digit years") {
  CHECK_FALSE(ms_of("0000-01-01T00:00:00+00:01").has_value());
  CHECK_FALSE(ms_of("0000-01-01T00:59:59.999+01:00").has_value());
  CHECK_FALSE(ms_of("9999-12-31T23:59:59-00:01").has_value());
  CHECK_FALSE(ms_of("9999-12-31T23:00:00-01:00").has_value());
  CHECK(ms_of("0000-01-01T01:00:00+01:00") == kFirst);
  CHECK(ms_of("9999-12-31T22:59:59.999-01:00") == kLast);
}

TEST_CASE("the form of file names is read in UTC and with dashes only") {
  CHECK(file_ms_of("2026-03-28T22-34-06.792Z") == kExample);
  CHECK(file_ms_of("2026-03-28T22-34-06Z") == kExample - 792);
  for (const std::string text : {"2026-03-28T22:34:06.792Z",
                                 "2026-03-28t22-34-06.792Z",
                                 "2026-03-28T22-34-06.792z",
                                 "2026-03-28 22-34-06.792Z",
                                 "2026-03-28T22-34-06.792+00-00",
                                 "2026-03-28T22-34-06.792-00-00",
                                 "2026-03-28T22-34-06-792Z",
                                 "2026-03-28T22-34-06.Z",
                                 "2026-02-30T22-34-06.792Z",
                                 "2026-03-28T24-00-00.000Z",
                                 "2026-03-28T22-34-06.792Z.md",
                                 "2026-03-28T22-34-06.792Z-",
                                 "2026-03-28",
                                 ""}) {
    CAPTURE(text);
    CHECK_FALSE(file_ms_of(text).has_value());
  }
}

TEST_CASE("what is written is read back over the whole range") {
  REQUIRE(rc::check("random instants", [] {
    const auto ms = *rc::gen::resize(100, rc::gen::inRange<std::int64_t>(kFirst, kLast));
    RC_ASSERT(round_trips(ms));
  }));
  int wrong = 0;
  for (std::int64_t ms = kFirst; ms <= kLast; ms += 997 * kDay / 7 + 86'413) {
    wrong += round_trips(ms) ? 0 : 1;
  }
  for (std::int64_t day = kFirst; day <= kLast; day += 59 * kDay) {  // both sides of midnight
    wrong += round_trips(day) ? 0 : 1;
    wrong += day == kFirst || round_trips(day - 1) ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(round_trips(kFirst));
  CHECK(round_trips(kLast));
}

TEST_CASE("names in order of text are in order of time") {
  REQUIRE(rc::check("to_string keeps the order", [] {
    const auto any = rc::gen::resize(100, rc::gen::inRange<std::int64_t>(kFirst, kLast));
    const Timestamp a{*any};
    const Timestamp b{*any};
    RC_ASSERT((a < b) == (to_string(a) < to_string(b)));
    RC_ASSERT((a < b) == (to_file_string(a) < to_file_string(b)));
  }));
}

TEST_CASE("any offset moves the reading by its length") {
  REQUIRE(rc::check("offsets", [] {
    const auto hours = *rc::gen::inRange(0, 24);
    const auto minutes = *rc::gen::inRange(0, 60);
    const auto west = *rc::gen::arbitrary<bool>();
    std::array<char, 64> text{};
    std::snprintf(text.data(),
                  text.size(),
                  "2026-03-28T22:34:06.792%c%02d:%02d",
                  west ? '-' : '+',
                  hours,
                  minutes);
    const std::int64_t offset = (hours * 60 + minutes) * std::int64_t{60'000};
    RC_ASSERT(ms_of(text.data()) == kExample + (west ? offset : -offset));
  }));
}

}  // namespace daybook::lineage
