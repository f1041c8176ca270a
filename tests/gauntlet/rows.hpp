// SPDX-License-Identifier: MIT
//
// All rows, in the order of the scoreboard. A new row is one function that returns it, in a file of
// its own below rows/, and one line in rows.cpp.
#pragma once

#include "gauntlet/row.hpp"

#include <vector>

namespace daybook::gauntlet {

Row crash();
Row second_crash();
Row unsynced();
Row refusal();
Row sudden_end();
Row full();
Row storm();
Row liar();
Row overflow();
Row root();
Row watch_limit();
Row stopped_holder();
Row publishers();
Row clock_jumps();
Row power_cut();
Row power_cut_btrfs();
Row power_cut_xfs();
Row partial();
Row writers();
Row bypass();
Row database();
Row bit_flip();
Row same_moment();
Row secrets();
Row fuzz();
Row sanitizers();
Row soak();

std::vector<Row> all_rows();

}  // namespace daybook::gauntlet
