// SPDX-License-Identifier: MIT
//
// Ids of agents -> whether something may be kept for them. Two that differ only in case would share
// a folder on many disks, so only one of them gets a MEMORY.md, and what is remembered for the
// other would be shown to nobody. Known is `default`, whoever has a MEMORY.md of this device's, and
// who was asked about before. One thread.
#pragma once

#include "daybook/learn/learn.hpp"

#include <map>
#include <string>

namespace daybook::learn {

class AgentNames {
 public:
  static Result<AgentNames> known(const Desk& desk);

  /// ErrorKind::usage, naming the spelling that is known.
  Result<void> check(const std::string& agent_id);

 private:
  std::map<std::string, std::string> by_folded_;
};

}  // namespace daybook::learn
