// SPDX-License-Identifier: MIT
//
// A request that is being answered: whether the client still wants it, and how far it is. The
// reading thread cancels, the working thread asks and tells.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/json.hpp"
#include "daybook/base/result.hpp"
#include "daybook/service/work_progress.hpp"
#include "mcp/outlet.hpp"

#include <chrono>
#include <string_view>
#include <utility>

namespace daybook::mcp {

using base::Json;

class Request {
 public:
  /// `progress_token`: null when the client asked for none. Nothing is told within `quiet`: of a
  /// short call progress is of no use, and comes so close to the answer that clients stumble.
  Request(Json id,
          Json progress_token,
          std::chrono::milliseconds quiet = std::chrono::milliseconds(200))
      : id_(std::move(id)), progress_token_(std::move(progress_token)), quiet_(quiet) {}

  const Json& id() const { return id_; }
  /// Handed to long work, which stops soon after it is cancelled.
  service::WorkProgress& work() { return work_; }
  void cancel() { work_.cancelled = true; }
  bool is_cancelled() const { return work_.cancelled; }

  /// Only the working thread: the next step begins. Fails when the request was cancelled.
  Result<void> step(Outlet& outlet, std::string_view what);

 private:
  Json id_;
  Json progress_token_;
  std::chrono::milliseconds quiet_;
  base::Stopwatch watch_;
  service::WorkProgress work_;
  int steps_ = 0;
};

/// What step() fails with; the request then gets no answer.
Error cancelled_error();

}  // namespace daybook::mcp
