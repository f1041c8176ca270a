// SPDX-License-Identifier: MIT
#include "daybook/host/service_manager.hpp"

#include "host/launchd_manager.hpp"
#include "host/systemd_manager.hpp"

#include <utility>

namespace daybook::host {

ManagerKind native_manager() {
#ifdef __APPLE__
  return ManagerKind::launchd;
#else
  return ManagerKind::systemd;
#endif
}

ServiceManager::ServiceManager(std::string name, std::string unit, std::string file)
    : name_(std::move(name)), unit_(std::move(unit)), file_(std::move(file)) {}

std::unique_ptr<ServiceManager> service_manager(ManagerKind kind,
                                                const ServiceSpec& spec,
                                                const std::string& home,
                                                const std::string& config_home) {
  if (kind == ManagerKind::launchd) {
    return std::make_unique<LaunchdManager>(spec, home);
  }
  // As its specification asks, a relative XDG_CONFIG_HOME is none.
  const bool chosen = config_home.starts_with('/');
  return std::make_unique<SystemdManager>(spec, chosen ? config_home : home + "/.config");
}

}  // namespace daybook::host
