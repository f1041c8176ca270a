// SPDX-License-Identifier: MIT
//
// SQLite's settings for the whole process, made before its first use. Any thread.
#pragma once

#include <string>

namespace daybook::store {

/// Nobody asks SQLite how much memory it has, and keeping count makes threads wait for each other
/// at every allocation.
void set_up_sqlite();

/// What SQLite cannot hold in memory (VACUUM copies a whole database) goes beside the first
/// database that is opened, into a folder that only its owner can enter, and not to /var/tmp.
void keep_temporaries_beside(const std::string& database_path);

}  // namespace daybook::store
