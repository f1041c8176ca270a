// SPDX-License-Identifier: MIT
//
// SQLite's settings for the whole process, made before its first use. Any thread.
#pragma once

namespace daybook::store {

/// Nobody asks SQLite how much memory it has, and keeping count makes threads wait for each other
/// at every allocation.
void set_up_sqlite();

}  // namespace daybook::store
