// SPDX-License-Identifier: MIT
//
// What every fuzz target asserts with: a property that does not hold is printed and ends the
// program, which libFuzzer reports together with the input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace daybook::fuzz {

inline void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "Does not hold: %s\n", what);
    std::abort();
  }
}

}  // namespace daybook::fuzz
