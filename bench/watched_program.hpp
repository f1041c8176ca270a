// SPDX-License-Identifier: MIT
//
// A program that runs beside a benchmark: started, heard when it says that it is ready, asked what
// it takes, ended by its process number. One thread. A program that cannot be started ends at once
// with 127, and so is never ready.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace daybook::bench {

using SteadyClock = std::chrono::steady_clock;

double ms_since(SteadyClock::time_point begun);

/// Ended by SIGTERM with the object.
class WatchedProgram {
 public:
  /// Its stdout goes to `out`, if that is not negative; its stderr nowhere.
  explicit WatchedProgram(const std::vector<std::string>& words, int out = -1);
  WatchedProgram(const WatchedProgram&) = delete;
  WatchedProgram& operator=(const WatchedProgram&) = delete;
  ~WatchedProgram();

  void stand_still() const;
  void go_on() const;
  /// Of all its threads, as precise as the scheduler knows it.
  double cpu_seconds() const;
  /// `VmRSS:`, `VmHWM:`
  double megabytes(const std::string& field) const;

 private:
  pid_t process_;
};

/// Where a service says that it is ready, as systemd would hear it. Programs that are started while
/// it lives know of it.
class Ear {
 public:
  explicit Ear(std::string path);
  Ear(const Ear&) = delete;
  Ear& operator=(const Ear&) = delete;
  ~Ear();

  /// False: not within half a minute.
  bool hears(std::string_view word) const;

 private:
  std::string path_;
  int socket_;
  bool usable_ = false;
};

}  // namespace daybook::bench
