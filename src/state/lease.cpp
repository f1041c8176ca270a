// SPDX-License-Identifier: MIT
#include "daybook/state/lease.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/store/transaction.hpp"
#include "state/durable_database.hpp"
#include "state/lease_rows.hpp"
#include "state/process_identity.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace daybook::state {
namespace {

using store::Database;
using store::Transaction;
using Deadline = std::chrono::steady_clock::time_point;

constexpr std::int64_t kApplicationId = 0x44424B4C;  // "DBKL"
constexpr std::int64_t kSchema = 1;
// Short: whoever waits longer asks again, and can then say who is in the way.
constexpr int kBusyTimeoutMs = 100;
constexpr std::chrono::milliseconds kPoll{20};
// Waiting for a database that a transaction of somebody else holds, once the lease is ours.
constexpr std::chrono::milliseconds kPatience{2000};
// Nobody publishes so often: a floor above it is damage, and must not use up the numbers.
constexpr std::int64_t kHighestFloor = std::int64_t{1} << 53;
constexpr std::size_t kHolderLetters = 16;
constexpr int kOpenAttempts = 8;

DurableDatabase lease_database(const std::string& path) {
  return {path,
          kApplicationId,
          "daybook lease",
          kSchema,
          kBusyTimeoutMs,
          Soundness::all_pages,
          // After a power cut nobody holds it, and the numbers go on from state.db's.
          false,
          [](Database& database, std::int64_t) { return make_lease_tables(database); },
          lease_rows_are_sound};
}

bool passed(Deadline deadline) { return std::chrono::steady_clock::now() >= deadline; }

Error held(const std::string& path, const std::optional<LeaseRow>& holder) {
  return {ErrorKind::busy,
          std::string("publishing is held by ")
              .append(holder ? base::printable(to_text(*holder)) : "another process"),
          path,
          "Wait until it has finished; if it is stopped, continue or end it."};
}

}  // namespace

/// The open database and what we are in it.
class LeaseDesk::Work {
 public:
  Work(std::string path, const BootClock& clock, LeaseKeeping keeping)
      : path_(std::move(path)), clock_(clock), keeping_(keeping) {}

  Result<void> take(const LeaseRequest& request);
  Result<void> renew();
  Result<void> release();
  Result<std::optional<std::int64_t>> published_generation(const std::string& projection);
  Result<Verdict> publish(const Publication& publication,
                          const std::function<Result<void>()>& rename);

  Result<void> write_log_back() { return database_ ? database_->write_log_back() : Result<void>(); }
  std::int64_t fence() const { return row_.fence; }
  const std::string& set_aside() const { return set_aside_; }

 private:
  enum class Taking : std::uint8_t { taken, held, replaced };

  Result<void> open();
  Result<void> hand_back();
  Result<Taking> try_to_take();
  bool is_free(const LeaseRow& row) const;
  LeaseRow next_row(const std::optional<LeaseRow>& before) const;
  /// An immediate transaction, waited for; busy names the holder.
  Result<Transaction> begin(Deadline deadline);
  /// Whether the lease is ours still. Inside a transaction.
  Result<bool> is_ours();
  /// As far as can be read.
  std::optional<LeaseRow> holder();

  std::string path_;
  const BootClock& clock_;
  LeaseKeeping keeping_;
  LeaseRequest request_;
  std::optional<Database> database_;
  std::string set_aside_;
  LeaseRow row_;  // ours, as last written; no holder: not held
};

Result<void> LeaseDesk::Work::open() {
  for (int attempt = 0; attempt < kOpenAttempts; ++attempt) {
    database_.reset();
    TRY_ASSIGN(auto opened, open_durable(lease_database(path_)));
    if (!opened.set_aside.empty()) {
      set_aside_ = opened.set_aside;
    }
    database_ = std::move(opened.database);
    if (keeping_ == LeaseKeeping::between) {
      database_->hold_open();
    }
    // It may have been deleted meanwhile, or set aside by somebody who found damage.
    if (database_->is_current()) {
      return {};
    }
  }
  database_.reset();
  return held(path_, std::nullopt);
}

Result<void> LeaseDesk::Work::take(const LeaseRequest& request) {
  request_ = request;
  set_aside_.clear();
  const Deadline deadline = std::chrono::steady_clock::now() + request.wait;
  for (int reopened = 0;;) {
    Result<void> ready;
    if (!database_) {
      ready = open();
    }
    if (ready) {
      const auto taking = try_to_take();
      if (!taking && taking.error().kind != ErrorKind::damaged) {
        return taking.error();
      }
      if (taking && *taking == Taking::taken) {
        return {};
      }
      if (!taking || *taking == Taking::replaced) {
        database_.reset();
        if (++reopened < kOpenAttempts) {
          continue;  // to look at the one that is there now takes no waiting
        }
      }
    } else if (ready.error().kind != ErrorKind::busy) {
      return ready;
    }
    if (passed(deadline)) {
      return held(path_, holder());
    }
    std::this_thread::sleep_for(kPoll);
  }
}

Result<LeaseDesk::Work::Taking> LeaseDesk::Work::try_to_take() {
  auto transaction = Transaction::begin(*database_);
  if (!transaction) {
    return transaction.error().kind == ErrorKind::busy
               ? Result<Taking>(Taking::held)
               : Result<Taking>(std::move(transaction).error());
  }
  TRY_ASSIGN(const auto version, database_->integer("PRAGMA user_version"));
  if (!database_->is_current() || version != kSchema) {
    return Taking::replaced;
  }
  TRY_ASSIGN(const auto before, read_lease(*database_));
  if (before && !is_free(*before)) {
    return Taking::held;
  }
  LeaseRow row = next_row(before);
  TRY(write_lease(*database_, row));
  TRY(transaction->commit());
  row_ = std::move(row);
  return Taking::taken;
}

bool LeaseDesk::Work::is_free(const LeaseRow& row) const {
  if (row.holder.empty()) {
    return true;
  }
  // Another start of the machine: the holder is gone, and its times mean nothing now.
  const std::int64_t now = clock_.now_ms();
  if (row.boot_id != clock_.boot_id() || now < row.acquired_at || now >= row.expires_at) {
    return true;
  }
  return row.process.host == this_process().host &&
         !may_be_alive(row.process.pid, row.process.started);
}

LeaseRow LeaseDesk::Work::next_row(const std::optional<LeaseRow>& before) const {
  const std::int64_t floor = request_.fence_floor <= kHighestFloor ? request_.fence_floor : 0;
  LeaseRow row;
  row.fence = std::max(before ? before->fence : 0, floor) + 1;
  row.holder = random_letters(kHolderLetters);
  row.process = this_process();
  row.command = request_.command;
  row.acquired_at = clock_.now_ms();
  row.expires_at = row.acquired_at + request_.time.count();
  row.boot_id = clock_.boot_id();
  return row;
}

std::optional<LeaseRow> LeaseDesk::Work::holder() {
  if (!database_) {
    return std::nullopt;
  }
  auto row = read_lease(*database_);
  return row && *row && !(*row)->holder.empty() ? *row : std::nullopt;
}

Result<Transaction> LeaseDesk::Work::begin(Deadline deadline) {
  for (;;) {
    auto transaction = Transaction::begin(*database_);
    if (transaction || transaction.error().kind != ErrorKind::busy) {
      return transaction;
    }
    if (passed(deadline)) {
      return held(path_, holder());
    }
  }
}

Result<bool> LeaseDesk::Work::is_ours() {
  if (row_.holder.empty() || !database_->is_current()) {
    return false;
  }
  TRY_ASSIGN(const auto row, read_lease(*database_));
  return row && row->fence == row_.fence && row->holder == row_.holder;
}

Result<void> LeaseDesk::Work::renew() {
  TRY_ASSIGN(auto transaction, begin(std::chrono::steady_clock::now() + kPatience));
  TRY_ASSIGN(const bool ours, is_ours());
  if (!ours) {
    return held(path_, holder()).in_context("the lease was lost");
  }
  LeaseRow row = row_;
  row.expires_at = clock_.now_ms() + request_.time.count();
  TRY(write_lease(*database_, row));
  TRY(transaction.commit());
  row_ = std::move(row);
  return {};
}

Result<void> LeaseDesk::Work::release() {
  if (row_.holder.empty()) {
    return {};
  }
  Result<void> outcome = hand_back();
  row_.holder.clear();  // also after failure: it then runs out by itself
  return outcome;
}

Result<void> LeaseDesk::Work::hand_back() {
  TRY_ASSIGN(auto transaction, begin(std::chrono::steady_clock::now()));
  TRY_ASSIGN(const bool ours, is_ours());
  if (!ours) {
    return {};
  }
  LeaseRow row = row_;
  row.holder.clear();
  TRY(write_lease(*database_, row));
  return transaction.commit();
}

Result<std::optional<std::int64_t>> LeaseDesk::Work::published_generation(
    const std::string& projection) {
  TRY_ASSIGN(const auto published, read_published(*database_, projection));
  return published ? std::optional(published->generation) : std::nullopt;
}

Result<Verdict> LeaseDesk::Work::publish(const Publication& publication,
                                         const std::function<Result<void>()>& rename) {
  TRY_ASSIGN(auto transaction, begin(std::chrono::steady_clock::now() + kPatience));
  TRY_ASSIGN(const bool ours, is_ours());
  TRY_ASSIGN(const auto before, read_published(*database_, publication.projection));
  const bool overtaken = before && before->generation > publication.generation;
  if ((base::keeps(base::Safety::fencing) && !ours) ||
      (base::keeps(base::Safety::newer_generation) && overtaken)) {
    return Verdict::superseded;
  }
  TRY(write_published(*database_, publication, row_.fence));
  TRY(rename());
  TRY(transaction.commit());
  return Verdict::published;
}

LeaseDesk::LeaseDesk(const StateFolder& folder, const BootClock& clock, LeaseKeeping keeping)
    : work_(std::make_shared<Work>(folder.file("lease.db"), clock, keeping)) {}
LeaseDesk::~LeaseDesk() = default;
LeaseDesk::LeaseDesk(LeaseDesk&&) noexcept = default;
LeaseDesk& LeaseDesk::operator=(LeaseDesk&&) noexcept = default;

Result<Lease> LeaseDesk::acquire(const LeaseRequest& request) {
  TRY(work_->take(request));
  return Lease(work_);
}

Result<void> LeaseDesk::write_log_back() { return work_->write_log_back(); }

Lease::Lease(Lease&&) noexcept = default;

Lease& Lease::operator=(Lease&& other) noexcept {
  std::swap(work_, other.work_);
  return *this;
}

Lease::~Lease() {
  if (work_) {
    // It runs out by itself if this does not work.
    static_cast<void>(work_->release());
  }
}

Result<Lease> Lease::acquire(const StateFolder& folder,
                             const BootClock& clock,
                             const LeaseRequest& request) {
  return LeaseDesk(folder, clock, LeaseKeeping::once).acquire(request);
}

std::int64_t Lease::fence() const { return work_->fence(); }
const std::string& Lease::set_aside() const { return work_->set_aside(); }
Result<void> Lease::renew() { return work_->renew(); }
Result<void> Lease::release() { return work_->release(); }

Result<std::optional<std::int64_t>> Lease::published_generation(const std::string& projection) {
  return work_->published_generation(projection);
}

Result<Verdict> Lease::publish_under(const Publication& publication,
                                     const std::function<Result<void>()>& rename) {
  return work_->publish(publication, rename);
}

}  // namespace daybook::state
