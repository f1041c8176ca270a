// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/reading.hpp"
#include "cli/screen.hpp"
#include "cli/session_json.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/note_text.hpp"
#include "daybook/service/session_view.hpp"

#include <memory>

namespace daybook::cli {
namespace {

using index::FileStatus;
using lineage::Kind;
using service::SessionView;

struct Options {
  std::string session;
  std::optional<Kind> kind;
  bool raw = false;
};

/// The file whose text is shown, and that text.
struct Shown {
  const service::FileView* file = nullptr;
  service::NoteText text;
  bool withheld = false;  ///< not right, and --raw was not given
};

Result<Shown> text_of(const SessionView& view, const Options& options, const Vault& vault) {
  Shown shown;
  shown.file = options.kind ? view.newest(*options.kind) : view.main_file();
  if (shown.file == nullptr) {
    if (!options.kind) {
      return shown;
    }
    return Error{ErrorKind::usage,
                 "the session has no " + std::string(lineage::to_string(*options.kind)),
                 {},
                 "'daybook show' without --kind lists its files."};
  }
  TRY_ASSIGN(auto notes, service::NoteReader::open(base::real_disk(), vault.workspace));
  auto text = notes.read(shown.file->row);
  if (!text) {
    return std::move(text).error();
  }
  shown.text = std::move(text).value();
  const bool right = shown.file->row.status == FileStatus::valid &&
                     shown.text.state == service::NoteState::as_indexed;
  shown.withheld = !right && !options.raw;
  if (shown.withheld) {
    shown.text.body.clear();
    shown.text.cut = false;
  }
  return shown;
}

std::string_view state_word(const Shown& shown) {
  return shown.text.state == service::NoteState::changed &&
                 shown.file->row.status == FileStatus::valid
             ? "changed since it was indexed"
             : index::to_string(shown.file->row.status);
}

Json telemetry_json(const std::optional<state::SessionTelemetry>& telemetry) {
  if (!telemetry) {
    return nullptr;
  }
  const auto count = [](const state::TelemetryCount& counted) {
    return Json::object({{"times", counted.times}, {"last", time_or_null(counted.last)}});
  };
  return Json::object({{"shown", count(telemetry->shown)},
                       {"searched", count(telemetry->searched)},
                       {"opened", count(telemetry->opened)}});
}

Json run_json(const std::optional<lineage::RunRecord>& run) {
  if (!run) {
    return nullptr;
  }
  return Json::object({{"status", lineage::to_string(run->status)},
                       {"request_preview", text_or_null(run->request_preview)},
                       {"outcome_preview", text_or_null(run->outcome_preview)},
                       {"failure_markers", run->failure_markers},
                       {"summary", text_or_null(run->summary)}});
}

Json file_json(const service::FileView& file) {
  Json findings = Json::array();
  for (const index::FoundDiagnostic& finding : file.findings) {
    findings.push_back(Json::object({{"code", finding.code},
                                     {"severity", lineage::to_string(finding.severity)},
                                     {"line", finding.line},
                                     {"message", finding.message}}));
  }
  return Json::object({{"path", file.row.path()},
                       {"kind", lineage::to_string(*file.row.kind)},
                       {"captured_at", lineage::to_string(file.row.fields.captured_at)},
                       {"status", index::to_string(file.row.status)},
                       {"size", file.row.size},
                       {"diagnostics", findings}});
}

void print_as_json(const SessionView& view, const Shown& shown, const Reading& reading) {
  Json files = Json::array();
  for (const service::FileView& file : view.files) {
    files.push_back(file_json(file));
  }
  Json body = nullptr;
  if (shown.file != nullptr) {
    body = Json::object({{"path", shown.file->row.path()},
                         {"kind", lineage::to_string(*shown.file->row.kind)},
                         {"state", state_word(shown)},
                         {"withheld", shown.withheld},
                         {"cut", shown.text.cut},
                         {"text", shown.withheld ? Json(nullptr) : Json(shown.text.body)}});
  }
  print_json(Json::object({{"last_sweep", lineage::to_string(reading.last_sweep())},
                           {"session", session_json(view.session)},
                           {"files", files},
                           {"run", run_json(view.run)},
                           {"telemetry", telemetry_json(view.telemetry)},
                           {"body", body}}));
}

void append_field(std::string& text,
                  const Palette& colors,
                  const char* name,
                  const std::string& value) {
  char label[16];
  std::snprintf(label, sizeof label, "%-11s", name);
  text.append(colors.dim).append(label).append(colors.reset).append(value).append("\n");
}

std::string telemetry_words(const state::SessionTelemetry& telemetry) {
  const auto words = [](const char* what, const state::TelemetryCount& count) {
    std::string text(what);
    return text.append(" ").append(counted(static_cast<unsigned long long>(count.times), "time"));
  };
  return words("shown", telemetry.shown) + ", " + words("found", telemetry.searched) + ", " +
         words("opened", telemetry.opened);
}

std::string head_of(const SessionView& view, const Palette& colors) {
  const index::SessionRow& session = view.session;
  std::string text;
  append_field(text, colors, "session", base::printable(session.identity()));
  append_field(text, colors, "token", session.token.to_string());
  append_field(text, colors, "agent", base::printable(session.agent_id));
  std::string when = lineage::to_string(session.membership);
  if (session.started_at) {
    when += ", begun " + lineage::to_string(*session.started_at);
  }
  append_field(text, colors, "when", when);
  append_field(
      text, colors, "project", session.project.empty() ? "-" : base::printable(session.project));
  if (!session.harness.empty()) {
    append_field(text, colors, "harness", base::printable(session.harness));
  }
  append_field(text,
               colors,
               "sentence",
               (session.changed_since_sealed ? "[changed since sealed] " : "") +
                   base::printable(session.sentence));
  if (view.run) {
    std::string ended(lineage::to_string(view.run->status));
    for (const std::string& marker : view.run->failure_markers) {
      ended += marker == ended ? "" : "; " + base::printable(marker);
    }
    append_field(text, colors, "run", ended);
  }
  for (const service::FileView& file : view.files) {
    std::string line = base::printable(file.row.path());
    if (file.row.status != FileStatus::valid) {
      line.append("  ").append(colors.red).append(index::to_string(file.row.status));
      line.append(colors.reset);
    }
    for (const index::FoundDiagnostic& finding : file.findings) {
      line.append(" [").append(finding.code).append("]");
    }
    append_field(text, colors, std::string(lineage::to_string(*file.row.kind)).c_str(), line);
  }
  if (view.telemetry) {
    append_field(text, colors, "use", telemetry_words(*view.telemetry));
  }
  return text;
}

void warn(const Shown& shown, const Settings& settings) {
  if (shown.file == nullptr) {
    say(settings, "no file of this session can be shown");
    return;
  }
  const std::string path = shown.file->row.path();
  if (shown.withheld) {
    say(settings,
        path + " is " + std::string(state_word(shown)) +
            ": its text is not shown; --raw shows it, 'daybook check' says what is wrong");
  } else if (state_word(shown) != "valid") {
    print(stderr,
          "daybook: warning: " + base::printable(path) + " is " + std::string(state_word(shown)) +
              ": do not rely on this text\n");
  }
  if (shown.text.cut) {
    say(settings, "only the first 16 MiB of " + path + " are shown");
  }
}

int run_show(const Options& options, const Settings& settings) {
  auto reading = open_for_reading(settings);
  if (!reading) {
    return fail(reading.error(), settings);
  }
  auto removals = reading->removals();
  const SessionArgument argument = session_argument(*reading, removals, options.session, settings);
  if (!argument.session) {
    return argument.exit_code;
  }
  const auto view =
      service::view_session(reading->reader, reading->vault.state, removals, *argument.session);
  if (!view) {
    return fail(view.error(), settings);
  }
  const auto shown = text_of(*view, options, reading->vault);
  if (!shown) {
    return fail(shown.error(), settings);
  }
  warn(*shown, settings);
  if (settings.json) {
    print_as_json(*view, *shown, *reading);
  } else {
    const std::string body = printable_text(shown->text.body);
    show_text(options.kind ? body
                           : head_of(*view, palette_for(stdout, settings.color)) +
                                 (body.empty() ? "" : "\n") + body);
  }
  record_use(reading->vault,
             state::TelemetryEvent::opened,
             {{view->session.token, view->session.agent_id}});
  return shown->withheld ? kProblemsFound : kDone;
}

}  // namespace

void add_show(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add("show",
                                      "Show one session: who, when, files and summary",
                                      ".\nA text longer than the terminal goes through $PAGER.");
  add_session_argument(command, options->session);
  add_kind_option(command,
                  options->kind,
                  "Only the text of its newest summary, transcript, compaction or manifest");
  command.flag("--raw", options->raw, "Also the text of a file that is invalid or changed");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_show(*options, settings); };
  });
}

}  // namespace daybook::cli
