// SPDX-License-Identifier: MIT
#include "mcp/work_queue.hpp"

#include <utility>

namespace daybook::mcp {
namespace {

/// An id is kept three times: in the message, the request, and as what the request is found by.
std::size_t memory_of(const Job& job) {
  constexpr std::size_t kIds = 3;
  std::size_t bytes = sizeof(Job);
  for (const Message& message : job.incoming.messages) {
    bytes += sizeof(Message) + sizeof(Request) + kIds * message.id.memory();
    bytes += message.method.capacity() + message.params.memory() + message.error.message.capacity();
  }
  return bytes;
}

}  // namespace

bool WorkQueue::has_room() const {
  const std::lock_guard lock(mutex_);
  return has_room_now();
}

void WorkQueue::put(Job job) {
  job.bytes = memory_of(job);
  const std::lock_guard lock(mutex_);
  for (const auto& request : job.requests) {
    if (request) {
      requests_.emplace(request->id().compact(), request);
    }
  }
  bytes_ += job.bytes;
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

std::optional<Job> WorkQueue::take(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, wait, [this] { return !jobs_.empty() || closed_; });
  if (jobs_.empty()) {
    return std::nullopt;
  }
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  working_ = true;
  return job;
}

void WorkQueue::done(const Job& job) {
  const std::lock_guard lock(mutex_);
  for (const auto& request : job.requests) {
    if (!request) {
      continue;
    }
    auto [at, end] = requests_.equal_range(request->id().compact());
    while (at != end) {
      at = at->second == request ? requests_.erase(at) : std::next(at);
    }
  }
  bytes_ -= job.bytes;
  working_ = false;
  changed_.notify_all();
}

void WorkQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool WorkQueue::is_closed() const {
  const std::lock_guard lock(mutex_);
  return closed_ && jobs_.empty();
}

bool WorkQueue::wait_until_done(std::chrono::milliseconds most) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, most, [this] { return jobs_.empty() && !working_; });
}

void WorkQueue::cancel(const Json& id) {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = requests_.equal_range(id.compact());
  for (auto at = begin; at != end; ++at) {
    at->second->cancel();
  }
}

void WorkQueue::cancel_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, request] : requests_) {
    request->cancel();
  }
}

}  // namespace daybook::mcp
