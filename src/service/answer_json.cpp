// SPDX-License-Identifier: MIT
#include "daybook/service/answer_json.hpp"

#include "daybook/base/utf8.hpp"

#include <algorithm>

namespace daybook::service {

using base::Json;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json time_or_null(std::optional<lineage::Timestamp> time) {
  return time ? Json(lineage::to_string(*time)) : Json(nullptr);
}

Json changes_json(const std::optional<Freshness>& freshness) {
  if (!freshness) {
    return nullptr;
  }
  return Json::object({{"added", freshness->added},
                       {"changed", freshness->changed},
                       {"removed", freshness->removed},
                       {"links", freshness->links_changed}});
}

Json highlights(const index::Snippet& snippet) {
  Json ranges = Json::array();
  const auto characters = [&snippet](std::size_t bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < std::min(bytes, snippet.text.size()); ++count) {
      at += base::decode_utf8(snippet.text, at).size;
    }
    return count;
  };
  for (const index::Snippet::Range& range : snippet.ranges) {
    ranges.push_back(Json::array({characters(range.begin), characters(range.end)}));
  }
  return ranges;
}

}  // namespace daybook::service
