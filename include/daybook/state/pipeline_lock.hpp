// SPDX-License-Identifier: MIT
//
// One pass at a time, scan to publication: flock on `<state>/pipeline.lock`, held for that pass
// only and dropped by the kernel with the process. The file says who holds it, for whoever finds it
// held. One object belongs to one thread; failure changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace daybook::state {

class FileLock;

struct PassRequest {
  std::string command;     ///< what holds it, for people: `daybook reindex`
  lineage::Timestamp now;  ///< since when
  std::chrono::milliseconds wait{0};
};

class PipelineLock {
 public:
  /// busy, with the holder's name, when another process still has it after `wait`.
  static Result<PipelineLock> acquire(const StateFolder& folder, const PassRequest& request);

  PipelineLock(PipelineLock&&) noexcept;
  PipelineLock& operator=(PipelineLock&&) noexcept;
  ~PipelineLock();

 private:
  explicit PipelineLock(std::unique_ptr<FileLock> lock);
  std::unique_ptr<FileLock> lock_;
};

}  // namespace daybook::state
