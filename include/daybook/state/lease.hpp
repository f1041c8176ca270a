// SPDX-License-Identifier: MIT
//
// Who may publish: one row in `<state>/lease.db`, apart from state.db so that a stopped holder can
// stall nothing else. Each taking has a fencing number greater than all before; a publication
// checks it and renames in one immediate transaction, so that a holder that was stopped, killed or
// overtaken never overwrites a newer publication. Measured with BootClock: setting the clock means
// nothing. A dead holder's lease is free at once, a stopped one's after its time. A damaged,
// foreign or missing lease.db is made anew and never stands in the way. One Lease belongs to one
// thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/state/boot_clock.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace daybook::state {

inline constexpr std::chrono::milliseconds kLeaseTime{10'000};

struct LeaseRequest {
  std::chrono::milliseconds time = kLeaseTime;  ///< how long without renewal
  std::chrono::milliseconds wait{0};
  /// The highest fencing number known from elsewhere (state.db's publications): a new lease.db
  /// counts on from there.
  std::int64_t fence_floor = 0;
  std::string command = "daybook";  ///< what holds it, for people
};

/// What a publication is known by.
struct Publication {
  std::string projection;  ///< workspace-relative path
  std::int64_t generation = 0;
  base::Digest sha256{};
};

enum class Verdict : std::uint8_t {
  published,
  superseded,  ///< somebody else holds the lease by now, or has published a newer generation
};

/// How long a desk is there.
enum class LeaseKeeping : std::uint8_t {
  once,
  between,  ///< for many leases, with lease.db open from one to the next
};

class Lease;

/// lease.db, opened when first needed.
class LeaseDesk {
 public:
  /// `clock` must outlive it and its leases.
  LeaseDesk(const StateFolder& folder, const BootClock& clock, LeaseKeeping keeping);
  ~LeaseDesk();
  LeaseDesk(LeaseDesk&&) noexcept;
  LeaseDesk& operator=(LeaseDesk&&) noexcept;

  /// busy, with the holder's name, when it is still held after `wait`. One at a time.
  Result<Lease> acquire(const LeaseRequest& request = {});
  /// As store::Database's; nothing is done while it is not open.
  Result<void> write_log_back();

 private:
  friend class Lease;
  class Work;
  std::shared_ptr<Work> work_;
};

class Lease {
 public:
  /// busy, with the holder's name, when it is still held after `wait`. `clock` must outlive it.
  static Result<Lease> acquire(const StateFolder& folder,
                               const BootClock& clock,
                               const LeaseRequest& request = {});

  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) noexcept;
  /// Releases.
  ~Lease();

  std::int64_t fence() const;
  /// The name under which a damaged lease.db was set aside while taking this lease; else empty.
  const std::string& set_aside() const;

  /// Counts the time from now again; busy, with the new holder's name, when it was lost.
  Result<void> renew();
  Result<void> release();

  /// The newest generation that was published, if any.
  Result<std::optional<std::int64_t>> published_generation(const std::string& projection);

  /// Runs `rename` and records the publication in one transaction, unless superseded: then nothing
  /// is done. An error of `rename` is handed on, and nothing is recorded.
  Result<Verdict> publish_under(const Publication& publication,
                                const std::function<Result<void>()>& rename);

 private:
  friend class LeaseDesk;
  explicit Lease(std::shared_ptr<LeaseDesk::Work> work) : work_(std::move(work)) {}
  std::shared_ptr<LeaseDesk::Work> work_;
};

}  // namespace daybook::state
