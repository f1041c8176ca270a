// SPDX-License-Identifier: MIT
#include "daybook/daemon/health.hpp"

namespace daybook::daemon {

std::string_view to_string(State state) {
  switch (state) {
    case State::starting:
      return "starting";
    case State::watching:
      return "watching";
    case State::working:
      return "working";
    case State::away:
      return "away";
    case State::stopping:
      return "stopping";
  }
  return "unknown";
}

}  // namespace daybook::daemon
