// SPDX-License-Identifier: MIT
#include "mcp/request.hpp"

#include "mcp/json_rpc.hpp"

namespace daybook::mcp {

Error cancelled_error() { return {ErrorKind::busy, "the call was cancelled", {}, {}}; }

Result<void> Request::step(Outlet& outlet, std::string_view what) {
  if (is_cancelled()) {
    return cancelled_error();
  }
  ++steps_;
  if (!progress_token_.is_null()) {
    outlet.write(notification_line(
        "notifications/progress",
        Json::object(
            {{"progressToken", progress_token_}, {"progress", steps_}, {"message", what}})));
  }
  return {};
}

}  // namespace daybook::mcp
