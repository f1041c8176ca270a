// SPDX-License-Identifier: MIT
#include "store/setup.hpp"

#include <sqlite3.h>

namespace daybook::store {

void set_up_sqlite() {
  // Refused, without harm, when somebody has used SQLite before us.
  static const int kOutcome = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(kOutcome);
}

void keep_temporaries_beside(const std::string& database_path) {
  static const bool kSet = [&database_path] {
    const std::size_t slash = database_path.rfind('/');
    if (slash == std::string::npos || slash == 0) {
      return false;
    }
    sqlite3_temp_directory = sqlite3_mprintf("%s", database_path.substr(0, slash).c_str());
    return true;
  }();
  static_cast<void>(kSet);
}

}  // namespace daybook::store
