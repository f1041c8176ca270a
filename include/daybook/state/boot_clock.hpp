// SPDX-License-Identifier: MIT
//
// Time that nobody can set: milliseconds since the machine started, sleep included, and which start
// that was. Leases are measured with it. Handed in, so that tests step it. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace daybook::state {

class BootClock {
 public:
  virtual ~BootClock() = default;
  virtual std::int64_t now_ms() const = 0;
  /// Empty where the system does not tell; a reboot is then seen by the clock running behind.
  virtual std::string boot_id() const = 0;
};

class SystemBootClock final : public BootClock {
 public:
  std::int64_t now_ms() const override;
  std::string boot_id() const override;
};

}  // namespace daybook::state
