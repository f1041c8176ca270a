// SPDX-License-Identifier: MIT
//
// How far a long piece of work is, and the wish that it stop. Written by the workers, read by
// whoever shows progress; any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace daybook::service {

struct WorkProgress {
  std::atomic<std::uint64_t> files_total{0};
  std::atomic<std::uint64_t> files_done{0};
  std::atomic<std::uint64_t> bytes_done{0};
  std::atomic<bool> cancelled{false};  ///< set from outside; the work stops at the next file
};

}  // namespace daybook::service
