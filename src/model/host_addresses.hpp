// SPDX-License-Identifier: MIT
//
// A host's name -> its addresses as text, in the order in which they are to be tried, by a
// deadline. The system's own way to ask for a name may take half a minute when no name server
// answers, and cannot be cut short: so it runs on a thread that owns all it uses, and is left to
// itself when nobody waits any more. An address is taken as it is, and nobody is asked. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace daybook::model {

enum class LookupEnd : std::uint8_t {
  found,
  unknown,   ///< there is no such name, or nobody could say
  too_slow,  ///< the deadline came first, or the wish to end
};

struct Lookup {
  LookupEnd end = LookupEnd::unknown;
  std::vector<std::string> addresses;  ///< of `found`: at least one
};

/// Asks for a name and waits as long as that takes; nothing: it is not known.
using Resolver = std::function<std::vector<std::string>(const std::string& host)>;

Lookup look_up(const std::string& host,
               std::chrono::steady_clock::time_point deadline,
               const std::atomic<bool>* cancelled = nullptr,
               Resolver resolve = {});

/// Of `https://host:port`; of an IPv6 address without its brackets.
std::string host_of(const std::string& origin);

}  // namespace daybook::model
