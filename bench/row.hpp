// SPDX-License-Identifier: MIT
//
// One row of scripts/bench: what was measured in each run -> a line on stdout with the median and
// the spread, as scripts/lib/bench/rows.sh reads it. One thread.
#pragma once

#include <string>
#include <vector>

namespace daybook::bench {

struct Row {
  std::string name;
  std::string unit;            ///< "ratio", or of the values: "ms", "MB", "MB/s", "%", "s"
  std::string target;          ///< "<= 5", ">= 50"; empty: none, it is only told
  std::vector<double> values;  ///< one a run
  std::string work;            ///< how long, for people; may be empty
  std::string yardstick;       ///< the same of what it is held against, in the same runs
  std::string note;
};

double median(std::vector<double> values);

/// Of neighbouring runs, so that a machine that slows down or speeds up favours neither.
std::vector<double> ratios(const std::vector<double>& work, const std::vector<double>& yardstick);

/// `12.34 ms`, with as many digits as matter.
std::string with_unit(double value, const char* unit);

void print(const Row& row);
/// One whose worst run counts, not its median.
void print_worst(const Row& row);

}  // namespace daybook::bench
