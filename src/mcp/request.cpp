// SPDX-License-Identifier: MIT
#include "mcp/request.hpp"

#include "mcp/json_rpc.hpp"

namespace daybook::mcp {

Error cancelled_error() { return {ErrorKind::busy, "the call was cancelled", {}, {}}; }

Result<void> Request::step(Outlet& outlet, std::string_view what) {
  if (is_cancelled()) {
    return cancelled_error();
  }
  const bool is_quiet = watch_.seconds() * 1000 < static_cast<double>(quiet_.count());
  if (!progress_token_.is_null() && !is_quiet) {
    ++steps_;
    outlet.write(notification_line(
        "notifications/progress",
        Json::object(
            {{"progressToken", progress_token_}, {"progress", steps_}, {"message", what}})));
  }
  return {};
}

}  // namespace daybook::mcp
