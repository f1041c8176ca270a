// SPDX-License-Identifier: MIT
//
// Timestamps: what is read is the instant that the C library makes of the same digits; written and
// read again it is the same, in both forms; and any instant of the years 0000 to 9999 survives
// being written, with the order of texts being that of instants.
#include "daybook/lineage/timestamp.hpp"
#include "require.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

namespace {

namespace lineage = daybook::lineage;
using daybook::fuzz::require;
using lineage::Timestamp;

constexpr std::int64_t kFirst = lineage::kFirstTimestamp.ms;
constexpr std::int64_t kLast = lineage::kLastTimestamp.ms;

void require_written(Timestamp time) {
  require(time.ms >= kFirst && time.ms <= kLast, "an instant is of the years 0000 to 9999");
  const std::string text = to_string(time);
  const std::string name = to_file_string(time);
  require(text.size() == 24 && name.size() == 24, "an instant is written in one length");
  require(lineage::parse_timestamp(text) == time, "what is written is read");
  require(lineage::parse_file_timestamp(name) == time, "what is written in a name is read");
  require(to_day(time) == text.substr(0, 10), "the day is that of the instant");
}

/// The instant by the C library, from the fields of a text that was accepted. Leap seconds and
/// offsets are sums, as they are by definition.
std::int64_t by_the_library(const std::string& text) {
  std::tm fields{};
  require(std::sscanf(text.c_str(),
                      "%4d-%2d-%2d%*c%2d:%2d:%2d",
                      &fields.tm_year,
                      &fields.tm_mon,
                      &fields.tm_mday,
                      &fields.tm_hour,
                      &fields.tm_min,
                      &fields.tm_sec) == 6,
          "what is read has six numbers");
  fields.tm_year -= 1900;
  fields.tm_mon -= 1;
  std::int64_t ms = static_cast<std::int64_t>(timegm(&fields)) * 1000;
  std::size_t at = 19;
  if (text[at] == '.') {
    std::string digits;
    while (text[++at] >= '0' && text[at] <= '9') {
      digits.push_back(text[at]);
    }
    digits.resize(3, '0');
    // Beyond a leap second there is nothing to count on.
    ms += text.substr(17, 2) == "60" ? 0 : std::stoi(digits);
  }
  if (text[at] == '+' || text[at] == '-') {
    int hours = 0;
    int minutes = 0;
    require(std::sscanf(text.c_str() + at + 1, "%2d:%2d", &hours, &minutes) == 2,
            "an offset has two numbers");
    ms -= (text[at] == '-' ? -1 : 1) * (hours * 60 + minutes) * 60'000LL;
  }
  return ms;
}

void try_text(const std::string& text) {
  if (const auto time = lineage::parse_timestamp(text)) {
    require_written(*time);
    require(time->ms == by_the_library(text), "the instant is that of the C library");
  }
  if (const auto time = lineage::parse_file_timestamp(text)) {
    require_written(*time);
    std::string plain = text;
    plain[13] = ':';
    plain[16] = ':';
    require(lineage::parse_timestamp(plain) == time, "a name's time is that with colons");
  }
}

void try_instants(std::string_view bytes) {
  if (bytes.size() < 2 * sizeof(std::int64_t)) {
    return;
  }
  std::int64_t number[2];
  std::memcpy(number, bytes.data(), sizeof number);
  Timestamp times[2];
  for (int i = 0; i < 2; ++i) {
    times[i].ms = kFirst + static_cast<std::int64_t>(static_cast<std::uint64_t>(number[i]) %
                                                     (kLast - kFirst + 1));
    require_written(times[i]);
  }
  require((times[0] < times[1]) == (to_string(times[0]) < to_string(times[1])),
          "texts are ordered as instants are");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try_text(text);
  try_instants(text);
  return 0;
}
