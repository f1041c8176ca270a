// SPDX-License-Identifier: MIT
//
// A vault with the service over it, in a thread of the test's own process and with the real efsw
// unless the test brings a source of its own. What the service has made is compared with what a
// rebuild makes of the same files.
#pragma once

#include "daybook/daemon/watch_service.hpp"
#include "daybook/watch/efsw_source.hpp"
#include "support/eventually.hpp"
#include "support/indexed_vault.hpp"

#include <memory>
#include <string>
#include <thread>

namespace daybook::daemon {

/// Short, so that tests are; the same rules hold for the defaults.
inline constexpr const char* kQuickConfig =
    "watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 3600\n";

class WatchedVault {
 public:
  explicit WatchedVault(const std::string& config = kQuickConfig);
  ~WatchedVault();

  support::IndexedVault& vault() { return vault_; }
  [[nodiscard]] std::string at(std::string_view path) const { return vault_.at(path); }

  /// Returns when the service is ready.
  void start();
  void start(watch::EventSource& source);
  void start(base::Disk& disk);
  void stop();
  WatchService& service() { return *service_; }
  [[nodiscard]] Health health() const { return service_->health(); }

  /// Waits until all that is known is done: what health() says of passes follows what they have
  /// written.
  [[nodiscard]] bool rests() const;
  [[nodiscard]] bool is_degraded(std::string_view reason) const;
  /// Waits until MEMORY.md has the text.
  [[nodiscard]] bool shows(const std::string& text) const;
  [[nodiscard]] bool shows_now(const std::string& text) const;
  /// Waits until rows and MEMORY.md are those of a rebuild; what differs at the end is kept.
  bool equals_rebuild(std::chrono::milliseconds most = std::chrono::seconds(60));
  [[nodiscard]] const std::string& difference() const { return difference_; }

 private:
  void start(base::Disk& disk, watch::EventSource& source);
  bool equals_rebuild_now();

  support::IndexedVault vault_;
  watch::EfswSource efsw_;
  base::FixedClock clock_{support::kTestNow};
  std::unique_ptr<WatchService> service_;
  std::thread thread_;
  std::atomic<bool> ready_{false};
  std::string difference_;
};

}  // namespace daybook::daemon
