// SPDX-License-Identifier: MIT
//
// What a service manager has to know of one workspace's service. A plain value.
#pragma once

#include "daybook/base/result.hpp"

#include <string>
#include <string_view>

namespace daybook::host {

struct ServiceSpec {
  std::string id;         ///< 16 letters that tell workspaces apart
  std::string program;    ///< full path of daybook
  std::string workspace;  ///< real path
  std::string state_dir;  ///< full path
  std::string log_path;   ///< for managers that keep no log themselves
};

/// Stands in the first lines of every file that Daybook installs, so that it knows its own.
inline constexpr std::string_view kServiceMarker = "Daybook service file";

/// Whether a file's text is one of ours.
bool is_service_file(std::string_view text);

/// A usage error when a path holds what no service file can say: control characters, or bytes that
/// are not UTF-8.
Result<void> check_paths(const ServiceSpec& spec);

}  // namespace daybook::host
