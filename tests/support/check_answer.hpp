// SPDX-License-Identifier: MIT
//
// What `daybook check --json` printed, as values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::support {

struct CheckAnswer {
  struct Finding {
    std::string path;
    std::uint32_t line = 0;
    std::string code;
    std::string severity;
    std::string message;
    std::string hint;
  };

  std::uint64_t files = 0;
  std::uint64_t errors = 0;
  std::uint64_t warnings = 0;
  std::uint64_t infos = 0;
  std::vector<Finding> findings;

  /// The codes found at a path, in the order of the answer.
  [[nodiscard]] std::vector<std::string> codes_at(std::string_view path) const;
  /// Everything as `path:line: severity: message [code]` lines, to be shown when a test fails.
  [[nodiscard]] std::string to_text() const;
};

/// Throws if it is not one JSON object with the documented fields.
CheckAnswer read_check_answer(std::string_view json);

}  // namespace daybook::support
