// SPDX-License-Identifier: MIT
//
// launchd's domain of one logged-in user, asked by `launchctl`. A loaded agent runs; so stopping
// means unloading, and starting means loading. One thread.
#pragma once

#include "daybook/host/service_manager.hpp"

namespace daybook::host {

class LaunchdManager final : public ServiceManager {
 public:
  LaunchdManager(const ServiceSpec& spec, const std::string& home);

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
  std::string domain() const;  // gui/501
  std::string target() const;  // gui/501/local.daybook.0123456789abcdef

  ServiceSpec spec_;
};

}  // namespace daybook::host
