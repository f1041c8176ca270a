// SPDX-License-Identifier: MIT
#include "daybook/daemon/health.hpp"

#include <algorithm>

namespace daybook::daemon {

std::string_view to_string(State state) {
  switch (state) {
    case State::starting:
      return "starting";
    case State::watching:
      return "watching";
    case State::working:
      return "working";
    case State::retrying:
      return "retrying";
    case State::away:
      return "away";
    case State::stopping:
      return "stopping";
  }
  return "unknown";
}

void HealthBoard::degrade(std::string_view reason) {
  write([reason](Health& health) {
    if (std::find(health.degraded.begin(), health.degraded.end(), reason) ==
        health.degraded.end()) {
      health.degraded.emplace_back(reason);
    }
  });
}

void HealthBoard::mend(std::string_view reason) {
  write([reason](Health& health) { std::erase(health.degraded, reason); });
}

}  // namespace daybook::daemon
