// SPDX-License-Identifier: MIT
#include "mcp/pass.hpp"

#include <utility>

namespace daybook::mcp {

Error as_retryable(Error error) {
  error.hint = "Nothing is lost: call the tool again in a few seconds.";
  return error;
}

/// The folder is its own copy: the pipeline refers to it.
struct PassKeeper::Kept {
  Kept(const Call& call, const state::StateFolder& of)
      : folder(of),
        pipeline(call.memory.disk(), folder, call.memory.clock(), service::Keeping::between_runs) {}

  state::StateFolder folder;
  service::Pipeline pipeline;
};

PassKeeper::PassKeeper() = default;
PassKeeper::~PassKeeper() = default;

service::Pipeline& PassKeeper::pipeline(const Call& call, const state::StateFolder& folder) {
  if (!kept_ || kept_->folder.device() != folder.device()) {
    kept_.reset();
    kept_ = std::make_unique<Kept>(call, folder);
  }
  return kept_->pipeline;
}

void PassKeeper::let_go() { kept_.reset(); }

Result<service::PassReport> follow_notes(const Call& call,
                                         const state::StateFolder& folder,
                                         std::vector<std::string> paths) {
  service::PassRequest request;
  request.command = "daybook mcp";
  request.wait = kShortWait;
  request.counting = service::Counting::not_wanted;
  request.text = service::Text::without_full_text;
  request.hints = std::move(paths);
  return patiently(
      call, [&] { return call.passes.pipeline(call, folder).run(request, call.request.work()); });
}

Result<service::PassReport> follow_everything(const Call& call, const state::StateFolder& folder) {
  call.passes.let_go();
  service::PassRequest request;
  request.command = "daybook mcp";
  request.wait = kShortWait;
  request.counting = service::Counting::not_wanted;
  return patiently(call, [&] {
    return service::Pipeline(call.memory.disk(), folder, call.memory.clock())
        .run(request, call.request.work());
  });
}

}  // namespace daybook::mcp
