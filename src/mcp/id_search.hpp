// SPDX-License-Identifier: MIT
//
// A line that cannot be read as JSON, or holds more than may be kept -> the id of the request that
// it was meant to be, so that whoever waits for its answer gets the error. A look, and no parser:
// of a line with two ids, or none that stands in the outermost object, nothing is found. Linear;
// pure.
#pragma once

#include "daybook/base/json.hpp"

#include <string_view>

namespace daybook::mcp {

using base::Json;

/// A text or an integer.
bool is_id(const Json& id);

/// Null: none is found.
Json id_in(std::string_view line);

}  // namespace daybook::mcp
