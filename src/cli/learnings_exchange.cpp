// SPDX-License-Identifier: MIT
#include "cli/capture_input.hpp"
#include "cli/learnings_desk.hpp"
#include "cli/reading.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/base/printable.hpp"

#include <filesystem>
#include <memory>

namespace daybook::cli {
namespace {

constexpr mode_t kPrivate = 0600;

struct ExportOptions {
  std::string output = "memories.json";
  std::string type;
  bool force = false;
};

struct ImportOptions {
  std::string file;
  bool dry_run = false;
};

/// Whoever moves to another device would miss them only there.
int tell_left_out(const std::vector<std::string>& paths) {
  if (paths.empty()) {
    return kDone;
  }
  std::string text =
      "daybook: what follows is not in the export, because something is wrong with it or another "
      "note has its id; 'daybook check' says what. Mend it, then export again:\n";
  for (const std::string& path : paths) {
    text.append("  ").append(base::printable(path)).append("\n");
  }
  print(stderr, text);
  return kProblemsFound;
}

Result<int> export_notes(const ExportOptions& options,
                         const Settings& settings,
                         const LearningDesk& desk) {
  learn::Filter filter;
  filter.agent_id = desk.agent;
  filter.every_status = true;
  TRY_ASSIGN(filter.type, read_memory_type(options.type));
  TRY_ASSIGN(const learn::Exporting exporting, learn::what_exporting_takes(desk.desk(), filter));
  const std::string json = learn::to_json(exporting.notes);
  if (options.output == "-") {
    print(stdout, json);
    return tell_left_out(exporting.left_out);
  }
  auto written =
      base::write_file_atomically(options.output,
                                  json,
                                  options.force ? base::IfExists::replace : base::IfExists::keep,
                                  kPrivate);
  if (!written) {
    Error error = std::move(written).error();
    if (error.kind == ErrorKind::already_exists) {
      return Error{ErrorKind::usage,
                   "there is a file already",
                   options.output,
                   "Name another one with -o, or add --force to replace it."};
    }
    return error;
  }
  const std::size_t count = exporting.notes.size();
  if (settings.json) {
    print_json(Json::object(
        {{"exported", count}, {"left_out", exporting.left_out}, {"path", options.output}}));
  } else {
    print(stdout,
          "Exported " + counted(count, "note") + " to " + base::printable(options.output) + "\n");
  }
  return tell_left_out(exporting.left_out);
}

Result<std::string> read_input(const std::string& file) {
  if (file == "-") {
    return read_standard_input();
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    return Error{ErrorKind::usage,
                 "this is a folder; what is imported is one file",
                 file,
                 "'daybook learnings export' writes one."};
  }
  const std::filesystem::path path(file);
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  auto text = base::read_file(base::real_disk(), folder, path.filename().string(), kLargestInput);
  if (!text) {
    Error error = std::move(text).error();
    error.path = file;  // as it was typed, and not its last part
    if (error.hint.empty()) {
      error.hint = "Check the path, and that you may read the file.";
    }
    return error;
  }
  return text;
}

void print_import(const learn::Imported& imported, bool dry_run, const Settings& settings) {
  if (settings.json) {
    print_json(Json::object({{"written", imported.written},
                             {"known", imported.known},
                             {"blank", imported.blank},
                             {"forgotten", imported.forgotten},
                             {"refused", imported.refused},
                             {"archived", ids_of(imported.change.archived)},
                             {"dry_run", dry_run}}));
    return;
  }
  std::string text =
      std::string(dry_run ? "Would import " : "Imported ") + counted(imported.written, "note");
  const auto also = [&text](std::uint64_t count, const char* why) {
    if (count > 0) {
      text.append("; ").append(grouped(count)).append(why);
    }
  };
  also(imported.known, " known already");
  also(imported.blank, " blank");
  also(imported.forgotten, " forgotten here before");
  also(imported.refused.size(), " refused");
  print(stdout, text + "\n");
  for (const std::string& why : imported.refused) {
    print(stderr, "daybook: " + base::printable(why) + "\n");
  }
}

Result<int> import_notes(const ImportOptions& options,
                         const Settings& settings,
                         const LearningDesk& desk) {
  TRY_ASSIGN(const std::string json, read_input(options.file));
  TRY_ASSIGN(const learn::Imported imported,
             learn::import(desk.desk(),
                           desk.agent,
                           json,
                           options.dry_run ? learn::Apply::dry_run : learn::Apply::yes));
  TRY(follow_change(desk, imported.change, "daybook learnings import", Aftermath::rows, settings));
  print_import(imported, options.dry_run, settings);
  tell_archived(imported.change, settings);
  return imported.refused.empty() ? kDone : kProblemsFound;
}

}  // namespace

void add_learnings_export(const Command& learnings, Run& run) {
  auto options = std::make_shared<ExportOptions>();
  const Command command = learnings.add("export", "Write all notes into a JSON file");
  command.option("-o,--output", "FILE", options->output, "memories.json; - is standard output");
  command.option("--type", "TYPE", options->type, "semantic, episodic or procedural; only these");
  command.flag("--force", options->force, "Replace a file that is there");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) {
      return run_on_learnings(settings, state::Create::never, [&](const LearningDesk& desk) {
        return export_notes(*options, settings, desk);
      });
    };
  });
}

void add_learnings_import(const Command& learnings, Run& run) {
  auto options = std::make_shared<ImportOptions>();
  const Command command =
      learnings.add("import", "Take notes from such a file, also from InitRunner's");
  command.argument("FILE", options->file, "The file; - is standard input", Need::required);
  command.flag("--dry-run", options->dry_run, "Only say what would be taken");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) {
      return run_on_learnings(settings, state::Create::if_missing, [&](const LearningDesk& desk) {
        return import_notes(*options, settings, desk);
      });
    };
  });
}

}  // namespace daybook::cli
