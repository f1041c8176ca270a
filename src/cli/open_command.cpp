// SPDX-License-Identifier: MIT
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/reading.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/host/child_program.hpp"
#include "daybook/service/obsidian_root.hpp"

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace daybook::cli {
namespace {

namespace fs = std::filesystem;
using lineage::Kind;

struct Options {
  std::string session;
  std::optional<Kind> kind;
  bool print_only = false;
};

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char letter : text) {
    const auto c = static_cast<unsigned char>(letter);
    const bool plain =
        (c < 0x80 && std::isalnum(c) != 0) || c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out.push_back(letter);
    } else {
      out.append({'%', kHex[c >> 4U], kHex[c & 0x0FU]});
    }
  }
  return out;
}

/// The nearest folder at or above the workspace that Obsidian has opened as a vault, else the
/// workspace.
fs::path obsidian_vault(const fs::path& workspace) {
  using Place = service::ObsidianRoot::Place;
  const service::ObsidianRoot root = service::find_obsidian_root(workspace);
  return root.place == Place::here || root.place == Place::above ? root.vault : workspace;
}

std::string obsidian_url(const std::string& workspace, const std::string& path) {
  const fs::path vault = obsidian_vault(workspace);
  const std::string file = (fs::path(workspace) / path).lexically_relative(vault).generic_string();
  return "obsidian://open?vault=" + percent_encoded(vault.filename().string()) +
         "&file=" + percent_encoded(file);
}

const std::string& path_to_open(const index::SessionRow& session, std::optional<Kind> wanted) {
  if (wanted) {
    return session.path(*wanted);
  }
  for (const Kind kind : {Kind::summary, Kind::compaction, Kind::transcript}) {
    if (!session.path(kind).empty()) {
      return session.path(kind);
    }
  }
  return session.path(Kind::manifest);
}

/// The program that opens links on this desktop; empty: there is none.
std::string opener() {
#ifdef __APPLE__
  return host::program_on_path("open");
#else
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") ? host::program_on_path("xdg-open")
                                                        : std::string();
#endif
}

/// Whether something was opened; what stood in the way is told.
bool open_link(const std::string& url, const Settings& settings) {
  const std::string program = opener();
  if (program.empty()) {
    say(settings, "there is no desktop here to open it on; this is the link");
    return false;
  }
  const bool opened = host::launch_program({program, url});
  if (!opened) {
    say(settings, program + " could not open the link; is Obsidian installed?");
  }
  return opened;
}

int run_open(const Options& options, const Settings& settings) {
  auto reading = open_for_reading(settings);
  if (!reading) {
    return fail(reading.error(), settings);
  }
  auto removals = reading->removals();
  const SessionArgument argument = session_argument(*reading, removals, options.session, settings);
  if (!argument.session) {
    return argument.exit_code;
  }
  const std::string& path = path_to_open(*argument.session, options.kind);
  if (path.empty()) {
    return fail({ErrorKind::usage,
                 "the session has no such file that counts",
                 {},
                 "'daybook show' lists its files."},
                settings);
  }
  const std::string url = obsidian_url(reading->vault.workspace, path);
  const bool opened = !options.print_only && open_link(url, settings);
  settings.json ? print_json(Json::object({{"url", url},
                                           {"path", path},
                                           {"session_token", argument.session->token.to_string()},
                                           {"opened", opened}}))
                : print(stdout, url + "\n");
  record_use(reading->vault,
             state::TelemetryEvent::opened,
             {{argument.session->token, argument.session->agent_id}});
  return kDone;
}

}  // namespace

void add_open(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command =
      program.add("open",
                  "Open a session's note in Obsidian",
                  ".\nPrints the obsidian:// link, and opens it where there is a desktop.");
  add_session_argument(command, options->session);
  add_kind_option(command, options->kind, "Its summary, transcript, compaction or manifest");
  command.flag("--print", options->print_only, "Only print the link");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_open(*options, settings); };
  });
}

}  // namespace daybook::cli
