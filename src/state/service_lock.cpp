// SPDX-License-Identifier: MIT
#include "daybook/state/service_lock.hpp"

#include "daybook/base/printable.hpp"
#include "state/file_lock.hpp"
#include "state/lock_note.hpp"

#include <charconv>
#include <chrono>
#include <string_view>
#include <utility>

namespace daybook::state {
namespace {

constexpr const char* kLockFile = "service.lock";
/// Somebody who only looks has it for a moment.
constexpr std::chrono::milliseconds kWait{200};

std::int64_t pid_in(std::string_view note) {
  constexpr std::string_view kPrefix = "pid ";
  std::int64_t pid = 0;
  if (note.starts_with(kPrefix)) {
    note.remove_prefix(kPrefix.size());
    std::from_chars(note.data(), note.data() + note.size(), pid);
  }
  return pid;
}

}  // namespace

Result<ServiceLock> ServiceLock::acquire(const StateFolder& folder,
                                         const std::string& command,
                                         lineage::Timestamp now) {
  const std::string path = folder.file(kLockFile);
  TRY_ASSIGN(auto lock, FileLock::acquire(path, kWait));
  if (!lock) {
    return Error{ErrorKind::busy,
                 "this workspace is watched already, by " + holder_at(path),
                 folder.workspace(),
                 "'daybook status' asks it; 'daybook service stop' ends it."};
  }
  lock->write_note(holder_note(command, now));
  return ServiceLock(std::make_unique<FileLock>(std::move(*lock)));
}

ServiceLock::ServiceLock(std::unique_ptr<FileLock> lock) : lock_(std::move(lock)) {}
ServiceLock::ServiceLock(ServiceLock&&) noexcept = default;
ServiceLock& ServiceLock::operator=(ServiceLock&&) noexcept = default;

ServiceLock::~ServiceLock() {
  if (lock_) {
    lock_->write_note({});
  }
}

std::optional<ServiceHolder> service_holder(const StateFolder& folder) {
  const std::string path = folder.file(kLockFile);
  if (!is_locked(path)) {
    return std::nullopt;
  }
  const std::string note = read_lock_note(path);
  return ServiceHolder{pid_in(note), base::printable(note)};
}

}  // namespace daybook::state
