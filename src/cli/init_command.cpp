// SPDX-License-Identifier: MIT
//
// `daybook init [DIR]`: a workspace from vault-template. Creates what is missing and never
// overwrites; each file is created whole or not at all.
#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "cli/vault_template.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/service/obsidian_root.hpp"

#include <cerrno>
#include <filesystem>
#include <memory>
#include <sys/stat.h>

namespace daybook::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string folder;
  bool dry_run = false;
};

struct Outcome {
  std::vector<std::string> created;
  std::vector<std::string> kept;
  std::string warning;
};

/// Says if the workspace is not the root of the Obsidian vault that it belongs to.
std::string check_vault_root(const fs::path& workspace) {
  const service::ObsidianRoot root = service::find_obsidian_root(workspace);
  const std::string mismatch = service::obsidian_root_mismatch(root);
  return mismatch.empty() ? mismatch : mismatch + " Better: daybook init " + root.vault.string();
}

Result<void> create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    Error failure = base::system_error("cannot create the folder", folder.string(), error.value());
    failure.hint = "Choose a folder that you may write to.";
    return failure;
  }
  return {};
}

Result<void> create_file(const fs::path& path, std::string_view bytes, Outcome& outcome) {
  TRY(create_folder(path.parent_path()));
  const auto written = base::write_file_atomically(path.string(), bytes, base::IfExists::keep);
  if (!written && written.error().kind == ErrorKind::already_exists) {
    outcome.kept.push_back(path.string());
    return {};
  }
  if (!written) {
    Error failure = written.error();
    failure.hint = "Check the free space and that you may write to the folder.";
    return failure;
  }
  outcome.created.push_back(path.string());
  return {};
}

Result<Outcome> make_workspace(const fs::path& workspace, bool dry_run) {
  Outcome outcome;
  std::error_code error;
  if (fs::exists(workspace, error) && !fs::is_directory(workspace, error)) {
    return Error{ErrorKind::usage,
                 "a workspace must be a folder, and this is something else",
                 workspace.string(),
                 "Name another folder."};
  }
  for (const EmbeddedFile& file : vault_template()) {
    const fs::path path = workspace / std::string(file.path);
    if (dry_run) {
      const bool there = fs::exists(fs::symlink_status(path, error));
      (there ? outcome.kept : outcome.created).push_back(path.string());
      continue;
    }
    TRY(create_file(path, file.bytes, outcome));
  }
  outcome.warning = check_vault_root(workspace);
  return outcome;
}

void tell(const Outcome& outcome, const fs::path& workspace, const Options& options) {
  std::string text;
  for (const std::string& path : outcome.created) {
    text += (options.dry_run ? "would create  " : "created  ") + base::printable(path) + "\n";
  }
  for (const std::string& path : outcome.kept) {
    text += "kept     " + base::printable(path) + " (was there)\n";
  }
  if (!options.dry_run) {
    text += "The workspace is ready: " + base::printable(workspace.string()) +
            "\nNext: daybook --workspace " + base::printable(workspace.string()) + " reindex\n";
  }
  print(stdout, text);
}

void tell_json(const Outcome& outcome, const fs::path& workspace, const Options& options) {
  print_json(Json::object({{"workspace", workspace.string()},
                           {"dry_run", options.dry_run},
                           {"created", outcome.created},
                           {"kept", outcome.kept},
                           {"warning", outcome.warning}}));
}

int run_init(const Options& options, const Settings& settings) {
  const std::string chosen = options.folder.empty() ? chosen_workspace(settings) : options.folder;
  std::error_code error;
  const fs::path workspace = fs::weakly_canonical(fs::absolute(chosen, error), error);
  const auto outcome = make_workspace(workspace, options.dry_run);
  if (!outcome) {
    return fail(outcome.error(), settings);
  }
  if (!outcome->warning.empty()) {
    print(stderr, "daybook: warning: " + base::printable(outcome->warning) + "\n");
  }
  if (settings.json) {
    tell_json(*outcome, workspace, options);
  } else if (settings.loudness != Loudness::quiet) {
    tell(*outcome, workspace, options);
  }
  return kDone;
}

}  // namespace

void add_init(const Command& program, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = program.add("init",
                                      "Make a workspace, or add to a vault what it lacks of one",
                                      ".\nNever overwrites a file that is there.");
  command.argument("DIR", options->folder, "The folder (default: the workspace)", Need::optional);
  command.flag("-n,--dry-run", options->dry_run, "Only say what would be created");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_init(*options, settings); };
  });
}

}  // namespace daybook::cli
