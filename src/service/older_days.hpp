// SPDX-License-Identifier: MIT
//
// Days of the window whose sessions have no row in MEMORY.md, summed up, and kept from one pass to
// the next: a change concerns one of them, and what it costs must not grow with a month's projects.
// The index numbers the changes of each day; what was summed up under the same number still holds.
// That is so for one index as one connection sees it: with another, begin with an empty one. One
// thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/projection/memory_md.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace daybook::service {

/// Those of projects that are no noise.
projection::OlderSessions without_noise(index::SessionCounts counted,
                                        const std::vector<std::string>& noise);

class OlderDays {
 public:
  /// Those of an agent that have sessions, noise left out. Days before the first are forgotten.
  Result<std::vector<projection::OlderDay>> of(index::Reader& reader,
                                               const std::string& agent_id,
                                               index::Days days,
                                               const std::vector<std::string>& noise);

 private:
  struct Known {
    std::int64_t changes = 0;
    projection::OlderDay day;  ///< without sessions: there was none
  };
  struct DaysOfAgent {
    std::int64_t number = 0;  ///< of the agent, as the index has it
    std::map<std::int64_t, Known> days;
  };

  std::vector<std::string> noise_;  // by which all of them were summed up
  std::map<std::string, DaysOfAgent> known_;
};

}  // namespace daybook::service
