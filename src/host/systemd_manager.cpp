// SPDX-License-Identifier: MIT
#include "host/systemd_manager.hpp"

#include "daybook/host/systemd_unit.hpp"
#include "host/manager_command.hpp"

#include <charconv>
#include <map>
#include <sstream>
#include <sys/stat.h>

namespace daybook::host {
namespace {

using Words = std::vector<std::string>;

/// What sd_booted(3) looks at.
constexpr const char* kBooted = "/run/systemd/system";

Words systemctl(const Words& more) {
  Words words{"systemctl", "--user"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Result<void> run(const Words& more, std::chrono::milliseconds most) {
  TRY(command_manager(systemctl(more), most));
  return {};
}

Error unreachable(const std::string& why) {
  return {ErrorKind::not_found, why, {}, "Run 'daybook watch --detach' instead."};
}

/// `Name=value` a line.
std::map<std::string, std::string> properties_in(const std::string& text) {
  std::map<std::string, std::string> properties;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t sign = line.find('=');
    if (sign != std::string::npos) {
      properties[line.substr(0, sign)] = line.substr(sign + 1);
    }
  }
  return properties;
}

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + ", " + second;
}

}  // namespace

SystemdManager::SystemdManager(const ServiceSpec& spec, const std::string& config_home)
    : ServiceManager("systemd",
                     systemd_unit_name(spec),
                     config_home + "/systemd/user/" + systemd_unit_name(spec)),
      spec_(spec) {}

Result<std::string> SystemdManager::file_text() const { return systemd_unit(spec_); }

Result<void> SystemdManager::reach() const {
  if (program_on_path("systemctl").empty()) {
    return unreachable("there is no systemd here: no program 'systemctl' on PATH");
  }
  TRY_ASSIGN(const ProgramAnswer answer,
             ask_program(systemctl({"show", "--property=Version"}), kQuickly));
  if (answer.ok()) {
    return {};
  }
  struct stat booted {};
  return ::stat(kBooted, &booted) != 0
             ? unreachable("systemd does not run here (there is no " + std::string(kBooted) +
                           "): " + words_of_failure(answer))
             : unreachable("your systemd cannot be reached from this session: " +
                           words_of_failure(answer));
}

Result<void> SystemdManager::reload_files() const { return run({"daemon-reload"}, kQuickly); }

Result<void> SystemdManager::enable(Start start) const {
  return start == Start::now ? run({"enable", "--now", unit()}, kUntilReady)
                             : run({"enable", unit()}, kQuickly);
}

Result<void> SystemdManager::disable() const { return run({"disable", "--now", unit()}, kQuickly); }
Result<void> SystemdManager::start() const { return run({"start", unit()}, kUntilReady); }
Result<void> SystemdManager::restart() const { return run({"restart", unit()}, kUntilReady); }
Result<void> SystemdManager::stop() const { return run({"stop", unit()}, kQuickly); }

Result<ManagerView> SystemdManager::view() const {
  TRY_ASSIGN(
      const std::string text,
      command_manager(
          systemctl(
              {"show", "--property=ActiveState,SubState,UnitFileState,MainPID,StatusText", unit()}),
          kQuickly));
  const auto properties = properties_in(text);
  const auto property = [&properties](const char* name) {
    const auto found = properties.find(name);
    return found == properties.end() ? std::string() : found->second;
  };
  ManagerView view;
  view.active = property("ActiveState");
  view.detail = joined(property("SubState"), property("StatusText"));
  view.enabled = property("UnitFileState");
  const std::string pid = property("MainPID");
  std::from_chars(pid.data(), pid.data() + pid.size(), view.pid);
  view.is_running = !view.active.empty() && view.active != "inactive" && view.active != "failed";
  return view;
}

std::optional<Words> SystemdManager::log_command(std::size_t lines, Follow follow) const {
  Words words{"journalctl", "--user", "-u", unit(), "-n", std::to_string(lines)};
  words.emplace_back(follow == Follow::yes ? "-f" : "--no-pager");
  return words;
}

}  // namespace daybook::host
