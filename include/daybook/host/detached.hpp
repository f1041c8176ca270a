// SPDX-License-Identifier: MIT
//
// This program once more, in the background: a child in a session of its own, without a terminal,
// its words appended to a log file, which begins anew when it has more than a megabyte. It is
// handed a private NOTIFY_SOCKET, so that the caller knows when it works (Notifier::ready). One
// thread; whatever fails, no child is left behind.
#pragma once

#include "daybook/base/result.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace daybook::host {

/// `arguments` are those behind the program's name; the child starts in `/`, so paths among them
/// must be absolute. Returns its process number once it has said that it is ready. An error shows
/// the last lines that it logged, and has the kind that the child's own exit code stands for; a
/// child that is not ready after `wait` is ended again.
Result<pid_t> start_detached(const std::vector<std::string>& arguments,
                             const std::string& log_path,
                             std::chrono::milliseconds wait);

/// Asks a process to end (SIGTERM) and waits until `is_gone` says that it has let go. busy when it
/// has not after `most`; it is not killed.
Result<void> end_process(pid_t process,
                         const std::function<bool()>& is_gone,
                         std::chrono::milliseconds most);

}  // namespace daybook::host
