// SPDX-License-Identifier: MIT
//
// The operator's file of literals -> what Policy::literals takes: one a line, as UTF-8, without the
// blanks around it; empty lines and those that begin with '#' say nothing. A file that cannot be
// read or holds a line that cannot be used is an Error, and whoever wanted it must then store
// nothing: text that should have been redacted is worse than text that is missing.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace daybook::redact {

inline constexpr std::size_t kLeastLiteral = 6;            ///< characters
inline constexpr std::size_t kMostLiteral = 4096;          ///< bytes
inline constexpr std::size_t kMostLiteralsFile = 1 << 20;  ///< bytes

Result<std::vector<std::string>> read_literals(base::Disk& disk, const std::string& path);

/// The same from the file's text; `path` is only named in errors.
Result<std::vector<std::string>> parse_literals(std::string_view text, const std::string& path);

/// Why it cannot be used, as the end of a sentence; empty if it can.
std::string_view literal_problem(std::string_view literal);

}  // namespace daybook::redact
