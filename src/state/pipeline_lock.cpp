// SPDX-License-Identifier: MIT
#include "daybook/state/pipeline_lock.hpp"

#include "daybook/base/printable.hpp"
#include "state/file_lock.hpp"
#include "state/process_identity.hpp"

#include <utility>

namespace daybook::state {
namespace {

/// "pid 123 (daybook reindex) on host since 2026-…", on one line.
std::string holder_note(const PassRequest& request) {
  const ProcessIdentity self = this_process();
  std::string note("pid ");
  note.append(std::to_string(self.pid)).append(" (").append(request.command).append(")");
  if (!self.host.empty()) {
    note.append(" on ").append(self.host);
  }
  return base::printable(note.append(" since ").append(lineage::to_string(request.now)));
}

Error held(const std::string& path) {
  std::string holder = base::printable(read_lock_note(path));
  if (holder.empty()) {
    holder = "another process";
  }
  return {ErrorKind::busy,
          std::string("another pass over this workspace is under way, held by ").append(holder),
          path,
          "Wait until it has finished, or end that process."};
}

}  // namespace

Result<PipelineLock> PipelineLock::acquire(const StateFolder& folder, const PassRequest& request) {
  const std::string path = folder.file("pipeline.lock");
  TRY_ASSIGN(auto lock, FileLock::acquire(path, request.wait));
  if (!lock) {
    return held(path);
  }
  lock->write_note(holder_note(request));
  return PipelineLock(std::make_unique<FileLock>(std::move(*lock)));
}

PipelineLock::PipelineLock(std::unique_ptr<FileLock> lock) : lock_(std::move(lock)) {}
PipelineLock::PipelineLock(PipelineLock&&) noexcept = default;
PipelineLock& PipelineLock::operator=(PipelineLock&&) noexcept = default;

PipelineLock::~PipelineLock() {
  if (lock_) {
    lock_->write_note({});
  }
}

}  // namespace daybook::state
