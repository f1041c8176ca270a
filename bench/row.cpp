// SPDX-License-Identifier: MIT
#include "row.hpp"

#include <algorithm>
#include <cstdio>

namespace daybook::bench {
namespace {

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
  return text;
}

const char* or_dash(const std::string& text) { return text.empty() ? "-" : text.c_str(); }

void print(const Row& row, double value) {
  std::printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
              row.name.c_str(),
              row.unit.c_str(),
              or_dash(row.target),
              digits(value).c_str(),
              digits(*std::min_element(row.values.begin(), row.values.end())).c_str(),
              digits(*std::max_element(row.values.begin(), row.values.end())).c_str(),
              or_dash(row.work),
              or_dash(row.yardstick),
              row.note.c_str());
  std::fflush(stdout);
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<double> ratios(const std::vector<double>& work, const std::vector<double>& yardstick) {
  std::vector<double> ratios;
  for (std::size_t run = 0; run < work.size() && run < yardstick.size(); ++run) {
    ratios.push_back(work[run] / yardstick[run]);
  }
  return ratios;
}

std::string with_unit(double value, const char* unit) { return digits(value) + " " + unit; }

void print(const Row& row) { print(row, median(row.values)); }

void print_worst(const Row& row) {
  print(row, *std::max_element(row.values.begin(), row.values.end()));
}

}  // namespace daybook::bench
