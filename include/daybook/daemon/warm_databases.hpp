// SPDX-License-Identifier: MIT
//
// A connection to each database of the state folder, held open and idle. Whoever closes the last
// one has to write the whole log back, sync it and unlink it, which is most of the cost of a small
// pass; so that nobody is the last, the service is. Reads nothing but the header, holds no
// transaction, and is in nobody's way. One thread; what cannot be opened is simply not warm.
#pragma once

#include "daybook/state/state_folder.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::daemon {

class WarmDatabases {
 public:
  explicit WarmDatabases(const state::StateFolder& folder);
  /// After each pass: opens what is not open, and anew what was replaced.
  void warm();

 private:
  struct Kept {
    std::string path;
    std::uint64_t inode = 0;
    std::optional<store::Database> database;
  };
  std::vector<Kept> kept_;
};

}  // namespace daybook::daemon
