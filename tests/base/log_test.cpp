// SPDX-License-Identifier: MIT
//
// Every case logs in a child: the level, the environment and stderr are a process's own.
#include "daybook/base/log.hpp"

#include "daybook/base/utf8.hpp"
#include "support/child.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

namespace daybook::base {
namespace {

std::string logged(const std::function<void()>& work, const char* journal_stream = nullptr) {
  const auto outcome = support::run_in_child([&]() -> std::string {
    if (journal_stream != nullptr) {
      ::setenv("JOURNAL_STREAM", journal_stream, 1);
    } else {
      ::unsetenv("JOURNAL_STREAM");
    }
    work();
    return "done";
  });
  REQUIRE(outcome.answer == "done");
  return outcome.errors;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    REQUIRE(end != std::string::npos);  // each line is ended
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// Without the time, whose shape is checked on the way.
std::string said(const std::string& line) {
  static const std::regex shape(R"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z )");
  constexpr std::size_t kTimeSize = 25;
  INFO(line);
  REQUIRE(line.size() > kTimeSize);
  REQUIRE(std::regex_match(line.substr(0, kTimeSize), shape));
  return line.substr(kTimeSize);
}

std::string only_line(const std::function<void()>& work) {
  const auto lines = lines_of(logged(work));
  REQUIRE(lines.size() == 1);
  return said(lines.front());
}

void log_at_every_level() {
  log(LogLevel::debug, {"scan", "one"});
  log(LogLevel::info, {"scan", "two"});
  log(LogLevel::warning, {"scan", "three"});
  log(LogLevel::error, {"scan", "four"});
}

}  // namespace

TEST_CASE("only warnings and errors are shown until more is asked for") {
  const auto lines = lines_of(logged(log_at_every_level));
  REQUIRE(lines.size() == 2);
  CHECK(said(lines[0]) == "warning scan: three");
  CHECK(said(lines[1]) == "error scan: four");
}

TEST_CASE("the level is the least that is shown") {
  const auto shown_at = [](LogLevel level) {
    return lines_of(logged([level] {
             set_log_level(level);
             log_at_every_level();
           }))
        .size();
  };
  CHECK(shown_at(LogLevel::debug) == 4);
  CHECK(shown_at(LogLevel::info) == 3);
  CHECK(shown_at(LogLevel::warning) == 2);
  CHECK(shown_at(LogLevel::error) == 1);
}

TEST_CASE("whether a level is shown can be asked beforehand") {
  const auto outcome = support::run_in_child([] {
    std::string answers;
    const auto ask = [&answers] {
      for (const LogLevel level :
           {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error}) {
        answers += log_enabled(level) ? 'y' : 'n';
      }
      answers += ' ';
    };
    ask();
    set_log_level(LogLevel::debug);
    ask();
    set_log_level(LogLevel::error);
    ask();
    return answers;
  });
  CHECK(outcome.answer == "nnyy yyyy nnny ");
}

TEST_CASE("a line says level and stage and what happened and where and for how long") {
  CHECK(only_line([] {
          set_log_level(LogLevel::info);
          log(LogLevel::info, {"index", "batch written", "memory/note.md", 0.01234});
        }) == "info index: batch written path=memory/note.md duration_ms=12.3");
  CHECK(only_line([] {
          log(LogLevel::error, {"scan", "failed", {}, 0});
        }) == "error scan: failed duration_ms=0.0");
  CHECK(only_line([] {
          log(LogLevel::error, {"scan", "failed", "a b"});
        }) == "error scan: failed path=a b");
}

TEST_CASE("an event is one line whatever its words hold") {
  const std::string line = only_line([] {
    log(LogLevel::error,
        {"scan", "first\nerror forged: second\r\n", "note\n.md\x1b[2J\u202E\xFF\x7F\xC2\x9B"});
  });
  CHECK(line ==
        "error scan: first\\nerror forged: second\\x0d\\n "
        "path=note\\n.md\\x1b[2J\\u202e\\xff\\x7f\\u009b");
}

TEST_CASE("braces and percent signs in an event are only text") {
  CHECK(only_line([] {
          log(LogLevel::error, {"scan", "a {} b {0} c %v %s", "{}%n"});
        }) == "error scan: a {} b {0} c %v %s path={}%n");
}

TEST_CASE("the time is the same in every time zone") {
  // 14 hours ahead of UTC: a local time would show another hour.
  const auto hour_at = [](const char* zone) {
    const auto lines = lines_of(logged([zone] {
      ::setenv("TZ", zone, 1);
      ::tzset();
      log(LogLevel::error, {"scan", "x"});
    }));
    REQUIRE(lines.size() == 1);
    const int hour = std::stoi(lines.front().substr(11, 2));
    return hour;
  };
  // Two lines written one after the other; an hour may begin between them, not fourteen.
  const int difference = (hour_at("AHEAD-14") - hour_at("UTC0") + 24) % 24;
  CAPTURE(difference);
  CHECK((difference == 0 || difference == 23));
}

TEST_CASE("under journald the level is a prefix and the time is the journal's") {
  const std::string text = logged(
      [] {
        set_log_level(LogLevel::debug);
        log_at_every_level();
      },
      "8:12345");
  CHECK(text ==
        "<7>debug scan: one\n<6>info scan: two\n<4>warning scan: three\n<3>error scan: four\n");
}

TEST_CASE("lines of several threads do not mix") {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kLines = 100;
  const std::string text = logged([] {
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([i] {
        const std::string what(200, static_cast<char>('a' + i));
        for (std::size_t line = 0; line < kLines; ++line) {
          log(LogLevel::error, {"scan", what});
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  });
  const auto lines = lines_of(text);
  CHECK(lines.size() == kThreads * kLines);
  const std::regex whole("error scan: (a{200}|b{200}|c{200}|d{200})");
  CHECK(std::all_of(lines.begin(), lines.end(), [&whole](const std::string& line) {
    return std::regex_match(said(line), whole);
  }));
}

}  // namespace daybook::base
