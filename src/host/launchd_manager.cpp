// SPDX-License-Identifier: MIT
#include "host/launchd_manager.hpp"

#include "daybook/host/launchd_agent.hpp"
#include "host/manager_command.hpp"

#include <charconv>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace daybook::host {
namespace {

using Words = std::vector<std::string>;

/// The value of the first line `name = value` of what `launchctl print` shows.
std::string value_of(const std::string& text, std::string_view name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::string start = std::string(name) + " = ";
    if (begin != std::string::npos && line.compare(begin, start.size(), start) == 0) {
      return line.substr(begin + start.size());
    }
  }
  return {};
}

Result<void> run(const Words& more, std::chrono::milliseconds most) {
  Words words{"launchctl"};
  words.insert(words.end(), more.begin(), more.end());
  TRY(command_manager(words, most));
  return {};
}

}  // namespace

LaunchdManager::LaunchdManager(const ServiceSpec& spec, const std::string& home)
    : ServiceManager("launchd",
                     launchd_label(spec),
                     home + "/Library/LaunchAgents/" + launchd_label(spec) + ".plist"),
      spec_(spec) {}

std::string LaunchdManager::domain() const { return "gui/" + std::to_string(::getuid()); }
std::string LaunchdManager::target() const { return domain() + "/" + unit(); }

Result<std::string> LaunchdManager::file_text() const { return launchd_agent(spec_); }

Result<void> LaunchdManager::reach() const {
  if (!program_on_path("launchctl").empty()) {
    TRY_ASSIGN(const ProgramAnswer answer, ask_program({"launchctl", "print", domain()}, kQuickly));
    if (answer.ok()) {
      return {};
    }
    return Error{ErrorKind::not_found,
                 "launchd has no session of yours: " + words_of_failure(answer),
                 {},
                 "Run 'daybook watch --detach' instead."};
  }
  return Error{ErrorKind::not_found,
               "there is no launchd here: no program 'launchctl' on PATH",
               {},
               "Run 'daybook watch --detach' instead."};
}

Result<void> LaunchdManager::reload_files() const { return {}; }  // read when it is loaded

Result<void> LaunchdManager::enable(Start start) const {
  TRY(run({"enable", target()}, kQuickly));
  return start == Start::now ? this->start() : Result<void>();
}

Result<void> LaunchdManager::disable() const { return stop(); }

Result<void> LaunchdManager::start() const {
  TRY_ASSIGN(const ManagerView now, view());
  return now.active.empty() ? run({"bootstrap", domain(), file()}, kQuickly)
                            : run({"kickstart", target()}, kQuickly);
}

Result<void> LaunchdManager::restart() const {
  TRY(stop());  // or it would go on by the old file
  return start();
}

Result<void> LaunchdManager::stop() const {
  TRY_ASSIGN(const ManagerView now, view());
  return now.active.empty() ? Result<void>() : run({"bootout", target()}, kQuickly);
}

Result<ManagerView> LaunchdManager::view() const {
  TRY_ASSIGN(const ProgramAnswer answer, ask_program({"launchctl", "print", target()}, kQuickly));
  ManagerView view;
  if (!answer.ok()) {
    return view;  // not loaded
  }
  view.active = value_of(answer.out, "state");
  if (view.active.empty()) {
    view.active = "loaded";
  }
  const std::string code = value_of(answer.out, "last exit code");
  view.detail = code.empty() ? std::string() : "last exit code " + code;
  view.enabled = "enabled";
  const std::string pid = value_of(answer.out, "pid");
  std::from_chars(pid.data(), pid.data() + pid.size(), view.pid);
  view.is_running = view.pid > 0;
  return view;
}

std::optional<Words> LaunchdManager::log_command(std::size_t /*lines*/, Follow /*follow*/) const {
  return std::nullopt;
}

}  // namespace daybook::host
