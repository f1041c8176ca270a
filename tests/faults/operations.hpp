// SPDX-License-Identifier: MIT
//
// The rows of the bench: what the program does to a vault that must survive its end at any call.
// A new row is one function here, and one line in each of the tests.
#pragma once

#include "faults/bench.hpp"

namespace daybook::faults {

Operation removal();
Operation unremoval();
Operation acceptance();
/// A pass over a vault in which a session is new, another changed and a third gone.
Operation reindexing();

}  // namespace daybook::faults
