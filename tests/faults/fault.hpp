// SPDX-License-Identifier: MIT
//
// What is to go wrong in a program, and the calls that it made: the other side of shim.cpp. Values;
// any thread.
#pragma once

#include <string>
#include <vector>

namespace daybook::faults {

enum class FaultMode { none, count, kill_before, kill_after, fail_once, fail_ever, short_write };
enum class FaultCalls {
  changes,  ///< by which a file below the roots changes
  opens,    ///< by which a descriptor is made
};

struct Fault {
  FaultMode mode = FaultMode::none;
  int at = 0;  ///< the number of the call, from 1 on
  int error = 0;
  FaultCalls calls = FaultCalls::changes;
  std::string path = {};    ///< only calls on paths that hold this text
  std::string mirror = {};  ///< where what is durable is kept (durable_disk.hpp)

  /// Such as "kill-before 17", for a reader.
  [[nodiscard]] std::string to_text() const;
};

/// The code that a program ends with when the shim ends it.
inline constexpr int kKilled = 137;

struct Call {
  int number = 0;
  std::string kind;
  std::string path;
};

/// For support::Program; `log` may be empty.
std::vector<std::string> fault_environment(const Fault& fault,
                                           const std::vector<std::string>& roots,
                                           const std::string& log);

std::vector<Call> read_calls(const std::string& log);

/// One call of each kind on each file.
std::vector<Call> sites(const std::vector<Call>& calls);

/// At most so many of them, from all over.
std::vector<Call> evenly(const std::vector<Call>& calls, std::size_t most);

}  // namespace daybook::faults
