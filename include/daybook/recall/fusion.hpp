// SPDX-License-Identifier: MIT
//
// Several rankings of the same memories -> one. Reciprocal rank fusion: what stands at place n of a
// list gets 1 / (60 + n) from it, because places can be compared where scores of different kinds
// cannot. What happened lately, and what was used lately, gets a little more: at most as much as a
// few places. Pure; the same input gives the same order.
#pragma once

#include "daybook/lineage/timestamp.hpp"

#include <cstddef>
#include <span>

namespace daybook::recall {

/// Half of the bonus for being recent is gone after so long.
inline constexpr std::int64_t kRecencyHalfLifeMs = 30LL * 24 * 60 * 60 * 1000;

struct Bonus {
  lineage::Timestamp time;
  double use = 0;  ///< the telemetry's rank
};

/// `places`: of one memory in each list, from 1; 0: it is not in it. 1 is the best there is: first
/// in every list, just now, much used.
double fused_score(std::span<const std::size_t> places, const Bonus& bonus, lineage::Timestamp now);

}  // namespace daybook::recall
