// SPDX-License-Identifier: MIT
//
// The service in a process of its own, under a clock that runs ahead, and what it costs the machine
// meanwhile. Ends with this object. One thread.
#pragma once

#include "daybook/base/clock.hpp"
#include "support/indexed_vault.hpp"

#include <cstdint>
#include <sys/types.h>

namespace daybook::gauntlet {

/// Begins at a fixed time and runs `speed` times as fast as the real one, unless it is stopped: in
/// this process and in those that it forks.
class FastClock final : public base::Clock {
 public:
  explicit FastClock(double speed);
  FastClock(const FastClock&) = delete;
  FastClock& operator=(const FastClock&) = delete;
  ~FastClock() override;

  [[nodiscard]] std::int64_t now_ms() const override;
  void stop() const;
  void go_on() const;

 private:
  struct Hands;

  double speed_;
  Hands* hands_;  ///< in memory that processes share
};

struct Cost {
  std::uint64_t memory_kb = 0;
  std::uint64_t descriptors = 0;
};

class SoakService {
 public:
  SoakService(const support::IndexedVault& vault, const FastClock& clock);
  SoakService(const SoakService&) = delete;
  SoakService& operator=(const SoakService&) = delete;
  ~SoakService();

  [[nodiscard]] bool is_alive() const;
  [[nodiscard]] Cost cost() const;

 private:
  pid_t process_ = -1;
};

}  // namespace daybook::gauntlet
