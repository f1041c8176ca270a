// SPDX-License-Identifier: MIT
//
// Room -> how much of it each of several parts gets: what it needs if all of them fit, else its
// part in the proportion of the weights, and what one leaves over goes to the others. So no part
// can starve another, however much it has to say. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace daybook::projection {

template <std::size_t Parts>
std::array<std::uint64_t, Parts> share_out(std::uint64_t room,
                                           const std::array<std::uint64_t, Parts>& needs,
                                           const std::array<std::uint64_t, Parts>& weights) {
  std::array<std::uint64_t, Parts> shares{};
  std::array<bool, Parts> settled{};
  for (bool changed = true; changed;) {
    changed = false;
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < Parts; ++i) {
      weight += settled[i] ? 0 : weights[i];
    }
    for (std::size_t i = 0; i < Parts; ++i) {
      if (settled[i]) {
        continue;
      }
      // The room of a page is far below what this could overflow.
      shares[i] = room / weight * weights[i] + room % weight * weights[i] / weight;
      if (needs[i] <= shares[i]) {
        shares[i] = needs[i];
        room -= needs[i];
        settled[i] = changed = true;
        break;
      }
    }
  }
  return shares;
}

}  // namespace daybook::projection
