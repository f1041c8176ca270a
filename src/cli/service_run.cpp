// SPDX-License-Identifier: MIT
//
// `daybook service start`, `stop` and `logs`: of the installed service, or of one that
// `daybook watch --detach` has started.
#include "cli/answer.hpp"
#include "cli/service_actions.hpp"
#include "cli/service_place.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/host/child_program.hpp"
#include "daybook/host/detached.hpp"
#include "daybook/host/log_tail.hpp"
#include "daybook/host/service_file.hpp"

#include <array>
#include <unistd.h>

namespace daybook::cli {
namespace {

using host::ServiceFileState;

constexpr std::chrono::seconds kStopping{5};

Result<bool> is_installed(const ServicePlace& place) {
  TRY_ASSIGN(const ServiceFileState state, host::service_file_state(place.manager->file(), {}));
  return state != ServiceFileState::missing;
}

/// The installed service as its manager sees it; nothing: not installed, or nobody to ask.
Result<std::optional<host::ManagerView>> installed_view(const ServicePlace& place) {
  TRY_ASSIGN(const bool installed, is_installed(place));
  if (!installed || !place.manager->reach()) {
    return std::optional<host::ManagerView>();
  }
  TRY_ASSIGN(host::ManagerView view, place.manager->view());
  return std::optional(std::move(view));
}

/// Process numbers mean nothing on another machine, and a home folder may be shared.
bool is_here(const state::ServiceHolder& holder) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) {
    return false;
  }
  return holder.note.find(" on " + base::printable(host.data()) + " since ") != std::string::npos;
}

Result<void> end_holder(const ServicePlace& place, const state::ServiceHolder& holder) {
  if (holder.pid <= 1 || !is_here(holder)) {
    return Error{ErrorKind::busy,
                 "the service that watches this workspace runs elsewhere or has not said who it "
                 "is: " +
                     holder.note,
                 place.spec.workspace,
                 "End it where it runs."};
  }
  return host::end_process(
      static_cast<pid_t>(holder.pid), [&place] { return !place.holder(); }, kStopping);
}

void tell(const ServicePlace& place,
          const char* field,
          bool value,
          const std::string& words,
          const Settings& settings) {
  settings.json
      ? print_json(Json::object(
            {{"manager", place.manager->name()}, {"unit", place.manager->unit()}, {field, value}}))
      : print(stdout, words + "\n");
}

Result<int> show_log_file(const ServicePlace& place, const ServiceOptions& options) {
  const std::string& path = place.spec.log_path;
  auto lines = host::log_tail(path, options.lines);
  if (!lines && lines.error().kind == ErrorKind::not_found) {
    lines.error().message = "there is no log: no service has run for this workspace";
    lines.error().hint = "Start one with 'daybook service install' or 'daybook watch --detach'.";
  }
  if (!lines) {
    return std::move(lines).error();
  }
  if (options.follow) {
    return host::show_program({"tail", "-n", std::to_string(options.lines), "-F", "--", path});
  }
  for (const std::string& line : *lines) {
    print(stdout, line + "\n");
  }
  return kDone;
}

}  // namespace

Result<int> start_service(const ServiceOptions& options, const Settings& settings) {
  TRY_ASSIGN(const ServicePlace place,
             open_service_place(settings, options.manager, state::Create::never));
  TRY(place.manager->reach());
  TRY_ASSIGN(const bool installed, is_installed(place));
  if (!installed) {
    return Error{ErrorKind::usage,
                 "the service of this workspace is not installed",
                 place.manager->file(),
                 "Install it with 'daybook service install', or run 'daybook watch --detach'."};
  }
  TRY_ASSIGN(const host::ManagerView view, place.manager->view());
  const auto holder = place.holder();
  if (holder && !view.is_running) {
    return Error{ErrorKind::busy,
                 "another service watches this workspace already: " + holder->note,
                 place.spec.workspace,
                 "End it with 'daybook service stop' first."};
  }
  TRY(place.manager->start());
  tell(place, "started", true, "Started " + place.manager->unit() + ".", settings);
  return kDone;
}

Result<int> stop_service(const ServiceOptions& options, const Settings& settings) {
  TRY_ASSIGN(const ServicePlace place,
             open_service_place(settings, options.manager, state::Create::never));
  TRY_ASSIGN(const auto view, installed_view(place));
  std::string words;
  if (view && view->is_running) {
    TRY(place.manager->stop());
    words = "Stopped " + place.manager->unit() + ".";
  }
  if (const auto holder = place.holder()) {
    TRY(end_holder(place, *holder));
    words +=
        (words.empty() ? "" : "\n") + std::string("Ended ") + base::printable(holder->note) + ".";
  }
  tell(place,
       "stopped",
       !words.empty(),
       words.empty() ? "Nothing to stop: no service watches this workspace." : words,
       settings);
  return kDone;
}

Result<int> show_service_logs(const ServiceOptions& options, const Settings& settings) {
  if (settings.json) {
    return Error{ErrorKind::usage,
                 "'daybook service logs' has no JSON form",
                 {},
                 "With systemd, 'journalctl --user -o json' has one."};
  }
  TRY_ASSIGN(const ServicePlace place,
             open_service_place(settings, options.manager, state::Create::never));
  TRY_ASSIGN(const auto view, installed_view(place));
  const auto holder = place.holder();
  // Whoever runs now is asked about; when nobody does, the installed service is.
  const bool is_detached = holder && !(view && view->is_running);
  const auto command = place.manager->log_command(
      options.lines, options.follow ? host::Follow::yes : host::Follow::no);
  if (!view || is_detached || !command) {
    return show_log_file(place, options);
  }
  return host::show_program(*command);
}

}  // namespace daybook::cli
