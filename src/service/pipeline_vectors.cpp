// SPDX-License-Identifier: MIT
//
// Vectors beside the runs of a pipeline: under the same lock and on a thread of their own.
#include "daybook/model/request_pace.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/service/workspace_config.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "service/text_thread.hpp"

#include <utility>

namespace daybook::service {

void Pipeline::begin_vectors(const PassRequest& request,
                             WorkProgress& progress,
                             std::function<void()> ended) {
  const state::PassRequest asked{request.command, {clock_.now_ms()}, request.wait};
  const WriteGuard write = [this,
                            asked](const std::function<Result<void>()>& deed) -> Result<void> {
    TRY_ASSIGN(const auto lock, lock_->hold(asked));
    const std::lock_guard alone(writing_vectors_);
    return deed();
  };
  const auto work = [this, write, config = request.config, &progress]() -> Result<std::uint64_t> {
    parse::Config settings;
    if (config) {
      settings = *config;
    } else {
      TRY_ASSIGN(settings, load_config(disk_, folder_.workspace()));
    }
    if (pace_ == nullptr || paced_ != settings.embeddings) {
      pace_ = std::make_unique<model::RequestPace>(settings.embeddings.requests_per_minute);
      paced_ = settings.embeddings;
    }
    TRY_ASSIGN(
        const EmbedReport report,
        run_embed_pass(disk_, folder_, settings, {Reembed::missing, write, pace_.get()}, progress));
    return report.left_out;
  };
  vectors_->begin(progress, work, std::move(ended));
}

std::optional<Result<std::uint64_t>> Pipeline::take_vectors_outcome() {
  return vectors_->take_outcome();
}

void Pipeline::stop_vectors() { vectors_->stop(); }

}  // namespace daybook::service
