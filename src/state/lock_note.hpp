// SPDX-License-Identifier: MIT
//
// What a lock file says of its holder, for people and for whoever wants to end that process.
#pragma once

#include "daybook/lineage/timestamp.hpp"

#include <string>

namespace daybook::state {

/// "pid 123 (daybook reindex) on host since 2026-…", on one line.
std::string holder_note(const std::string& command, lineage::Timestamp since);

/// The same as another process has left it; "another process" when it says nothing.
std::string holder_at(const std::string& lock_path);

}  // namespace daybook::state
