// SPDX-License-Identifier: MIT
#include "cli/app.hpp"

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/log.hpp"
#include "daybook/base/nearest.hpp"
#include "daybook/version.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <map>
#include <sys/stat.h>

namespace daybook::cli {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done; 1 problems were found; 2 wrong usage or configuration; 3 busy;\n"
    "4 no workspace here; 5 I/O failure; 130 stopped by Ctrl-C.\n"
    "'daybook COMMAND --help' tells more; so does the man page daybook(1).";

constexpr const char* kCommandFooter =
    "Every command also takes --workspace, --agent, --json, --color and more: 'daybook --help'.";

/// The command or option that was probably meant, or an empty string.
std::string probably_meant(const CLI::App& app, const std::string& given) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      known.push_back(option->get_name());
    }
  }
  for (const CLI::Option* option : app.get_options()) {
    known.push_back(option->get_name());
  }
  return base::nearest(given, known);
}

/// The command that was begun, if any.
std::string command_of(const CLI::App& app) {
  const auto begun = app.get_subcommands();
  return begun.empty() ? std::string() : begun.front()->get_name();
}

/// The words that name the command with this option: this one, or one below it, of which those that
/// were begun come first. Else an empty string.
std::string owner_of(const CLI::App& command, const std::string& option) {
  if (command.get_option_no_throw(option) != nullptr) {
    return command.get_name();
  }
  std::vector<const CLI::App*> below =
      command.get_subcommands([](const CLI::App*) { return true; });
  const auto begun = command.get_subcommands();
  below.insert(below.begin(), begun.begin(), begun.end());
  for (const CLI::App* one : below) {
    if (const std::string owner = owner_of(*one, option); !owner.empty()) {
      return command.get_parent() == nullptr ? owner : command.get_name() + " " + owner;
    }
  }
  return {};
}

/// A command that has this very option, by its words.
std::string command_with(const CLI::App& app, const std::string& given) {
  return given.starts_with('-') ? owner_of(app, given.substr(0, given.find('='))) : std::string();
}

std::string what_of(const CLI::ParseError& problem) {
  std::string what = problem.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) == nullptr) {
    return what;
  }
  // "--wait: 1 required TEXT missing", or "At Most" one where two were given
  const bool is_missing = what.ends_with("missing");
  return what.substr(0, what.find(':')) + (is_missing ? " needs a value" : " is given twice");
}

std::string unknown(const std::string& word, const std::string& command) {
  if (word.starts_with('-')) {
    return "there is no option '" + word + "'";
  }
  return command.empty() ? "there is no command '" + word + "'"
                         : "'daybook " + command + "' takes no argument '" + word + "'";
}

Error usage_error(const CLI::App& app, const CLI::ParseError& problem) {
  const std::string command = command_of(app);
  Error error{ErrorKind::usage,
              what_of(problem),
              {},
              "Try 'daybook " + (command.empty() ? "" : command + " ") + "--help'."};
  std::vector<std::string> extras = app.remaining(true);
  if (!extras.empty()) {
    const std::string& word = extras.front();
    if (const std::string owner = command_with(app, word); !owner.empty()) {
      const bool of_another =
          !command.empty() && owner != command && !owner.starts_with(command + " ");
      error.message =
          "'" + word + "' is an option of 'daybook " + owner + "'" +
          (of_another ? ", not of 'daybook " + command + "'" : ", and stands behind it");
      return error;
    }
    error.message = unknown(word, command);
    if (const std::string meant = probably_meant(app, word); !meant.empty()) {
      error.hint = "Did you mean '" + meant + "'? " + error.hint;
    }
  }
  return error;
}

ColorChoice color_from(const std::string& name) {
  static const std::map<std::string, ColorChoice> choices{{"auto", ColorChoice::automatic},
                                                          {"always", ColorChoice::always},
                                                          {"never", ColorChoice::never}};
  const auto found = choices.find(name);
  if (found == choices.end()) {
    throw CLI::ValidationError("--color takes auto, always or never, not '" + name + "'");
  }
  return found->second;
}

void add_global_options(CLI::App& app, Settings& settings, std::string& now) {
  app.add_option("--workspace",
                 settings.workspace,
                 "The vault's root folder (else $DAYBOOK_WORKSPACE, $SIGNET_WORKSPACE, ~/.agents)")
      ->option_text("DIR");
  app.add_option("--state-dir",
                 settings.state_dir,
                 "Where commands that keep state keep it (else below $XDG_STATE_HOME/daybook)")
      ->option_text("DIR");
  app.add_option("--agent", settings.agent, "Only what concerns this agent")
      ->option_text("ID")
      ->check([](const std::string& agent) {
        // An empty one would mean every agent, which nobody asks for who names one.
        return std::string(agent.empty() ? "needs a value" : "");
      });
  app.add_flag("--json", settings.json, "Answer as one JSON object, errors included");
  auto* quiet = app.add_flag_callback(
      "-q,--quiet",
      [&settings] { settings.loudness = Loudness::quiet; },
      "Only the answer: no progress bar, no friendly words");
  app.add_flag_callback(
         "-v,--verbose",
         [&settings] { settings.loudness = Loudness::verbose; },
         "Log what is done on stderr")
      ->excludes(quiet);
  app.add_option_function<std::string>(
         "--color",
         [&settings](const std::string& name) { settings.color = color_from(name); },
         "auto, always or never; NO_COLOR is honoured")
      ->option_text("WHEN");
  app.add_option("--now", now, "Take this RFC 3339 time for the present")->option_text("TIME");
}

/// Whether errors are to be JSON, asked before the arguments could be understood.
bool wants_json(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
}

Result<void> apply_now(Settings& settings, const std::string& now) {
  if (now.empty()) {
    return {};
  }
  settings.now = lineage::parse_timestamp(now);
  if (!settings.now) {
    return Error{ErrorKind::usage,
                 "--now takes an RFC 3339 time with Z or an offset, not '" + now + "'",
                 {},
                 "Such as --now 2026-03-28T22:34:06Z."};
  }
  return {};
}

int dispatch(int argc, const char* const* argv) {
  Settings settings;
  std::string now;
  Run command;
  CLI::App app("Daybook keeps an agent's memory as plain markdown, and keeps it honest.",
               "daybook");
  app.set_version_flag("--version", std::string("daybook ") + kVersion);
  app.footer(kFooter);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.fallthrough();
  app.require_subcommand(0, 1);
  add_global_options(app, settings, now);
  const Command program(app);
  add_check(program, command);
  add_watch(program, command);
  add_reindex(program, command);
  add_capture(program, command);
  add_hook(program, command);
  add_import(program, command);
  add_sanitize(program, command);
  add_remove(program, command);
  add_unremove(program, command);
  add_accept(program, command);
  add_conflicts(program, command);
  add_render(program, command);
  add_status(program, command);
  add_doctor(program, command);
  add_log(program, command);
  add_show(program, command);
  add_open(program, command);
  add_search(program, command);
  add_recall(program, command);
  add_context(program, command);
  add_policy(program, command);
  add_learnings(program, command);
  add_mcp(program, command);
  add_links(program, command);
  add_service(program, command);
  add_config(program, command);
  add_init(program, command);
  add_completion(program, command);
  for (CLI::App* added : app.get_subcommands([](const CLI::App*) { return true; })) {
    added->footer(kCommandFooter);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& problem) {
    settings.json = wants_json(argc, argv) && !is_hook_call(argc, argv);
    return fail(usage_error(app, problem), settings);
  }
  if (auto applied = apply_now(settings, now); !applied) {
    return fail(applied.error(), settings);
  }
  if (!command) {
    if (settings.json) {
      return fail({ErrorKind::usage, "no command was given", {}, "Try 'daybook --help'."},
                  settings);
    }
    print(stderr, app.help());
    return kWrongUsage;
  }
  if (settings.loudness == Loudness::verbose) {
    base::set_log_level(base::LogLevel::debug);
  }
  return command(settings);
}

/// A umask that takes rights from the owner would let us make files that we cannot read, or not
/// private ones as they are meant. What it takes from others is heeded.
void keep_rights_of_owner() {
  constexpr mode_t kOthers = 077;
  ::umask(::umask(kOthers) & kOthers);
}

}  // namespace

int run(int argc, const char* const* argv) {
  keep_rights_of_owner();
  try {
    if (is_hook_call(argc, argv)) {
      // One that has heard enough closes its end, even while the last of it is flushed at exit.
      std::signal(SIGPIPE, SIG_IGN);
    }
    const int code = dispatch(argc, argv);
    if (is_hook_call(argc, argv)) {
      return kDone;  // 2 would block the harness, and it cannot help anyway
    }
    // An answer that could not be written is no answer: a full disk or a closed pipe.
    if (const auto out = flush_answer(); !out) {
      return fail(out.error(), {});
    }
    return code;
  } catch (const std::exception& unexpected) {
    return fail({ErrorKind::io,
                 std::string("something unexpected happened: ") + unexpected.what(),
                 {},
                 "Nothing is known to be lost. Please report this with the command you typed."},
                {});
  }
}

}  // namespace daybook::cli
