// SPDX-License-Identifier: MIT
#include "cli/hook_install.hpp"

#include "cli/answer.hpp"
#include "cli/settings_file.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/harness/hook_settings.hpp"
#include "daybook/harness/session_list.hpp"

#include <algorithm>
#include <memory>

namespace daybook::cli {
namespace {

struct Options {
  std::string harness;
  std::string settings_file;
  bool dry_run = false;
};

Result<std::string> settings_path(const Options& options) {
  if (!options.settings_file.empty()) {
    return real_settings_path(options.settings_file);
  }
  TRY_ASSIGN(const std::string home, harness::home_folder(harness::Format::claude_code));
  return real_settings_path(home + "/settings.json");
}

/// As a shell reads it: in quotes if there is anything but plain letters in it.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+=:@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted.append(c == '\'' ? "'\\''" : std::string(1, c));
  }
  return quoted.append("'");
}

/// What the harness is to call, with everything that was chosen here.
Result<std::string> hook_command(const Options& options, const Settings& settings) {
  TRY_ASSIGN(const auto words, program_words(settings));
  std::string command;
  for (const std::string& word : words) {
    command.append(command.empty() ? "" : " ").append(shell_word(word));
  }
  return command + " hook " + options.harness;
}

struct Edit {
  std::string path;
  std::string before;
  std::string after;
  std::vector<std::string> replaced;  // commands of ours that were there, and are not any more
};

Result<void> check_harness(const std::string& name) {
  if (name == "claude-code") {
    return {};
  }
  return Error{ErrorKind::usage,
               "there are no hooks for " + base::quoted(name),
               {},
               "Use claude-code. The history of others comes in with 'daybook import'."};
}

using EditText = std::function<Result<std::string>(const std::string& before)>;

Result<Edit> edit_settings(const Options& options, const EditText& edit) {
  TRY(check_harness(options.harness));
  Edit done;
  TRY_ASSIGN(done.path, settings_path(options));
  TRY_ASSIGN(const auto there, read_settings_file(done.path));
  done.before = there.value_or("");
  // A file that was there stays there when the hooks go: only one that they made may go with them.
  const bool blank = there && done.before.find_first_not_of(" \t\r\n") == std::string::npos;
  auto after = edit(blank ? std::string("{}\n") : done.before);
  if (!after) {
    after.error().path = done.path;
    return std::move(after).error();
  }
  done.after = std::move(after).value();
  if (blank && done.after == "{}\n") {
    done.after = done.before;
  }
  const auto kept = harness::our_hooks(done.after);
  for (std::string& command : harness::our_hooks(done.before)) {
    if (!kept.empty() && std::find(kept.begin(), kept.end(), command) == kept.end()) {
      done.replaced.push_back(std::move(command));
    }
  }
  if (!options.dry_run && done.after != done.before) {
    TRY(write_settings_file(done.path, done.after));
  }
  return done;
}

int answer(const Options& options,
           const Settings& settings,
           const Result<Edit>& edit,
           const char* done_word,
           const char* already) {
  if (!edit) {
    return fail(edit.error(), settings);
  }
  const bool changed = edit->after != edit->before;
  if (settings.json) {
    print_json(Json::object({{"settings_file", edit->path},
                             {"changed", changed},
                             {"dry_run", options.dry_run},
                             {"replaced", edit->replaced},
                             {"text", edit->after}}));
    return kDone;
  }
  for (const std::string& command : edit->replaced) {
    print(stderr,
          std::string("daybook: ") + (options.dry_run ? "would replace" : "replaced") +
              " the hook " + base::printable(command) + "\n");
  }
  if (options.dry_run && changed) {
    print(stderr, "daybook: would write " + base::printable(edit->path) + ":\n");
    print(stdout, edit->after);
    return kDone;
  }
  print(stdout, std::string(changed ? done_word : already) + base::printable(edit->path) + ".\n");
  return kDone;
}

Options& declare(const Command& command, const std::shared_ptr<Options>& options) {
  command.argument("HARNESS", options->harness, "claude-code.", Need::required);
  command.option("--settings",
                 "FILE",
                 options->settings_file,
                 "Another settings file than the user's, such as a project's.");
  command.flag("--dry-run", options->dry_run, "Show the file as it would be; write nothing.");
  return *options;
}

}  // namespace

void add_hook_install(const Command& hook, Run& run) {
  auto options = std::make_shared<Options>();
  const Command install =
      hook.add("install",
               "Let a harness call the hooks",
               "\nAdds a line to its settings for SessionStart, PreCompact, PostCompact and"
               "\nSessionEnd. Everything else in the file stays as it is.");
  declare(install, options);
  install.when_given([options, &run] {
    run = [options](const Settings& settings) {
      const auto edit =
          edit_settings(*options, [&](const std::string& before) -> Result<std::string> {
            TRY_ASSIGN(const std::string command, hook_command(*options, settings));
            return harness::with_hooks(before, command);
          });
      return answer(*options,
                    settings,
                    edit,
                    "Hooks are in ",
                    "Hooks were there already: nothing was changed in ");
    };
  });
  auto undo = std::make_shared<Options>();
  const Command uninstall = hook.add("uninstall",
                                     "Take the hooks out of a harness's settings",
                                     "\nEverything else in the file stays as it is.");
  declare(uninstall, undo);
  uninstall.when_given([undo, &run] {
    run = [undo](const Settings& settings) {
      const auto edit = edit_settings(*undo, [](const std::string& before) -> Result<std::string> {
        return before.empty() ? Result(before) : harness::without_hooks(before);
      });
      return answer(
          *undo, settings, edit, "Hooks are gone from ", "There were no hooks of Daybook's in ");
    };
  });
}

}  // namespace daybook::cli
