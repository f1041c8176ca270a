// SPDX-License-Identifier: MIT
//
// JSON from outside -> a value, unless it is nested deeper than is good for the stack. Linear;
// pure.
#pragma once

#include <string_view>

namespace daybook::learn {

/// By nlohmann's parser. Discarded when it is no JSON, or too deep.
template <typename Json>
Json parse_bounded(std::string_view text, int deepest) {
  bool too_deep = false;
  Json value = Json::parse(
      text,
      [&too_deep, deepest](int depth, typename Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > deepest;
        return !too_deep;
      },
      false);
  return too_deep ? Json(Json::value_t::discarded) : value;
}

}  // namespace daybook::learn
