// SPDX-License-Identifier: MIT
//
// Lines that were read -> the thread that answers them, in their order, and requests that are
// waited for by their ids, so that they can be cancelled from the reading thread. Bounded by their
// number and by the memory that they take, which is many times their line where it is of small
// values: beyond that nothing more is taken, and the reading thread says so. Any thread.
#pragma once

#include "mcp/json_rpc.hpp"
#include "mcp/request.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace daybook::mcp {

struct Job {
  Incoming incoming;
  std::vector<std::shared_ptr<Request>> requests;  ///< one a message; null: no request
  std::size_t bytes = 0;                           ///< of memory; counted when it is put
};

class WorkQueue {
 public:
  static constexpr std::size_t kMostJobs = 1024;
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20U;

  bool has_room() const;
  void put(Job job);
  /// Of the working thread: the next one, which is under way until done(); nothing within `wait`,
  /// or when there will be none any more.
  std::optional<Job> take(std::chrono::milliseconds wait);
  void done(const Job& job);
  /// No more will be put; take() gives what is left.
  void close();
  bool is_closed() const;
  /// Waits so long at most until everything is done.
  bool wait_until_done(std::chrono::milliseconds most) const;

  /// Every request with that id that is not answered yet.
  void cancel(const Json& id);
  void cancel_all();

 private:
  bool has_room_now() const { return jobs_.size() < kMostJobs && bytes_ < kMostBytes; }

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<Job> jobs_;                                           // guarded by mutex_
  std::multimap<std::string, std::shared_ptr<Request>> requests_;  // guarded by mutex_
  std::size_t bytes_ = 0;                                          // guarded by mutex_
  bool working_ = false;                                           // guarded by mutex_
  bool closed_ = false;                                            // guarded by mutex_
};

}  // namespace daybook::mcp
