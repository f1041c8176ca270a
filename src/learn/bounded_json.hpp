// SPDX-License-Identifier: MIT
//
// JSON from outside -> a value, unless it is nested deeper than is good for the stack, or one of
// its objects has so many members that looking for each of them would take for ever. Linear; pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace daybook::learn {

/// Whoever keeps the order of members finds one by looking at all before it. More than the longest
/// metadata has room for.
inline constexpr std::size_t kMostMembers = 3000;

/// By nlohmann's parser. Discarded when it is no JSON, too deep, or an object is too large.
template <typename Json>
Json parse_bounded(std::string_view text, int deepest) {
  using Event = typename Json::parse_event_t;
  bool refused = false;
  std::vector<std::size_t> members;  // of each object that is open
  Json value = Json::parse(
      text,
      [&](int depth, Event event, Json&) {
        if (refused) {
          return false;
        }
        if (event == Event::object_start) {
          members.push_back(0);
        } else if (event == Event::object_end) {
          members.pop_back();
        }
        refused = depth > deepest || (event == Event::key && ++members.back() > kMostMembers);
        return !refused;
      },
      false);
  return refused ? Json(Json::value_t::discarded) : value;
}

}  // namespace daybook::learn
