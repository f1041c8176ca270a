// SPDX-License-Identifier: MIT
//
// Whether memory/ is still the folder that it was: one that was deleted and made again often has
// the same inode, so the time of its birth is asked, too. Never follows a link. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace daybook::daemon {

struct RootIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;  ///< 0: the file system does not tell

  bool operator==(const RootIdentity&) const = default;

  /// What lasts over a restart, in one line: devices may be numbered anew.
  std::string lasting() const;
};

/// Nothing: there is no such folder, or something else has its name.
std::optional<RootIdentity> look_at_root(const std::string& folder);

}  // namespace daybook::daemon
