// SPDX-License-Identifier: MIT
//
// The end of a log file, for people. At most the last 16 MiB are looked at. Any thread.
#pragma once

#include "daybook/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace daybook::host {

/// The last `most` lines behind the byte `from`, each printable on a terminal.
Result<std::vector<std::string>> log_tail(const std::string& path,
                                          std::size_t most,
                                          std::uint64_t from = 0);

}  // namespace daybook::host
