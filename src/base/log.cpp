// SPDX-License-Identifier: MIT
#include "daybook/base/log.hpp"

#include "daybook/base/printable.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>

namespace daybook::base {
namespace {

bool under_journald() { return std::getenv("JOURNAL_STREAM") != nullptr; }  // NOLINT: read once

spdlog::logger& logger() {
  static spdlog::logger instance = [] {
    spdlog::logger made("daybook", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made.set_pattern(under_journald() ? "%v" : "%Y-%m-%dT%H:%M:%S.%eZ %v",
                     spdlog::pattern_time_type::utc);
    made.set_level(spdlog::level::warn);
    made.flush_on(spdlog::level::debug);
    return made;
  }();
  return instance;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      break;
  }
  return spdlog::level::err;
}

struct LevelNames {
  const char* word;
  const char* journal_prefix;  // syslog priority, as sd-daemon(3) describes
};

LevelNames names_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return {"debug", "<7>"};
    case LogLevel::info:
      return {"info", "<6>"};
    case LogLevel::warning:
      return {"warning", "<4>"};
    case LogLevel::error:
      break;
  }
  return {"error", "<3>"};
}

}  // namespace

void set_log_level(LogLevel least) { logger().set_level(to_spdlog(least)); }

bool log_enabled(LogLevel level) { return logger().should_log(to_spdlog(level)); }

void log(LogLevel level, const LogEvent& event) {
  if (!log_enabled(level)) {
    return;
  }
  static const bool journald = under_journald();
  const LevelNames names = names_of(level);
  std::string line = fmt::format("{}{} {}: {}",
                                 journald ? names.journal_prefix : "",
                                 names.word,
                                 event.stage,
                                 printable(event.what));
  if (!event.path.empty()) {
    line += fmt::format(" path={}", printable(event.path));
  }
  if (event.seconds >= 0) {
    line += fmt::format(" duration_ms={:.1f}", event.seconds * 1000);
  }
  logger().log(to_spdlog(level), line);
}

}  // namespace daybook::base
