// SPDX-License-Identifier: MIT
#include "gauntlet/rows.hpp"

namespace daybook::gauntlet {

std::vector<Row> all_rows() {
  return {
      crash(),         second_crash(), unsynced(),    refusal(),
      sudden_end(),    full(),         storm(),       liar(),
      overflow(),      root(),         watch_limit(), stopped_holder(),
      publishers(),    clock_jumps(),  power_cut(),   power_cut_btrfs(),
      power_cut_xfs(), partial(),      writers(),     bypass(),
      database(),      bit_flip(),     same_moment(), secrets(),
      fuzz(),          sanitizers(),   soak(),
  };
}

}  // namespace daybook::gauntlet
