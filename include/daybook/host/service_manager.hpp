// SPDX-License-Identifier: MIT
//
// The program that runs services for a user: systemd by `systemctl --user`, launchd by `launchctl`.
// Each call runs that program and waits for it; an error says which command failed and what it
// said. One thread. Failure leaves what the manager has done until then; every call may be
// repeated.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/host/service_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daybook::host {

enum class ManagerKind : std::uint8_t { systemd, launchd };
enum class Start : std::uint8_t { now, later };
enum class Follow : std::uint8_t { no, yes };

/// The one that this system comes with.
ManagerKind native_manager();

/// What the manager says of the service; texts are its own words.
struct ManagerView {
  std::string active;   ///< `active`, `inactive`, `failed`, …
  std::string detail;   ///< more of it: `running`, what the service says of itself
  std::string enabled;  ///< `enabled`, `disabled`, …
  std::int64_t pid = 0;
  bool is_running = false;  ///< also while it starts or stops
};

class ServiceManager {
 public:
  virtual ~ServiceManager() = default;

  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }  ///< the service's name there
  const std::string& file() const { return file_; }  ///< full path of the file that describes it

  virtual Result<std::string> file_text() const = 0;
  /// An error when there is no such manager here, or it does not answer, with what to do instead.
  virtual Result<void> reach() const = 0;
  /// After the file was written or removed.
  virtual Result<void> reload_files() const = 0;
  virtual Result<void> enable(Start start) const = 0;
  /// Stops it, too.
  virtual Result<void> disable() const = 0;
  virtual Result<void> start() const = 0;
  virtual Result<void> restart() const = 0;
  virtual Result<void> stop() const = 0;
  virtual Result<ManagerView> view() const = 0;
  /// The command that shows the service's log; nothing: it is the file that the spec names.
  virtual std::optional<std::vector<std::string>> log_command(std::size_t lines,
                                                              Follow follow) const = 0;

 protected:
  ServiceManager(std::string name, std::string unit, std::string file);

 private:
  std::string name_;
  std::string unit_;
  std::string file_;
};

/// `home` and `config_home` (XDG_CONFIG_HOME, may be empty) say where the user's service files lie.
std::unique_ptr<ServiceManager> service_manager(ManagerKind kind,
                                                const ServiceSpec& spec,
                                                const std::string& home,
                                                const std::string& config_home);

}  // namespace daybook::host
