// SPDX-License-Identifier: MIT
//
// Searches of two words that a generated vault can answer, the same ones each time: in turns two
// ordinary words, an ordinary and a common one, two common ones. A search that finds nothing ends
// early, and to measure it would say nothing. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace daybook::bench {

std::vector<std::string> search_queries(std::size_t count);

}  // namespace daybook::bench
