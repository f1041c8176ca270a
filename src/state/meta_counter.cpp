// SPDX-License-Identifier: MIT
#include "state/meta_counter.hpp"

namespace daybook::state {

Result<void> add_to_counter(store::Database& database, std::string_view name, std::uint64_t more) {
  if (more == 0) {
    return {};
  }
  TRY_ASSIGN(auto add,
             database.prepare("INSERT INTO meta VALUES(?1, ?2) ON CONFLICT(name) DO UPDATE"
                              " SET value = CAST(value AS INTEGER) + ?2"));
  return add.run(name, static_cast<std::int64_t>(more));
}

}  // namespace daybook::state
