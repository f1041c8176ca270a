// SPDX-License-Identifier: MIT
#include "store/setup.hpp"

#include <sqlite3.h>

namespace daybook::store {

void set_up_sqlite() {
  // Refused, without harm, when somebody has used SQLite before us.
  static const int kOutcome = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(kOutcome);
}

}  // namespace daybook::store
