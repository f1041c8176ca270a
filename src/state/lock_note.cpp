// SPDX-License-Identifier: MIT
#include "state/lock_note.hpp"

#include "daybook/base/printable.hpp"
#include "state/file_lock.hpp"
#include "state/process_identity.hpp"

namespace daybook::state {

std::string holder_note(const std::string& command, lineage::Timestamp since) {
  const ProcessIdentity self = this_process();
  std::string note("pid ");
  note.append(std::to_string(self.pid)).append(" (").append(command).append(")");
  if (!self.host.empty()) {
    note.append(" on ").append(self.host);
  }
  return base::printable(note.append(" since ").append(lineage::to_string(since)));
}

std::string holder_at(const std::string& lock_path) {
  std::string holder = base::printable(read_lock_note(lock_path));
  return holder.empty() ? "another process" : holder;
}

}  // namespace daybook::state
