// SPDX-License-Identifier: MIT
//
// The log line about an answer of a model that was not taken.
#pragma once

#include "daybook/base/log.hpp"

#include <string>
#include <string_view>

namespace daybook::capture {

/// The reason alone: neither what was sent nor what came back.
inline void log_refusal(std::string_view what, const std::string& reason, double seconds) {
  const std::string line = std::string(what) + ": " + reason;
  base::log(base::LogLevel::warning, {"capture", line, {}, seconds});
}

}  // namespace daybook::capture
