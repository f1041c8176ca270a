// SPDX-License-Identifier: MIT
#include "daybook/index/months.hpp"

#include <chrono>

namespace daybook::index {

std::int64_t month_of(lineage::Timestamp time) {
  const auto day = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(time.ms)));
  const std::chrono::year_month_day date(day);
  return std::int64_t{static_cast<int>(date.year())} * 12 + static_cast<unsigned>(date.month()) - 1;
}

lineage::Timestamp begin_of_month(std::int64_t month) {
  const std::chrono::year_month_day first(
      std::chrono::year(static_cast<int>(month >= 0 ? month / 12 : (month - 11) / 12)),
      std::chrono::month(static_cast<unsigned>(((month % 12) + 12) % 12) + 1),
      std::chrono::day(1));
  const auto since_epoch = std::chrono::sys_days(first).time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count()};
}

}  // namespace daybook::index
