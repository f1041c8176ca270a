// SPDX-License-Identifier: MIT
#include "mcp/all_tools.hpp"
#include "mcp/arguments.hpp"
#include "mcp/learning_access.hpp"
#include "mcp/schema_words.hpp"

#include <algorithm>

namespace daybook::mcp {
namespace {

constexpr std::int64_t kUsualLimit = 20;
constexpr std::int64_t kMostListed = 500;
constexpr int kLongestCategory = 100;

Result<ToolAnswer> list_memories(const Call& call) {
  TRY_ASSIGN(const auto folder, call.memory.folder());
  TRY_ASSIGN(const auto config, call.memory.config());
  learn::Filter filter;
  filter.agent_id = call.memory.agent();
  if (const std::string category = text_argument(call.arguments, "category"); !category.empty()) {
    filter.category = lineage::learning_category(category);
  }
  if (const std::string type = text_argument(call.arguments, "memory_type"); !type.empty()) {
    filter.type = lineage::memory_type_from_string(type);
  }
  TRY(call.go_on());
  TRY_ASSIGN(const auto notes, learn::list(desk_of(call, folder, config), filter));
  const auto limit =
      static_cast<std::size_t>(number_argument(call.arguments, "limit", kUsualLimit));
  ToolAnswer answer;
  Json memories = Json::array();
  for (std::size_t i = 0; i < std::min(limit, notes.size()); ++i) {
    answer.text.append(i == 0 ? "" : "\n").append(learning_line(notes[i].learning));
    memories.push_back(learning_json(notes[i]));
  }
  if (notes.empty()) {
    answer.text = "No memories found.";
  } else if (notes.size() > limit) {
    answer.text.append("\n(").append(std::to_string(notes.size() - limit));
    answer.text.append(" older ones are not listed; raise limit or name a category)");
  }
  answer.structured = Json::object({{"memories", std::move(memories)}, {"total", notes.size()}});
  return answer;
}

}  // namespace

Tool list_memories_tool() {
  Json input = Json::object(
      {{"category", text_schema("Only of this category", kLongestCategory)},
       {"limit", integer_schema("At most so many (20)", 1, kMostListed)},
       {"memory_type",
        choice_schema("Only facts, preferences and decisions (semantic), episodes (episodic), or "
                      "procedures (procedural)",
                      lineage::kMemoryTypeNames)}});
  return {"list_memories",
          "List memories",
          "Lists what was remembered, learned and recorded, newest first, as the notes say now, "
          "of every scope: a memory of one project or session holds there alone. Sessions are not "
          "among it: for them use recall.",
          Effect::reads,
          true,
          object_schema(std::move(input)),
          answer_schema(Json::object(
              {{"memories", list_of(learning_schema())}, {"total", typed("integer")}})),
          list_memories};
}

}  // namespace daybook::mcp
