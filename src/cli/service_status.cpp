// SPDX-License-Identifier: MIT
//
// `daybook service status`: what the manager says, and who holds the workspace. The two may differ:
// a service can be started without any manager.
#include "cli/answer.hpp"
#include "cli/service_actions.hpp"
#include "cli/service_place.hpp"
#include "cli/session_json.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/host/service_file.hpp"

namespace daybook::cli {
namespace {

using host::ServiceFileState;

struct Report {
  ServiceFileState file = ServiceFileState::missing;
  std::optional<host::ManagerView> view;  // nothing: the manager cannot be asked
  std::string why_not;
  std::optional<state::ServiceHolder> holder;

  bool is_installed() const { return file != ServiceFileState::missing; }
  bool is_by_manager() const { return view && view->is_running; }
};

Result<Report> look(const ServicePlace& place) {
  Report report;
  const auto text = place.manager->file_text();
  TRY_ASSIGN(report.file,
             host::service_file_state(place.manager->file(), text ? *text : std::string()));
  report.holder = place.holder();
  auto reached = place.manager->reach();
  if (!reached) {
    report.why_not = reached.error().message;
    return report;
  }
  TRY_ASSIGN(report.view, place.manager->view());
  return report;
}

void print_as_json(const Report& report, const ServicePlace& place) {
  const auto text = [](const std::string& value) { return text_or_null(value); };
  const host::ManagerView view = report.view.value_or(host::ManagerView{});
  Json holder = nullptr;
  if (report.holder) {
    holder = Json::object({{"pid", report.holder->pid}, {"note", report.holder->note}});
  }
  print_json(Json::object({{"workspace", place.spec.workspace},
                           {"state_dir", place.spec.state_dir},
                           {"running", report.holder.has_value()},
                           {"holder", holder},
                           {"manager", place.manager->name()},
                           {"reachable", report.view.has_value()},
                           {"reason", text(report.why_not)},
                           {"unit", place.manager->unit()},
                           {"file", place.manager->file()},
                           {"installed", report.is_installed()},
                           {"current", report.file == ServiceFileState::current},
                           {"active", text(view.active)},
                           {"detail", text(view.detail)},
                           {"enabled", text(view.enabled)},
                           {"pid", view.pid}}));
}

std::string file_words(const Report& report, const ServicePlace& place) {
  std::string file = base::printable(place.manager->file());
  switch (report.file) {
    case ServiceFileState::missing:
      return "not installed; 'daybook service install' does it";
    case ServiceFileState::older:
      return file + " (by other settings or another version; 'daybook service install' renews it)";
    case ServiceFileState::foreign:
      return file + " (not made by Daybook)";
    case ServiceFileState::current:
      break;
  }
  return file;
}

std::string manager_words(const Report& report, const ServicePlace& place) {
  std::string words = place.manager->name() + ": ";
  if (!report.view) {
    return words + base::printable(report.why_not);
  }
  if (!report.is_installed()) {
    return words + "here";
  }
  words += report.view->active.empty() ? "not loaded" : base::printable(report.view->active);
  if (!report.view->detail.empty()) {
    words += " (" + base::printable(report.view->detail) + ")";
  }
  return report.view->enabled.empty() ? words
                                      : words + ", " + base::printable(report.view->enabled);
}

std::string running_words(const Report& report) {
  if (!report.holder) {
    return report.is_by_manager() ? "starting" : "no";
  }
  return "yes, " + base::printable(report.holder->note) +
         (report.is_by_manager() ? "" : "; started by hand");
}

void print_human(const Report& report, const ServicePlace& place, const Settings& settings) {
  const Palette colors = palette_for(stdout, settings.color);
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text.append(colors.dim).append(name).append(11 - name.size(), ' ').append(colors.reset);
    text.append(value).append("\n");
  };
  line("workspace", base::printable(place.spec.workspace));
  line("running", running_words(report));
  line("unit", place.manager->unit());
  line("file", file_words(report, place));
  line("manager", manager_words(report, place));
  if (!report.view && !report.holder) {
    line("instead", "'daybook watch --detach' serves this workspace without it");
  }
  print(stdout, text);
}

}  // namespace

Result<int> show_service_status(const ServiceOptions& options, const Settings& settings) {
  TRY_ASSIGN(const ServicePlace place,
             open_service_place(settings, options.manager, state::Create::never));
  TRY_ASSIGN(const Report report, look(place));
  settings.json ? print_as_json(report, place) : print_human(report, place, settings);
  return kDone;
}

}  // namespace daybook::cli
