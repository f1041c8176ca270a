// SPDX-License-Identifier: MIT
//
// A pass of the pipeline as a tool runs it: waits a moment for the lock, stops when the call is
// cancelled, and tells who is in the way. One thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/state_folder.hpp"
#include "mcp/tool.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace daybook::mcp {

inline constexpr std::chrono::milliseconds kPassPatience{5000};
/// A cancellation is heard between two waits of this length.
inline constexpr std::chrono::milliseconds kShortWait{100};

/// The pipeline of the last small pass, with its databases open: to close and open them is most of
/// what such a pass costs. Let go of as soon as nothing is asked for a moment, so that they are not
/// held for hours by a server that has nothing to do.
class PassKeeper {
 public:
  PassKeeper();
  PassKeeper(const PassKeeper&) = delete;
  PassKeeper& operator=(const PassKeeper&) = delete;
  ~PassKeeper();

  service::Pipeline& pipeline(const Call& call, const state::StateFolder& folder);
  void let_go();

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

/// Only these notes, without full text, so that rows and MEMORY.md follow at once. busy after
/// kPassPatience, naming the holder.
Result<service::PassReport> follow_notes(const Call& call,
                                         const state::StateFolder& folder,
                                         std::vector<std::string> paths);

/// Everything that has changed, and what was removed wiped.
Result<service::PassReport> follow_everything(const Call& call, const state::StateFolder& folder);

/// The same error as one that a model may try again: it says so.
Error as_retryable(Error error);

/// `work` again and again while it is busy, until kPassPatience is over or the call is cancelled.
template <typename Work>
auto patiently(const Call& call, const Work& work) -> decltype(work()) {
  const auto end = std::chrono::steady_clock::now() + kPassPatience;
  while (true) {
    auto done = work();
    if (done || done.error().kind != ErrorKind::busy) {
      return done;
    }
    if (std::chrono::steady_clock::now() >= end) {
      return as_retryable(std::move(done).error());
    }
    if (auto waiting = call.step("waiting: " + done.error().message); !waiting) {
      return std::move(waiting).error();
    }
  }
}

}  // namespace daybook::mcp
