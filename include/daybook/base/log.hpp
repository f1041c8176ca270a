// SPDX-License-Identifier: MIT
//
// One line an event on stderr: level, stage, what happened, path, duration. Never note text. Under
// journald (JOURNAL_STREAM set) the time is left to the journal and the level is given as its
// `<n>` prefix. Any thread. Silent until set_log_level() allows more than warnings.
#pragma once

#include <string_view>

namespace daybook::base {

enum class LogLevel { debug, info, warning, error };

struct LogEvent {
  std::string_view stage;
  std::string_view what;
  std::string_view path = {};
  double seconds = -1;  ///< negative: not measured
};

void set_log_level(LogLevel least);
void log(LogLevel level, const LogEvent& event);

/// Whether a line of this level would be written; for callers whose line is costly to make.
bool log_enabled(LogLevel level);

}  // namespace daybook::base
