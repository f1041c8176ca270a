// SPDX-License-Identifier: MIT
//
// What `daybook service ACTION` does, one function an action. Each returns the exit code.
#pragma once

#include "cli/settings.hpp"
#include "daybook/base/result.hpp"
#include "daybook/host/service_manager.hpp"

#include <cstddef>

namespace daybook::cli {

struct ServiceOptions {
  host::ManagerKind manager = host::native_manager();
  bool dry_run = false;
  bool no_start = false;
  bool force = false;
  bool follow = false;
  std::size_t lines = 100;
};

Result<int> install_service(const ServiceOptions& options, const Settings& settings);
Result<int> uninstall_service(const ServiceOptions& options, const Settings& settings);
Result<int> start_service(const ServiceOptions& options, const Settings& settings);
Result<int> stop_service(const ServiceOptions& options, const Settings& settings);
Result<int> show_service_status(const ServiceOptions& options, const Settings& settings);
Result<int> show_service_logs(const ServiceOptions& options, const Settings& settings);

}  // namespace daybook::cli
