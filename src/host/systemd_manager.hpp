// SPDX-License-Identifier: MIT
//
// systemd's manager of one user, asked by `systemctl --user`. One thread.
#pragma once

#include "daybook/host/service_manager.hpp"

#include <chrono>

namespace daybook::host {

class SystemdManager final : public ServiceManager {
 public:
  SystemdManager(const ServiceSpec& spec, const std::string& config_home);

  Result<std::string> file_text() const override;
  Result<void> reach() const override;
  Result<void> reload_files() const override;
  Result<void> enable(Start start) const override;
  Result<void> disable() const override;
  Result<void> start() const override;
  Result<void> restart() const override;
  Result<void> stop() const override;
  Result<ManagerView> view() const override;
  std::optional<std::vector<std::string>> log_command(std::size_t lines,
                                                      Follow follow) const override;

 private:
  ServiceSpec spec_;
};

}  // namespace daybook::host
