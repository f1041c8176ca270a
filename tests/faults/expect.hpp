// SPDX-License-Identifier: MIT
//
// A sweep in a test: it holds if nothing failed, else the first failures are shown.
#pragma once

#include "faults/sweep.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::faults {

inline void expect_none(const SweepReport& report) {
  constexpr std::size_t kShown = 8;
  CHECK(report.trials > 0);
  std::string shown;
  for (std::size_t i = 0; i < report.failures.size() && i < kShown; ++i) {
    shown += report.failures[i] + "\n\n";
  }
  INFO(shown);
  CHECK(report.failures.empty());
}

}  // namespace daybook::faults
