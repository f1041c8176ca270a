// SPDX-License-Identifier: MIT
//
// JSON from outside -> whether its brackets nest deeper than any answer's do: parsers recurse.
// Linear, pure.
#pragma once

#include <string_view>

namespace daybook::model {

bool is_too_deep(std::string_view json);

}  // namespace daybook::model
