// SPDX-License-Identifier: MIT
#include "daybook/state/pipeline_lock.hpp"

#include "state/file_lock.hpp"
#include "state/lock_note.hpp"

#include <utility>

namespace daybook::state {
namespace {

Error held(const std::string& path) {
  return {ErrorKind::busy,
          "another pass over this workspace is under way, held by " + holder_at(path),
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
  lock->write_note(holder_note(request.command, request.now));
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

Result<std::shared_ptr<const PipelineLock>> SharedPipelineLock::hold(const PassRequest& request) {
  const std::lock_guard guard(mutex_);
  if (auto held = held_.lock()) {
    return held;
  }
  TRY_ASSIGN(PipelineLock lock, PipelineLock::acquire(folder_, request));
  auto held = std::make_shared<const PipelineLock>(std::move(lock));
  held_ = held;
  return held;
}

}  // namespace daybook::state
