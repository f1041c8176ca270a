// SPDX-License-Identifier: MIT
#include "mcp/pass.hpp"

#include <utility>

namespace daybook::mcp {
namespace {

/// A cancellation is heard between two of these.
constexpr std::chrono::milliseconds kShortWait{100};

}  // namespace

Error as_retryable(Error error) {
  error.hint = "Nothing is lost: call the tool again in a few seconds.";
  return error;
}

Result<service::PassReport> run_pass(const Call& call,
                                     const state::StateFolder& folder,
                                     std::vector<std::string> hints) {
  service::PassRequest request;
  request.command = "daybook mcp";
  request.wait = kShortWait;
  request.counting = service::Counting::not_wanted;
  request.text = hints.empty() ? service::Text::with_full_text : service::Text::without_full_text;
  request.hints = std::move(hints);
  return patiently(call, [&] {
    return service::Pipeline(call.memory.disk(), folder, call.memory.clock())
        .run(request, call.request.work());
  });
}

}  // namespace daybook::mcp
