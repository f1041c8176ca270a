// SPDX-License-Identifier: MIT
#include "service/window_change.hpp"

#include "daybook/index/reader.hpp"
#include "daybook/projection/memory_md.hpp"

#include <algorithm>

namespace daybook::service {

Result<std::optional<lineage::Timestamp>> next_window_change(store::Database& index,
                                                             lineage::Timestamp now) {
  std::optional<lineage::Timestamp> next;
  const projection::Window window = projection::window_at(now);
  TRY_ASSIGN(auto from, index.prepare("SELECT min(membership) FROM session WHERE membership >= ?"));
  const auto sooner = [&next](std::int64_t ms) {
    next = lineage::Timestamp{next ? std::min(next->ms, ms) : ms};
  };
  TRY_ASSIGN(const auto oldest, from.integer(window.first.ms));
  if (oldest && *oldest <= window.last.ms) {
    // It is in the window while the window's first moment is not behind it.
    sooner(now.ms + (*oldest - window.first.ms) + 1);
  }
  TRY_ASSIGN(const auto future, from.integer(window.last.ms + 1));
  if (future) {
    sooner(*future);
  }
  TRY_ASSIGN(const auto expiry, index::Reader(index).next_expiry(now));
  if (expiry) {
    sooner(expiry->ms);
  }
  return next;
}

}  // namespace daybook::service
