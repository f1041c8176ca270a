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
  index::Reader reader(index);
  const auto sooner = [&next](std::int64_t ms) {
    next = lineage::Timestamp{next ? std::min(next->ms, ms) : ms};
  };
  TRY_ASSIGN(const auto oldest, reader.first_membership_from(window.first));
  if (oldest && *oldest <= window.last) {
    // It is in the window while the window's first moment is not behind it.
    sooner(now.ms + (oldest->ms - window.first.ms) + 1);
  }
  TRY_ASSIGN(const auto future, reader.first_membership_from({window.last.ms + 1}));
  if (future) {
    sooner(future->ms);
  }
  TRY_ASSIGN(const auto expiry, reader.next_expiry(now));
  if (expiry) {
    sooner(expiry->ms);
  }
  return next;
}

}  // namespace daybook::service
