// SPDX-License-Identifier: MIT
#include "daybook/recall/fusion.hpp"

#include <algorithm>
#include <cmath>

namespace daybook::recall {
namespace {

constexpr double kSmoothing = 60;
constexpr double kFirst = 1 / (kSmoothing + 1);
// So that the newest memory of all passes at most two others for it, and likewise the most used.
constexpr double kRecencyWeight = 0.03;
constexpr double kUseWeight = 0.03;
/// A rank of so much, two openings say, is half of what use can bring.
constexpr double kHalfUse = 8;

}  // namespace

double fused_score(std::span<const std::size_t> places,
                   const Bonus& bonus,
                   lineage::Timestamp now) {
  double score = 0;
  for (const std::size_t place : places) {
    score += place == 0 ? 0 : 1 / (kSmoothing + static_cast<double>(place));
  }
  const double age = static_cast<double>(std::max<std::int64_t>(0, now.ms - bonus.time.ms));
  const double use = std::max(0.0, bonus.use);
  const auto lists = static_cast<double>(places.size());
  score += lists * kFirst *
           (kRecencyWeight * std::exp2(-age / static_cast<double>(kRecencyHalfLifeMs)) +
            kUseWeight * use / (use + kHalfUse));
  return score / (lists * kFirst * (1 + kRecencyWeight + kUseWeight));
}

}  // namespace daybook::recall
