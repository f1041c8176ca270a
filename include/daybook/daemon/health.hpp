// SPDX-License-Identifier: MIT
//
// How the running service is, in one copyable value, and the board on which the control thread
// writes it for whoever asks. Any thread.
#pragma once

#include "daybook/lineage/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::daemon {

enum class State : std::uint8_t {
  starting,  ///< before the first look at every file has ended
  watching,  ///< all that is known is done
  working,   ///< a pass is under way
  retrying,  ///< a pass could not be done, or not be believed: it comes again
  away,      ///< memory/ is not there, or not itself: what is known is kept
  stopping,
};

std::string_view to_string(State state);

/// Why the service is not as it should be, by stable names.
namespace degraded {
inline constexpr std::string_view kPolling = "polling";
inline constexpr std::string_view kVaultAway = "vault-away";
inline constexpr std::string_view kVaultEmptied = "vault-emptied";
inline constexpr std::string_view kPassFailed = "pass-failed";
inline constexpr std::string_view kConfigError = "config-error";
}  // namespace degraded

struct Health {
  State state = State::starting;
  std::int64_t pid = 0;
  std::string backend;  ///< `inotify`, or `polling` when events cannot be relied on
  std::string trouble;  ///< why it polls; empty: it does not
  std::uint64_t folders = 0;
  std::uint64_t folders_watched = 0;
  std::uint64_t queue = 0;  ///< hints and paths that wait
  std::uint64_t generation = 0;

  std::optional<lineage::Timestamp> started;
  std::optional<lineage::Timestamp> last_event;
  std::optional<lineage::Timestamp> last_sweep;
  std::optional<lineage::Timestamp> last_publication;
  double last_sweep_seconds = 0;
  double sweep_interval_seconds = 0;  ///< as stretched for a large vault

  std::uint64_t events = 0;         ///< hints taken
  std::uint64_t narrow_passes = 0;  ///< that looked at single sessions
  std::uint64_t sweeps = 0;         ///< looks at every file, for whatever reason
  std::uint64_t rescans = 0;        ///< those of them that doubt made necessary
  std::uint64_t overflows = 0;      ///< events were dropped, by the system or by us
  std::uint64_t deaf = 0;           ///< a sweep found what no event had told
  std::uint64_t rewatches = 0;      ///< the watcher was made anew
  std::uint64_t publications = 0;   ///< of a MEMORY.md
  std::uint64_t failures = 0;       ///< passes that failed

  std::uint64_t files_done = 0;  ///< of the pass that is under way
  std::uint64_t files_total = 0;
  std::string last_error;
  std::vector<std::string> degraded;  ///< names of `degraded`
};

class HealthBoard {
 public:
  Health read() const {
    const std::lock_guard lock(mutex_);
    return health_;
  }
  template <typename Change>
  void write(const Change& change) {
    const std::lock_guard lock(mutex_);
    change(health_);
  }
  /// With one of the names of `degraded`; again: it stays.
  void degrade(std::string_view reason);
  void mend(std::string_view reason);

 private:
  mutable std::mutex mutex_;
  Health health_;  // guarded by mutex_
};

}  // namespace daybook::daemon
