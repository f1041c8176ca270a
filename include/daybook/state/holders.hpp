// SPDX-License-Identifier: MIT
//
// Who is at work in a state folder at this moment, for people: the holder of the pipeline lock and
// the holder of the lease. Only looks; nothing is taken, made or mended. What cannot be read is
// nobody, since it keeps nobody from anything. Any thread.
#pragma once

#include "daybook/state/boot_clock.hpp"
#include "daybook/state/state_folder.hpp"

#include <optional>
#include <string>

namespace daybook::state {

/// "pid 123 (daybook reindex) on host since …"; nothing: no pass is under way.
std::optional<std::string> pipeline_holder(const StateFolder& folder);

/// What a process that is gone has left in the pipeline lock's file; nothing: there is no such
/// note. It keeps nobody from anything; the next holder of the lock writes its own.
std::optional<std::string> abandoned_lock_note(const StateFolder& folder);

/// "pid 123 (daybook reindex) on host"; nothing: free, run out, or its holder is gone.
std::optional<std::string> lease_holder(const StateFolder& folder, const BootClock& clock);

}  // namespace daybook::state
