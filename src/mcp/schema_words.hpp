// SPDX-License-Identifier: MIT
//
// JSON Schemas of what the tools take and give, in few words. Pure.
#pragma once

#include "daybook/base/json.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::mcp {

using base::Json;

// Of arguments.
Json text_schema(std::string_view description, int most, int least = 0);
Json integer_schema(std::string_view description, std::int64_t least, std::int64_t most);
Json flag_schema(std::string_view description);
Json choice_schema(std::string_view description, std::span<const std::string_view> names);
Json list_schema(std::string_view description, Json items, int most);
Json object_schema(Json properties, const std::vector<std::string>& required = {});

// Of answers.
/// Every property is always there, and nothing else.
Json answer_schema(Json properties);
/// `string` that may be null, and so on.
Json nullable(std::string_view type);
Json typed(std::string_view type);
Json list_of(Json items);
/// fresh, last_sweep and generation, among the properties of an answer.
void add_freshness_schema(Json& properties);

}  // namespace daybook::mcp
