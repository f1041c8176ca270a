// SPDX-License-Identifier: MIT
//
// A boot clock that goes as the test says.
#pragma once

#include "daybook/state/boot_clock.hpp"

#include <cstdint>
#include <string>

namespace daybook::state {

class SteppedClock : public BootClock {
 public:
  std::int64_t now_ms() const override { return now; }
  std::string boot_id() const override { return boot; }
  std::int64_t now = 1'000'000;
  std::string boot = "boot-1";
};

}  // namespace daybook::state
