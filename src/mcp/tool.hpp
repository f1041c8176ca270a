// SPDX-License-Identifier: MIT
//
// What a tool is: its name and schemas, what it does to the memory, and the function that does it.
// Arguments reach the function only when they fit the schema; what it answers may hold text of
// notes as it stands there, which is made harmless where answers leave. One thread.
#pragma once

#include "daybook/base/json.hpp"
#include "daybook/base/result.hpp"
#include "mcp/memory.hpp"
#include "mcp/outlet.hpp"
#include "mcp/request.hpp"
#include "mcp/revision.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

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

/// As clients get it; fields that the revision does not know are left out.
Json tool_json(const Tool& tool, Revision revision);

}  // namespace daybook::mcp
