// SPDX-License-Identifier: MIT
//
// Keeps the vectors behind the rows: begins to embed when a pass has changed something, on the
// pipeline's own thread, and takes how it ended. Nobody waits for it, and it is in nobody's way.
// What failed is told once and tried again, after a second first and ever later up to five minutes.
// The control thread's own, but for stop().
#pragma once

#include "daybook/daemon/side_work.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/pipeline.hpp"

#include <functional>
#include <optional>

namespace daybook::daemon {

class VectorKeeper {
 public:
  using Moment = SideWork::Moment;

  /// `pipeline` must outlive it; `ended` is called on another thread.
  VectorKeeper(service::Pipeline& pipeline, std::function<void()> ended);
  ~VectorKeeper();
  VectorKeeper(const VectorKeeper&) = delete;
  VectorKeeper& operator=(const VectorKeeper&) = delete;

  /// Other settings end what is under way and begin at once. The same, read again, end a pause:
  /// somebody has perhaps mended what made it fail.
  void configure(const parse::EmbeddingConfig& config, Moment now);
  void passed(Moment now);
  /// Takes note of one that has ended, and begins one that is due. `request` has the configuration.
  void look(Moment now, const service::PassRequest& request);
  std::optional<Moment> next() const { return work_.next(); }

  /// Ends one that is under way within a moment; none begins any more. Any thread.
  void stop() { work_.stop(); }

 private:
  service::Pipeline& pipeline_;
  std::function<void()> ended_;
  SideWork work_;
  parse::EmbeddingConfig config_;
};

}  // namespace daybook::daemon
