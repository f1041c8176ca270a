// SPDX-License-Identifier: MIT
#include "mcp/learning_access.hpp"

#include "daybook/base/printable.hpp"
#include "mcp/pass.hpp"
#include "mcp/schema_words.hpp"

#include <algorithm>

namespace daybook::mcp {

learn::Desk desk_of(const Call& call,
                    const state::StateFolder& folder,
                    const parse::Config& config) {
  return {call.memory.disk(), folder, config, call.memory.now(), kShortWait};
}

Result<std::optional<learn::Note>> find_learning(const learn::Desk& desk,
                                                 const std::string& agent,
                                                 const std::string& text) {
  const bool is_path = lineage::is_learning_path(text);
  const auto id = is_path ? std::nullopt : lineage::learning_id_from_string(text);
  std::optional<learn::Note> found;
  if (!id && !is_path) {
    return found;
  }
  learn::Filter filter;
  filter.agent_id = agent;
  filter.every_status = true;
  TRY_ASSIGN(auto notes, learn::list(desk, filter));
  const auto meant = std::find_if(notes.begin(), notes.end(), [&](const learn::Note& note) {
    return (is_path ? note.path == text : note.learning.id == *id) &&
           note.learning.sensitivity == lineage::Sensitivity::scoped;
  });
  if (meant != notes.end()) {
    found = std::move(*meant);
  }
  return found;
}

Json learning_json(const learn::Note& note) {
  const lineage::Learning& learning = note.learning;
  return Json::object({{"id", learning.id},
                       {"type", to_string(lineage::memory_type_of(learning.kind))},
                       {"learning_kind", to_string(learning.kind)},
                       {"category", learning.category},
                       {"scope", to_string(learning.scope)},
                       {"status", to_string(learning.status)},
                       {"created_at", lineage::to_string(learning.created_at)},
                       {"expires_at", time_or_null(learning.expires_at)},
                       {"path", note.path},
                       {"content", learning.content}});
}

Json learning_schema() {
  return answer_schema(Json::object({{"id", typed("integer")},
                                     {"type", typed("string")},
                                     {"learning_kind", typed("string")},
                                     {"category", typed("string")},
                                     {"scope", typed("string")},
                                     {"status", typed("string")},
                                     {"created_at", typed("string")},
                                     {"expires_at", nullable("string")},
                                     {"path", typed("string")},
                                     {"content", typed("string")}}));
}

std::string learning_line(const lineage::Learning& learning) {
  std::string line = "[";
  line.append(to_string(lineage::memory_type_of(learning.kind))).append(":");
  line.append(learning.category).append("] (").append(lineage::to_string(learning.created_at));
  line.append(") ").append(base::printable(learning.content));
  return line.append(" (id=").append(std::to_string(learning.id)).append(")");
}

}  // namespace daybook::mcp
