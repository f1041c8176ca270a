// SPDX-License-Identifier: MIT
#include "daybook/lineage/timestamp.hpp"

#include <array>
#include <chrono>

namespace daybook::lineage {
namespace {

constexpr std::int64_t kMsPerSecond = 1000;
constexpr std::int64_t kMsPerMinute = 60 * kMsPerSecond;
constexpr std::int64_t kMsPerHour = 60 * kMsPerMinute;
constexpr std::int64_t kMsPerDay = 24 * kMsPerHour;

/// Eats a text from the front; after the first thing that does not fit, everything fails.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  int digits(std::size_t count) {
    if (text_.size() < count) {
      failed_ = true;
      return 0;
    }
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const char c = text_[i];
      if (c < '0' || c > '9') {
        failed_ = true;
        return 0;
      }
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(count);
    return value;
  }

  bool accept(std::string_view any_of) {
    if (failed_ || text_.empty()) {
      return false;
    }
    for (const char wanted : any_of) {  // one to three: find() would take longer to be called
      if (text_.front() == wanted) {
        text_.remove_prefix(1);
        return true;
      }
    }
    return false;
  }

  void expect(std::string_view any_of) { failed_ = !accept(any_of) || failed_; }

  /// Milliseconds of an optional `.123456`; digits beyond the third are cut.
  int fraction() {
    if (!accept(".")) {
      return 0;
    }
    int value = 0;
    int seen = 0;
    while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
      if (seen < 3) {
        value = value * 10 + (text_.front() - '0');
      }
      ++seen;
      text_.remove_prefix(1);
    }
    failed_ = failed_ || seen == 0;
    for (int i = seen; i < 3; ++i) {
      value *= 10;
    }
    return value;
  }

  bool at_end() const { return !failed_ && text_.empty(); }

 private:
  std::string_view text_;
  bool failed_ = false;
};

struct Civil {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millisecond = 0;
  std::int64_t offset_ms = 0;
};

std::optional<Timestamp> to_timestamp(const Civil& civil) {
  namespace chrono = std::chrono;
  const chrono::year_month_day date{chrono::year(civil.year),
                                    chrono::month(static_cast<unsigned>(civil.month)),
                                    chrono::day(static_cast<unsigned>(civil.day))};
  if (!date.ok() || civil.hour > 23 || civil.minute > 59 || civil.second > 60) {
    return std::nullopt;
  }
  const std::int64_t days = chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t minute_start =
      days * kMsPerDay + civil.hour * kMsPerHour + civil.minute * kMsPerMinute - civil.offset_ms;
  const bool leap = civil.second == 60;
  if (leap && (minute_start + kMsPerMinute) % kMsPerDay != 0) {
    return std::nullopt;  // leap seconds exist only at the end of a UTC day
  }
  const Timestamp time{minute_start + civil.second * kMsPerSecond + (leap ? 0 : civil.millisecond)};
  if (time < kFirstTimestamp || time > kLastTimestamp) {
    return std::nullopt;
  }
  return time;
}

std::int64_t read_offset(Reader& reader) {
  if (reader.accept("Zz")) {
    return 0;
  }
  const bool west = reader.accept("-");
  if (!west) {
    reader.expect("+");
  }
  const int hours = reader.digits(2);
  reader.expect(":");
  const int minutes = reader.digits(2);
  if (hours > 23 || minutes > 59) {
    reader.expect("");  // nothing fits: the whole is no timestamp
  }
  const std::int64_t size = hours * kMsPerHour + minutes * kMsPerMinute;
  return west ? -size : size;
}

Civil read_date(Reader& reader) {
  Civil civil;
  civil.year = reader.digits(4);
  reader.expect("-");
  civil.month = reader.digits(2);
  reader.expect("-");
  civil.day = reader.digits(2);
  return civil;
}

void read_time(Reader& reader, Civil& civil, std::string_view separator) {
  civil.hour = reader.digits(2);
  reader.expect(separator);
  civil.minute = reader.digits(2);
  reader.expect(separator);
  civil.second = reader.digits(2);
  civil.millisecond = reader.fraction();
}

void append_number(std::string& out, std::int64_t value, int width) {
  std::array<char, 8> digits{};
  for (int i = width - 1; i >= 0; --i) {
    digits[static_cast<std::size_t>(i)] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  out.append(digits.data(), static_cast<std::size_t>(width));
}

std::string format(Timestamp time, char separator) {
  std::int64_t ms = time.ms % kMsPerDay;
  if (ms < 0) {
    ms += kMsPerDay;
  }
  std::string out = to_day(time);
  out.reserve(24);
  out += 'T';
  append_number(out, ms / kMsPerHour, 2);
  out += separator;
  append_number(out, ms / kMsPerMinute % 60, 2);
  out += separator;
  append_number(out, ms / kMsPerSecond % 60, 2);
  out += '.';
  append_number(out, ms % kMsPerSecond, 3);
  out += 'Z';
  return out;
}

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  Reader reader(text);
  Civil civil = read_date(reader);
  reader.expect("Tt ");
  read_time(reader, civil, ":");
  civil.offset_ms = read_offset(reader);
  return reader.at_end() ? to_timestamp(civil) : std::nullopt;
}

std::optional<Timestamp> parse_file_timestamp(std::string_view text) {
  Reader reader(text);
  Civil civil = read_date(reader);
  reader.expect("T");
  read_time(reader, civil, "-");
  reader.expect("Z");
  return reader.at_end() ? to_timestamp(civil) : std::nullopt;
}

std::string to_string(Timestamp time) { return format(time, ':'); }

std::string to_file_string(Timestamp time) { return format(time, '-'); }

std::string to_day(Timestamp time) {
  namespace chrono = std::chrono;
  const chrono::year_month_day date(chrono::floor<chrono::days>(
      chrono::sys_time<chrono::milliseconds>(chrono::milliseconds(time.ms))));
  std::string out;
  append_number(out, static_cast<int>(date.year()), 4);
  out += '-';
  append_number(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  append_number(out, static_cast<unsigned>(date.day()), 2);
  return out;
}

}  // namespace daybook::lineage
