// SPDX-License-Identifier: MIT
#include "gauntlet/rows.hpp"

namespace daybook::gauntlet {

std::vector<Row> all_rows() {
  return {
      crash(),
      second_crash(),
      unsynced(),
      refusal(),
  };
}

}  // namespace daybook::gauntlet
