// SPDX-License-Identifier: MIT
#include "cli/mcp_install.hpp"

#include "cli/answer.hpp"
#include "cli/reading.hpp"
#include "cli/settings_file.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/harness/mcp_settings.hpp"
#include "daybook/harness/session_list.hpp"
#include "daybook/host/this_program.hpp"
#include "daybook/projection/memory_md.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace daybook::cli {
namespace {

constexpr const char* kReadOnly = "--read-only";

struct Options {
  std::string client;
  std::string settings_file;
  bool project = false;
  bool read_only = false;
  bool dry_run = false;
  bool force = false;
};

std::string environment(const char* name) {
  return harness::process_environment(name).value_or("");
}

std::string in_home(const std::string& path) { return environment("HOME") + "/" + path; }

/// Of the user, or of the project in the folder where one is.
std::string usual_file(const Options& options) {
  if (options.project) {
    const std::string here = std::filesystem::current_path().string() + "/";
    return here + (options.client == "claude-code" ? ".mcp.json"
                   : options.client == "cursor"    ? ".cursor/mcp.json"
                                                   : ".vscode/mcp.json");
  }
  if (options.client == "claude-code") {
    const std::string folder = environment("CLAUDE_CONFIG_DIR");
    return folder.empty() ? in_home(".claude.json") : folder + "/.claude.json";
  }
  if (options.client == "cursor") {
    return in_home(".cursor/mcp.json");
  }
#ifdef __APPLE__
  return in_home("Library/Application Support/Code/User/mcp.json");
#else
  const std::string config = environment("XDG_CONFIG_HOME");
  return (config.starts_with('/') ? config : in_home(".config")) + "/Code/User/mcp.json";
#endif
}

Result<std::string> chosen_file(const Options& options) {
  if (options.client != "claude-code" && options.client != "cursor" && options.client != "vscode") {
    return Error{ErrorKind::usage,
                 "it is not known where " + base::quoted(options.client) + " keeps its servers",
                 {},
                 "Use claude-code, cursor or vscode; for others docs/MCP.md shows the entry."};
  }
  if (options.settings_file.empty() && !options.project && environment("HOME").empty()) {
    return Error{ErrorKind::usage,
                 "there is no place for the user's settings: HOME is not set",
                 {},
                 "Name the file with --settings FILE, or use --project."};
  }
  return real_settings_path(options.settings_file.empty() ? usual_file(options)
                                                          : options.settings_file);
}

/// Two agents' servers stand side by side.
Result<harness::McpServer> server_of(const Options& options, const Settings& settings) {
  TRY_ASSIGN(const std::string agent, chosen_agent(settings));
  harness::McpServer server;
  server.list = options.client == "vscode" ? "servers" : "mcpServers";
  server.name =
      agent.empty() || agent == projection::kDefaultAgent ? "daybook" : "daybook-" + agent;
  return server;
}

struct Edit {
  std::string path;
  std::string name;
  std::string before;
  std::string after;
  std::vector<std::string> replaced;  ///< the words of the command that was started before
};

enum class Deed : std::uint8_t { install, uninstall };

std::string spoken(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text.append(text.empty() ? "" : " ").append(word);
  }
  return text.empty() ? std::string("no local command") : text;
}

/// An entry of our name that somebody else has made is not ours to change or take.
Result<void> look_at_entry(const Options& options,
                           const harness::McpServer& server,
                           const std::string& settings,
                           Edit& edit) {
  TRY_ASSIGN(const auto entry, harness::entry_in(settings, server));
  if (!entry) {
    return {};
  }
  if (!entry->is_ours && !options.force) {
    return Error{ErrorKind::usage,
                 "the server " + base::quoted(server.name) +
                     " that is there starts something else: " + base::quoted(spoken(entry->words)),
                 {},
                 "Nothing was changed. Rename that entry, or add --force to have it all the same."};
  }
  edit.replaced = entry->words;
  return {};
}

Result<std::string> edited(const harness::McpServer& server, const std::string& text, Deed deed) {
  return deed == Deed::install ? harness::with_server(text, server)
                               : harness::without_server(text, server);
}

/// Taken out by its name, whatever workspace it is for, also where there is none any more.
Result<harness::McpServer> unwanted_server(const Options& options, const Settings& settings) {
  TRY_ASSIGN(harness::McpServer server, server_of(options, settings));
  TRY_ASSIGN(server.command, host::this_program());
  return server;
}

Result<harness::McpServer> wanted_server(const Options& options, const Settings& settings) {
  TRY_ASSIGN(harness::McpServer server, server_of(options, settings));
  TRY_ASSIGN(auto words, program_words(settings));
  server.command = words.front();
  server.arguments.assign(words.begin() + 1, words.end());
  server.arguments.emplace_back("mcp");
  if (options.read_only) {
    server.arguments.emplace_back(kReadOnly);
  }
  return server;
}

Result<Edit> edit_file(const Options& options, const Settings& settings, Deed deed) {
  Edit edit;
  TRY_ASSIGN(edit.path, chosen_file(options));
  TRY_ASSIGN(const harness::McpServer server,
             deed == Deed::install ? wanted_server(options, settings)
                                   : unwanted_server(options, settings));
  TRY_ASSIGN(const auto there, read_settings_file(edit.path));
  edit.name = server.name;
  edit.before = there.value_or("");
  // A file that was there stays there when the server goes: only one that was made for it may go.
  const bool blank = there && edit.before.find_first_not_of(" \t\r\n") == std::string::npos;
  const std::string text = blank && deed == Deed::install ? std::string("{}\n") : edit.before;
  const auto looked = look_at_entry(options, server, text, edit);
  auto after = looked ? edited(server, text, deed) : Result<std::string>(looked.error());
  if (!after) {
    after.error().path = edit.path;
    return std::move(after).error();
  }
  edit.after = std::move(*after);
  if (edit.after == edit.before || deed == Deed::uninstall) {
    edit.replaced.clear();
  }
  if (!options.dry_run && edit.after != edit.before) {
    TRY(write_settings_file(edit.path, edit.after));
  }
  return edit;
}

/// What an install has put in the place of an earlier one.
void tell_replaced(const Options& options, const Edit& edit, const Settings& settings) {
  if (edit.replaced.empty()) {
    return;
  }
  say(settings, "it was started as: " + base::printable(spoken(edit.replaced)));
  const bool was_read_only =
      std::find(edit.replaced.begin(), edit.replaced.end(), kReadOnly) != edit.replaced.end();
  if (was_read_only && !options.read_only) {
    say(settings, "it was read-only, and may write from now on; --read-only keeps it as it was");
  }
}

int answer(const Options& options, const Settings& settings, Deed deed) {
  const auto edit = edit_file(options, settings, deed);
  if (!edit) {
    return fail(edit.error(), settings);
  }
  const bool changed = edit->after != edit->before;
  if (settings.json) {
    print_json(Json::object({{"settings_file", edit->path},
                             {"server", edit->name},
                             {"changed", changed},
                             {"replaced", edit->replaced},
                             {"dry_run", options.dry_run},
                             {"text", edit->after}}));
    return kDone;
  }
  const std::string path = base::printable(edit->path);
  tell_replaced(options, *edit, settings);
  if (options.dry_run && changed) {
    print(stderr, "daybook: would write " + path + ":\n");
    print(stdout, edit->after);
    return kDone;
  }
  const bool installs = deed == Deed::install;
  print(stdout,
        "The server " + base::printable(edit->name) +
            (changed    ? installs ? " is in " : " is gone from "
             : installs ? " was there already: nothing was changed in "
                        : " was not in ") +
            path + ".\n");
  return kDone;
}

void add_deed(const Command& mcp,
              Run& run,
              const char* name,
              const char* summary,
              const char* more,
              Deed deed) {
  auto options = std::make_shared<Options>();
  const Command command = mcp.add(name, summary, more);
  command.argument("CLIENT", options->client, "claude-code, cursor or vscode.", Need::required);
  command.flag("--project",
               options->project,
               "Of the project in this folder, not of the user: .mcp.json, .cursor/mcp.json, "
               ".vscode/mcp.json.");
  command.option("--settings", "FILE", options->settings_file, "Another file than the usual one.");
  if (deed == Deed::install) {
    command.flag("--read-only", options->read_only, "Let the server write nothing.");
  }
  command.flag("--force",
               options->force,
               "Also where the entry of that name starts something else than Daybook.");
  command.flag("--dry-run", options->dry_run, "Show the file as it would be; write nothing.");
  command.when_given([options, deed, &run] {
    run = [options, deed](const Settings& settings) { return answer(*options, settings, deed); };
  });
}

}  // namespace

void add_mcp_install(const Command& mcp, Run& run) {
  add_deed(mcp,
           run,
           "install",
           "Let a client start the server",
           "\nAdds it to the client's settings, with the workspace and agent that are chosen here."
           "\nEverything else in the file stays as it is, also in an entry that is there already.",
           Deed::install);
  add_deed(mcp,
           run,
           "uninstall",
           "Take the server out of a client's settings",
           "\nEverything else in the file stays as it is.",
           Deed::uninstall);
}

}  // namespace daybook::cli
