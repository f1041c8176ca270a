// SPDX-License-Identifier: MIT
// Catch2's main(), compiled once for all test programs: it is by far their slowest part.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
