// SPDX-License-Identifier: MIT
//
// Vectors beside the runs of a pipeline: under the same lock and on a thread of their own.
#include "daybook/model/request_pace.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "service/side_thread.hpp"

#include <utility>

namespace daybook::service {

void Pipeline::begin_vectors(const PassRequest& request,
                             WorkProgress& progress,
                             std::function<void()> ended) {
  const state::PassRequest asked = asking(request);
  const WriteGuard write = [this,
                            asked](const std::function<Result<void>()>& deed) -> Result<void> {
    TRY_ASSIGN(const auto lock, lock_->hold(asked));
    const std::lock_guard alone(writing_vectors_);
    return deed();
  };
  const auto work = [this, write, asked, request, &progress]() -> Result<std::uint64_t> {
    TRY_ASSIGN(const parse::Config config, config_of(request));
    if (pace_ == nullptr || paced_ != config.embeddings) {
      pace_ = std::make_unique<model::RequestPace>(config.embeddings.requests_per_minute);
      paced_ = config.embeddings;
    }
    TRY_ASSIGN(
        const EmbedReport report,
        run_embed_pass(
            disk_, folder_, config, {Reembed::missing, write, asked.now, pace_.get()}, progress));
    return report.left_out;
  };
  vectors_->begin(progress, work, std::move(ended));
}

std::optional<Result<std::uint64_t>> Pipeline::take_vectors_outcome() {
  return vectors_->take_outcome();
}

void Pipeline::stop_vectors() { vectors_->stop(); }

}  // namespace daybook::service
