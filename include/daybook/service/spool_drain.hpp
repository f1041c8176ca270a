// SPDX-License-Identifier: MIT
//
// What hooks left in the spool -> captured sessions and compactions. A session's end waits until
// the harness's own file has not been written to for two seconds (it lags behind the hook), at most
// a minute; what has been added to it since is captured, too. A snapshot from before a compaction
// goes when a later transcript of its session contains it, and is captured as an interrupted
// session when the session has ended without it, or not within a day. What fails stays in the spool
// and is tried again. One thread; several processes are in nobody's way.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/capture/capture.hpp"

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace daybook::service {

struct DrainReport {
  std::uint64_t captured = 0;
  std::uint64_t already_captured = 0;
  std::uint64_t removed = 0;  ///< discarded: their sessions are
  std::uint64_t empty = 0;    ///< discarded: nothing was said in them
  std::uint64_t waiting = 0;  ///< not yet settled
  std::uint64_t held = 0;     ///< snapshots of sessions that go on
  std::uint64_t failed = 0;   ///< left in the spool
  std::vector<std::string> notices;
  std::vector<std::string> paths;      ///< canonical files that were written
  std::set<std::string> failed_names;  ///< in the spool
};

/// One look at all of them but `skipped`; `place.now` is the moment. `cancelled` ends it between
/// two.
Result<DrainReport> drain_spool(const capture::CapturePlace& place,
                                const std::atomic<bool>& cancelled,
                                const std::set<std::string>& skipped = {});

}  // namespace daybook::service
