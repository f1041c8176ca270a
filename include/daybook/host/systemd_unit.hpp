// SPDX-License-Identifier: MIT
//
// ServiceSpec -> the text of a systemd user unit, one a workspace. The unit may write to the
// workspace and the state folder only, reach no network, and gain no privilege. Pure; any thread.
#pragma once

#include "daybook/host/service_spec.hpp"

#include <string>

namespace daybook::host {

/// `daybook-<id>.service`
std::string systemd_unit_name(const ServiceSpec& spec);

/// A usage error when a path cannot be written so that systemd reads it again.
Result<std::string> systemd_unit(const ServiceSpec& spec);

}  // namespace daybook::host
