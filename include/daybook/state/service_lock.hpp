// SPDX-License-Identifier: MIT
//
// One watching service a workspace: flock on `<state>/service.lock`, held for the service's life
// and dropped by the kernel with the process. The file says who holds it, for whoever finds it held
// and for whoever wants to end it. One object belongs to one thread; failure changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace daybook::state {

class FileLock;

class ServiceLock {
 public:
  /// busy, with the holder's name, when another process has it.
  static Result<ServiceLock> acquire(const StateFolder& folder,
                                     const std::string& command,
                                     lineage::Timestamp now);

  ServiceLock(ServiceLock&&) noexcept;
  ServiceLock& operator=(ServiceLock&&) noexcept;
  ~ServiceLock();

 private:
  explicit ServiceLock(std::unique_ptr<FileLock> lock);
  std::unique_ptr<FileLock> lock_;
};

struct ServiceHolder {
  std::int64_t pid = 0;  ///< 0: it did not say
  std::string note;      ///< "pid 123 (daybook watch) on host since …"
};

/// Nothing: no service runs. Only looks.
std::optional<ServiceHolder> service_holder(const StateFolder& folder);

}  // namespace daybook::state
