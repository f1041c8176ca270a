// SPDX-License-Identifier: MIT
//
// How often a trial is made: as few times as a commit can wait for, or as DAYBOOK_SECURITY_<NAME>
// says.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>

namespace daybook::test {

inline std::size_t trial_size(const std::string& name, std::size_t usual) {
  const char* given =
      std::getenv(("DAYBOOK_SECURITY_" + name).c_str());  // NOLINT(concurrency-mt-unsafe)
  return given == nullptr ? usual : std::stoul(given);
}

}  // namespace daybook::test
