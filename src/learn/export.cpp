// SPDX-License-Identifier: MIT
#include "daybook/learn/learn.hpp"
#include "learn/bounded_json.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace daybook::learn {
namespace {

using lineage::Learning;
using nlohmann::ordered_json;

ordered_json time_or_null(const std::optional<lineage::Timestamp>& time) {
  return time ? ordered_json(lineage::to_string(*time)) : ordered_json(nullptr);
}

ordered_json json_of(const Learning& learning) {
  auto metadata = parse_bounded<ordered_json>(learning.metadata, lineage::kDeepestMetadata);
  return {{"id", learning.id},
          {"content", learning.content},
          {"category", learning.category},
          {"created_at", lineage::to_string(learning.created_at)},
          {"memory_type", to_string(lineage::memory_type_of(learning.kind))},
          {"metadata", metadata.is_object() ? std::move(metadata) : ordered_json(nullptr)},
          {"learning_kind", to_string(learning.kind)},
          {"agent_id", learning.agent_id},
          {"scope", lineage::to_string(learning.scope)},
          {"status", to_string(learning.status)},
          {"origin", to_string(learning.origin)},
          {"sensitivity", to_string(learning.sensitivity)},
          {"updated_at", lineage::to_string(learning.updated_at)},
          {"expires_at", time_or_null(learning.expires_at)},
          {"revision", learning.revision},
          {"revoked_at", time_or_null(learning.revoked_at)},
          {"revoked_reason",
           learning.revoked_reason.empty() ? ordered_json(nullptr)
                                           : ordered_json(learning.revoked_reason)}};
}

}  // namespace

std::string to_json(const std::vector<Note>& notes) {
  ordered_json array = ordered_json::array();
  for (const Note& note : notes) {
    array.push_back(json_of(note.learning));
  }
  return array.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace daybook::learn
