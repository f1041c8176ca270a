// SPDX-License-Identifier: MIT
//
// The arguments of a call: brought into the form in which they are judged, and read when they have
// been found to fit the schema. Pure.
#pragma once

#include "daybook/base/json.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::mcp {

using base::Json;

/// As models and clients mean them: one that is null is not given, since many clients fill in what
/// their model left out, and an `id` that is a number is the text of it.
Json meant_arguments(const Json& given, const Json& schema);

/// Of the parameters of a list: null when it begins anew, which a cursor that is null or empty
/// means as well.
const Json* given_cursor(const Json& params);

// Those that are not there are empty, `usual` or false.
std::string text_argument(const Json& arguments, std::string_view name);
std::int64_t number_argument(const Json& arguments, std::string_view name, std::int64_t usual);
bool has_argument(const Json& arguments, std::string_view name);
bool flag_argument(const Json& arguments, std::string_view name);
std::vector<std::string> list_argument(const Json& arguments, std::string_view name);

}  // namespace daybook::mcp
