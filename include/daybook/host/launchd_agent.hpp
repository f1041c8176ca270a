// SPDX-License-Identifier: MIT
//
// ServiceSpec -> the text of a launchd agent (a property list), one a workspace. Pure; any thread.
#pragma once

#include "daybook/host/service_spec.hpp"

#include <string>

namespace daybook::host {

/// `local.daybook.<id>`
std::string launchd_label(const ServiceSpec& spec);

/// A usage error when a path cannot stand in a property list.
Result<std::string> launchd_agent(const ServiceSpec& spec);

}  // namespace daybook::host
