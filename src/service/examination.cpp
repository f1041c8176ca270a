// SPDX-License-Identifier: MIT
#include "service/examination.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace daybook::service {
namespace {

/// Batches, because waking the other side costs more than examining a session.
constexpr std::size_t kBatch = 16;
constexpr std::size_t kMostWaiting = 16;

/// The examined files of some units, one after the other.
struct Batch {
  std::vector<ExaminedFile> files;
  std::vector<std::size_t> unit_ends;

  void clear() {
    files.clear();
    unit_ends.clear();
  }
};

class Outcomes {
 public:
  void put(Batch&& batch) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return waiting_.size() < kMostWaiting || ended_; });
    waiting_.push_back(std::move(batch));
    arrived_.notify_one();
  }

  /// Nothing when `producers` have said that they are done and all is taken.
  std::optional<Batch> take(std::size_t producers) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !waiting_.empty() || done_ == producers; });
    if (waiting_.empty()) {
      return std::nullopt;
    }
    Batch batch = std::move(waiting_.front());
    waiting_.pop_front();
    room_.notify_all();
    return batch;
  }

  /// A batch that has been taken goes back to the producers: to empty it is work, and the one who
  /// takes has enough of that; and its room is used again.
  void give_back(Batch&& batch) {
    const std::lock_guard lock(mutex_);
    used_.push_back(std::move(batch));
  }

  Batch empty_batch() {
    Batch batch;
    {
      const std::lock_guard lock(mutex_);
      if (!used_.empty()) {
        batch = std::move(used_.back());
        used_.pop_back();
      }
    }
    batch.clear();
    return batch;
  }

  void producer_done() {
    const std::lock_guard lock(mutex_);
    ++done_;
    arrived_.notify_one();
  }

  /// Nobody takes any more: producers must not wait for room.
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    room_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable room_;
  std::deque<Batch> waiting_;  // guarded by mutex_
  std::vector<Batch> used_;    // guarded by mutex_
  std::size_t done_ = 0;       // guarded by mutex_
  bool ended_ = false;         // guarded by mutex_
};

void examine(UnitWorker& worker,
             const scan::VaultListing& listing,
             const UnitRange& unit,
             WorkProgress& progress,
             Batch& batch) {
  worker.examine_unit(unit.first, unit.second, [&](auto file, ExaminedNote&& note) {
    progress.bytes_done += note.bytes;
    ++progress.files_done;
    batch.files.emplace_back(listing, file, std::move(note));
  });
  batch.unit_ends.push_back(batch.files.size());
}

Result<void> consume_units(Batch& batch, const UnitConsumer& consume) {
  std::size_t first = 0;
  for (const std::size_t end : batch.unit_ends) {
    TRY(consume(std::span(batch.files).subspan(first, end - first)));
    first = end;
  }
  return {};
}

}  // namespace

Result<void> examine_units(const scan::VaultListing& listing,
                           std::span<const UnitRange> units,
                           std::vector<std::unique_ptr<UnitWorker>>& workers,
                           WorkProgress& progress,
                           const UnitConsumer& consume) {
  // A handful is done sooner than a thread is started; and a partial listing belongs to one thread,
  // because it asks the very database that is written meanwhile.
  constexpr std::size_t kWorthThreads = 8;
  if (units.size() < kWorthThreads || listing.is_partial()) {
    for (const UnitRange& unit : units) {
      if (progress.cancelled) {
        break;
      }
      Batch batch;
      examine(*workers.front(), listing, unit, progress, batch);
      TRY(consume_units(batch, consume));
    }
    return {};
  }
  Outcomes outcomes;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  const auto produce = [&](UnitWorker& worker) {
    while (!stop && !progress.cancelled) {
      const std::size_t first = next.fetch_add(kBatch);
      if (first >= units.size()) {
        break;
      }
      Batch batch = outcomes.empty_batch();
      for (std::size_t i = first; i < std::min(first + kBatch, units.size()); ++i) {
        examine(worker, listing, units[i], progress, batch);
      }
      outcomes.put(std::move(batch));
    }
    outcomes.producer_done();
  };
  std::vector<std::jthread> threads;
  threads.reserve(workers.size());
  for (const auto& worker : workers) {
    threads.emplace_back([&produce, &hands = *worker] { produce(hands); });
  }
  Result<void> outcome;
  while (auto batch = outcomes.take(workers.size())) {
    if (outcome) {
      outcome = consume_units(*batch, consume);
    }
    outcomes.give_back(std::move(*batch));
    if (!outcome) {
      stop = true;
      outcomes.end();
    }
  }
  return outcome;
}

}  // namespace daybook::service
