// SPDX-License-Identifier: MIT
//
// What a tool is: its name and schemas, what it does to the memory, and the function that does it.
// Arguments reach the function only when they fit the schema. One thread.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/base/result.hpp"
#include "mcp/memory.hpp"
#include "mcp/outlet.hpp"
#include "mcp/request.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::mcp {

using base::Json;

class PassKeeper;

/// A call under way.
struct Call {
  const Memory& memory;
  const Json& arguments;
  Request& request;
  Outlet& outlet;
  PassKeeper& passes;

  /// The next step begins, which may take a while. Fails when the call was cancelled.
  Result<void> step(std::string_view what) const { return request.step(outlet, what); }
  Result<void> go_on() const {
    return request.is_cancelled() ? Result<void>(cancelled_error()) : Result<void>();
  }
};

struct ToolAnswer {
  std::string text;  ///< for whoever reads
  Json structured;   ///< the same as data; fits the output schema
  /// Done when the answer is out: nobody waits for it.
  std::function<void()> afterwards = {};
};

enum class Effect : std::uint8_t {
  reads,
  adds,      ///< writes something new
  destroys,  ///< takes something away for good
};

struct Tool {
  std::string name;
  std::string title;
  std::string description;
  Effect effect = Effect::reads;
  bool idempotent = true;
  Json input;
  Json output;
  std::function<Result<ToolAnswer>(const Call&)> work;
};

/// In the order in which they are listed.
Tool recall_tool();
Tool memory_search_tool();
Tool memory_context_tool();
Tool memory_get_tool();
Tool remember_tool();
Tool learn_procedure_tool();
Tool record_episode_tool();
Tool list_memories_tool();
Tool memory_forget_tool();
Tool memory_status_tool();

/// All of them.
const std::vector<Tool>& all_tools();

/// As clients get it; fields that the revision does not know are left out.
Json tool_json(const Tool& tool, bool knows_annotations, bool knows_output);

// Schemas in few words.
Json text_schema(std::string_view description, int most, int least = 0);
Json integer_schema(std::string_view description, std::int64_t least, std::int64_t most);
Json flag_schema(std::string_view description);
Json choice_schema(std::string_view description, std::span<const std::string_view> names);
Json list_schema(std::string_view description, Json items, int most);
Json object_schema(Json properties, const std::vector<std::string>& required = {});
/// Every property is always there, and nothing else.
Json answer_schema(Json properties);
/// Of answers: `string` that may be null, and so on.
Json nullable(std::string_view type);
Json typed(std::string_view type);
Json list_of(Json items);
/// fresh, last_sweep and generation, among the properties of an answer.
void add_freshness_schema(Json& properties);

// Arguments, which fit the schema.
std::string text_argument(const Json& arguments, std::string_view name);
std::int64_t number_argument(const Json& arguments, std::string_view name, std::int64_t usual);
bool flag_argument(const Json& arguments, std::string_view name);
std::vector<std::string> list_argument(const Json& arguments, std::string_view name);

}  // namespace daybook::mcp
