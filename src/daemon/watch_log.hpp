// SPDX-License-Identifier: MIT
//
// The service's lines in the log.
#pragma once

#include "daybook/base/log.hpp"

#include <string_view>

namespace daybook::daemon {

inline void tell(base::LogLevel level,
                 std::string_view what,
                 std::string_view path,
                 double took = -1) {
  base::log(level, {"watch", what, path, took});
}

}  // namespace daybook::daemon
