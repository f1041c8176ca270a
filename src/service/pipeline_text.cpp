// SPDX-License-Identifier: MIT
//
// Full text beside the runs of a pipeline: under the same lock and on a thread of its own.
#include "daybook/index/text_months.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "service/kept_databases.hpp"
#include "service/side_thread.hpp"
#include "service/text_pass.hpp"

#include <thread>
#include <utility>

namespace daybook::service {

void Pipeline::begin_text(const PassRequest& request,
                          WorkProgress& progress,
                          std::function<void()> ended) {
  const state::PassRequest asked = asking(request);
  const unsigned threads = request.threads;
  const auto work = [this, asked, threads, &progress]() -> Result<std::uint64_t> {
    std::uint64_t left_out = 0;
    TRY_ASSIGN(const auto months, marked_months(folder_));
    for (const std::int64_t month : months) {
      if (progress.cancelled) {
        break;
      }
      TRY_ASSIGN(auto lock, lock_->hold(asked));
      TRY_ASSIGN(const TextPassReport report,
                 run_text_pass(disk_, folder_, {TextWork::catch_up, threads, {month}}, progress));
      left_out += report.left_out;
      // Many months must not keep a person's command out: whoever waits gets in between.
      lock.reset();
      std::this_thread::sleep_for(2 * state::kLockPoll);
    }
    return left_out;
  };
  text_->begin(progress, work, std::move(ended));
}

/// Rows and MEMORY.md stand already, and the months stay marked: a failure is only told.
void Pipeline::follow_with_text(const PassRequest& request,
                                const std::vector<std::int64_t>& months,
                                WorkProgress& progress,
                                PassReport& report) {
  if (months.empty() || progress.cancelled) {
    return;
  }
  stop_text();
  const auto made =
      run_text_pass(disk_, folder_, {TextWork::catch_up, request.threads, months}, progress);
  if (!made) {
    report.notices.push_back("what is new cannot be found by its words yet: " +
                             made.error().message + "; 'daybook reindex' makes up for it");
  }
}

std::optional<Result<std::uint64_t>> Pipeline::take_text_outcome() {
  auto outcome = text_->take_outcome();
  if (outcome) {
    // There is time now.
    if (const auto written = write_logs_back(); !written && *outcome) {
      return written.error();
    }
  }
  return outcome;
}

Result<void> Pipeline::write_logs_back() {
  // Not beside another process's pass, which may be about to erase something from them.
  if (const auto lock = lock_->hold({"daybook", {clock_.now_ms()}, {}})) {
    return databases_->write_logs_back();
  }
  return {};
}

bool Pipeline::is_text_behind() {
  if (store::Database* const index = databases_->open_index()) {
    const auto months = index::TextMonths(*index).marked();
    return months && !months->empty();
  }
  const auto months = marked_months(folder_);
  return months && !months->empty();
}

void Pipeline::stop_text() { text_->stop(); }

}  // namespace daybook::service
