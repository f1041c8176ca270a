// SPDX-License-Identifier: MIT
//
// Keeps the full text behind the rows: begins it when it is due, on the pipeline's own thread, and
// takes how it ended. A search can wait for it, an agent that reads MEMORY.md should not: so it is
// made beside the passes, by one thread, and is in nobody's way. The control thread's own, but for
// stop(). What failed is told once and tried again.
#pragma once

#include "daybook/daemon/side_work.hpp"
#include "daybook/service/pipeline.hpp"

#include <functional>
#include <optional>

namespace daybook::daemon {

class TextKeeper {
 public:
  using Moment = SideWork::Moment;

  /// `pipeline` must outlive it; `ended` is called on another thread.
  TextKeeper(service::Pipeline& pipeline, std::function<void()> ended);
  ~TextKeeper();
  TextKeeper(const TextKeeper&) = delete;
  TextKeeper& operator=(const TextKeeper&) = delete;

  /// After each pass, also one that failed: it may have changed rows before.
  void passed(Moment now);
  /// Takes note of one that has ended, and begins one that is due.
  void look(Moment now, service::PassRequest request);
  std::optional<Moment> next() const { return work_.next(); }
  bool is_under_way() const { return work_.is_under_way(); }

  /// Ends one that is under way at its next document; none begins any more. Any thread.
  void stop() { work_.stop(); }

 private:
  service::Pipeline& pipeline_;
  std::function<void()> ended_;
  SideWork work_;
  bool has_passed_ = false;  // a pass, since it was begun
};

}  // namespace daybook::daemon
