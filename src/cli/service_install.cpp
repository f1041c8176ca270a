// SPDX-License-Identifier: MIT
//
// `daybook service install` and `uninstall`: the file, and what its manager is told.
#include "cli/answer.hpp"
#include "cli/reading.hpp"
#include "cli/service_actions.hpp"
#include "cli/service_place.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/host/service_file.hpp"

namespace daybook::cli {
namespace {

using host::ServiceFileState;

host::Foreign judgement(const ServiceOptions& options) {
  return options.force ? host::Foreign::overrule : host::Foreign::refuse;
}

/// The file on stdout, so that it can be piped; the rest is talk.
int print_file(const ServicePlace& place, const std::string& text, const Settings& settings) {
  if (settings.json) {
    print_json(Json::object({{"manager", place.manager->name()},
                             {"unit", place.manager->unit()},
                             {"file", place.manager->file()},
                             {"text", text},
                             {"dry_run", true}}));
    return kDone;
  }
  say(settings, "would write " + base::printable(place.manager->file()));
  print(stdout, text);
  return kDone;
}

/// A service that somebody started by hand would keep the installed one from starting, for ever.
Result<void> no_other_service(const ServicePlace& place) {
  const auto holder = place.holder();
  if (!holder) {
    return {};
  }
  TRY_ASSIGN(const host::ManagerView view, place.manager->view());
  if (view.is_running) {
    return {};
  }
  return Error{ErrorKind::busy,
               "another service watches this workspace already: " + holder->note,
               place.spec.workspace,
               "End it with 'daybook service stop', or install with --no-start."};
}

Result<void> tell_manager(const ServicePlace& place,
                          ServiceFileState before,
                          const ServiceOptions& options) {
  const bool changed = before != ServiceFileState::current;
  TRY_ASSIGN(const host::ManagerView view, place.manager->view());
  if (changed) {
    TRY(place.manager->reload_files());
  }
  TRY(place.manager->enable(options.no_start ? host::Start::later : host::Start::now));
  if (changed && view.is_running && !options.no_start) {
    TRY(place.manager->restart());  // it still goes by the old file
  }
  return {};
}

void tell_installed(const ServicePlace& place,
                    ServiceFileState before,
                    const ServiceOptions& options,
                    const Settings& settings) {
  const bool changed = before != ServiceFileState::current;
  if (settings.json) {
    print_json(Json::object({{"manager", place.manager->name()},
                             {"unit", place.manager->unit()},
                             {"file", place.manager->file()},
                             {"changed", changed},
                             {"started", !options.no_start}}));
    return;
  }
  const std::string file = base::printable(place.manager->file());
  print(stdout,
        (changed ? "Wrote " + file : "Nothing to write: " + file + " is as it should be") + ".\n" +
            (options.no_start ? "It starts when you log in next, or with 'daybook service start'.\n"
                              : "The service watches " + base::printable(place.spec.workspace) +
                                    " now, and again whenever you log in.\n"));
  if (options.manager == host::ManagerKind::systemd) {
    say(settings, "it ends when you log out; 'loginctl enable-linger' lets it go on");
  }
}

}  // namespace

Result<int> install_service(const ServiceOptions& options, const Settings& settings) {
  TRY_ASSIGN(ServicePlace place,
             open_service_place(settings, options.manager, state::Create::never));
  TRY_ASSIGN(const std::string text, place.manager->file_text());
  if (options.dry_run) {
    return print_file(place, text, settings);
  }
  TRY(place.manager->reach());
  // The service may write into the state folder, but could not make it.
  TRY_ASSIGN(place, open_service_place(settings, options.manager, state::Create::if_missing));
  if (!options.no_start) {
    TRY(no_other_service(place));
  }
  TRY_ASSIGN(const ServiceFileState before,
             host::write_service_file(place.manager->file(), text, judgement(options)));
  auto told = tell_manager(place, before, options);
  if (!told) {
    return std::move(told).error().in_context("the file is written, but the service is not set up");
  }
  tell_installed(place, before, options, settings);
  return kDone;
}

Result<int> uninstall_service(const ServiceOptions& options, const Settings& settings) {
  TRY_ASSIGN(const ServicePlace place,
             open_service_place(settings, options.manager, state::Create::never));
  const std::string& file = place.manager->file();
  TRY_ASSIGN(const ServiceFileState present, host::service_file_state(file, {}));
  const bool is_ours = present != ServiceFileState::foreign || options.force;
  if (present != ServiceFileState::missing && is_ours && !options.dry_run) {
    TRY(place.manager->reach());
    TRY(place.manager->disable());
  }
  if (!options.dry_run || !is_ours) {
    TRY(host::remove_service_file(file, judgement(options)));  // or the refusal
  }
  if (present != ServiceFileState::missing && !options.dry_run) {
    TRY(place.manager->reload_files());
  }
  const bool found = present != ServiceFileState::missing;
  if (settings.json) {
    print_json(Json::object({{"manager", place.manager->name()},
                             {"unit", place.manager->unit()},
                             {"file", file},
                             {"removed", found && !options.dry_run},
                             {"dry_run", options.dry_run}}));
  } else if (!found) {
    print(stdout, "Nothing to remove: there is no " + base::printable(file) + ".\n");
  } else {
    print(stdout,
          (options.dry_run ? "Would stop and disable " : "Stopped and disabled ") +
              place.manager->unit() + (options.dry_run ? ", and remove " : ", and removed ") +
              base::printable(file) + ".\n");
  }
  return kDone;
}

}  // namespace daybook::cli
