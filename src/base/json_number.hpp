// SPDX-License-Identifier: MIT
//
// A number as JSON; `null` when it is not finite. Pure.
#pragma once

#include <string>

namespace daybook::base {

std::string json_number(double number);

}  // namespace daybook::base
