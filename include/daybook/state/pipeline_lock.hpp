// SPDX-License-Identifier: MIT
//
// One pass at a time, scan to publication: flock on `<state>/pipeline.lock`, held for that pass
// only and dropped by the kernel with the process. The file says who holds it, for whoever finds it
// held. One object belongs to one thread, unless it says otherwise; failure changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace daybook::state {

class FileLock;

/// Whoever waits for a lock looks so often.
inline constexpr std::chrono::milliseconds kLockPoll{20};

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

/// One process's lock, held together by those of its threads that know not to be in each other's
/// way. Any thread.
class SharedPipelineLock {
 public:
  /// `folder` must outlive it.
  explicit SharedPipelineLock(const StateFolder& folder) : folder_(folder) {}

  /// Shared with whoever holds it already; else as PipelineLock::acquire(). It is given back with
  /// the last pointer.
  Result<std::shared_ptr<const PipelineLock>> hold(const PassRequest& request);

 private:
  const StateFolder& folder_;
  std::mutex mutex_;
  std::weak_ptr<const PipelineLock> held_;  // guarded by mutex_
};

}  // namespace daybook::state
