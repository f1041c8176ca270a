// SPDX-License-Identifier: MIT
//
// What a service tells whoever started it: systemd, or `watch --detach`. Words -> datagrams on the
// socket that NOTIFY_SOCKET names, as sd_notify(3) describes them. Without that variable every call
// does nothing. No call ever blocks, fails or throws: a service must not die of its own news. One
// thread at a time; owns its socket.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::host {

class Notifier {
 public:
  /// Reads NOTIFY_SOCKET (a path, or `@name` for an abstract one), WATCHDOG_USEC and WATCHDOG_PID.
  static Notifier from_environment();

  Notifier(Notifier&& other) noexcept;
  Notifier& operator=(Notifier&& other) noexcept;
  ~Notifier();

  /// The service works from now on; also the end of a reload. The status is shown to people.
  void ready(std::string_view status);
  void reloading();
  void stopping();
  void status(std::string_view text);
  /// To be said once a watchdog_period().
  void alive();

  /// How often alive() is due: half of what the watchdog allows. Nothing: nobody waits for it.
  std::optional<std::chrono::milliseconds> watchdog_period() const { return watchdog_period_; }

 private:
  Notifier() = default;
  void say(const std::string& message);
  bool sent(const std::string& message) const;

  int socket_ = -1;      // -1: nobody listens
  std::string address_;  // as NOTIFY_SOCKET gives it
  std::string unsent_;   // "ready" that found the listener's queue full: it must not get lost
  std::optional<std::chrono::milliseconds> watchdog_period_;
};

}  // namespace daybook::host
