// SPDX-License-Identifier: MIT
//
// What is to be imported -> its records as they say it, judged for their form alone: nothing is
// looked up, guarded or written here. JSON from outside within bounds. Pure.
#pragma once

#include "daybook/learn/learn.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::learn {

struct ImportRecord {
  lineage::Learning learning;  ///< id 0: it gets a new one
  std::size_t number = 0;      ///< counted from 0
};

/// ErrorKind::usage with the number of the first that cannot be understood. `agent_id` empty: as
/// the records say.
Result<std::vector<ImportRecord>> read_import(std::string_view json,
                                              const std::string& agent_id,
                                              lineage::Timestamp now);

}  // namespace daybook::learn
