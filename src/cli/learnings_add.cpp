// SPDX-License-Identifier: MIT
#include "cli/capture_input.hpp"
#include "cli/learnings_desk.hpp"
#include "cli/reading.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"

#include <charconv>
#include <memory>

namespace daybook::cli {
namespace {

struct Options {
  std::string content;
  std::string kind = "fact";
  std::string category;
  std::string scope;
  std::string expires;
  std::string metadata;
  bool sensitive = false;
};

/// `30d`, `12h`: so long from now.
std::optional<lineage::Timestamp> time_ahead(const std::string& text, lineage::Timestamp now) {
  constexpr std::int64_t kHour = 3'600'000;
  constexpr std::int64_t kMost = 36'500;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool unit = end + 1 == text.data() + text.size() && (*end == 'd' || *end == 'h');
  if (error != std::errc{} || !unit || count < 0 || count > kMost) {
    return std::nullopt;
  }
  return lineage::Timestamp{now.ms + count * (*end == 'd' ? 24 * kHour : kHour)};
}

Result<learn::NewLearning> wish_of(const Options& options, const LearningDesk& desk) {
  learn::NewLearning wanted;
  wanted.actor = learn::Actor::person;
  wanted.agent_id = desk.agent.empty() ? "default" : desk.agent;
  const auto kind = lineage::learning_kind_from_string(options.kind);
  if (!kind) {
    return Error{ErrorKind::usage,
                 base::quoted(options.kind) + " is no kind of note",
                 {},
                 "The kinds are fact, preference, decision, procedure and episode."};
  }
  wanted.kind = *kind;
  wanted.category = options.category;
  wanted.metadata = options.metadata;
  wanted.sensitivity =
      options.sensitive ? lineage::Sensitivity::sensitive : lineage::Sensitivity::scoped;
  if (!options.scope.empty()) {
    const auto scope = lineage::learning_scope_from_string(options.scope);
    if (!scope) {
      return Error{ErrorKind::usage,
                   base::quoted(options.scope) + " is no scope",
                   {},
                   "Use workspace:default, project:PATH or session:KEY."};
    }
    wanted.scope = *scope;
  }
  wanted.expires_at = time_ahead(options.expires, desk.vault.now());
  if (!wanted.expires_at && !options.expires.empty()) {
    TRY_ASSIGN(wanted.expires_at,
               read_time("--expires", options.expires, DayEdge::end, desk.vault.now()));
  }
  if (options.content == "-") {
    TRY_ASSIGN(wanted.content, read_standard_input());
  } else {
    wanted.content = options.content;
  }
  return wanted;
}

/// In the words that agents know from InitRunner.
std::string confirmation(const lineage::Learning& learning) {
  const lineage::MemoryType type = lineage::memory_type_of(learning.kind);
  return std::string(type == lineage::MemoryType::procedural ? "Learned procedure"
                     : type == lineage::MemoryType::episodic ? "Recorded episode"
                                                             : "Remembered")
             .append(" (id=")
             .append(std::to_string(learning.id)) +
         ", category=" + learning.category + ")\n";
}

/// What came of a wish that a note fulfils already.
void tell_known(const learn::Change& change, const Settings& settings) {
  const learn::Note& note = change.notes.front();
  if (change.paths.empty()) {
    say(settings, "this was remembered already, in " + note.path);
  }
  if (!change.not_changed.empty()) {
    std::string fields;
    for (const std::string& field : change.not_changed) {
      fields.append(fields.empty() ? "" : ", ").append(field);
    }
    print(stderr,
          "daybook: the note that says so already keeps its own " + fields + "; edit " +
              base::printable(note.path) + " to change that\n");
  }
}

Result<int> add_note(const Options& options, const Settings& settings, const LearningDesk& desk) {
  TRY_ASSIGN(const learn::NewLearning wanted, wish_of(options, desk));
  TRY_ASSIGN(const learn::Change change, learn::remember(desk.desk(), wanted));
  TRY(follow_change(desk, change, "daybook learnings add", Aftermath::rows, settings));
  const learn::Note& note = change.notes.front();
  if (settings.json) {
    Json answer = to_json(note);
    answer["written"] = !change.paths.empty();
    answer["archived"] = ids_of(change.archived);
    answer["not_changed"] = change.not_changed;
    print_json(answer);
  } else {
    print(stdout, confirmation(note.learning));
  }
  tell_known(change, settings);
  tell_archived(change, settings);
  return kDone;
}

}  // namespace

void add_learnings_add(const Command& learnings, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = learnings.add("add", "Remember something: one thing, in plain words");
  command.argument(
      "CONTENT", options->content, "What to remember; - reads standard input", Need::required);
  command.option("--kind",
                 "KIND",
                 options->kind,
                 "fact (the default), preference, decision, procedure or episode");
  command.option("--category", "NAME", options->category, "Any word (general)");
  command.option("--scope",
                 "SCOPE",
                 options->scope,
                 "workspace:default (the default), project:PATH or session:KEY");
  command.option("--expires", "TIME", options->expires, "Counts until then: a time, or 30d or 12h");
  command.option("--metadata", "JSON", options->metadata, "An object that is kept with it");
  command.flag("--sensitive", options->sensitive, "Keep it out of prompts, answers and MEMORY.md");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) {
      return run_on_learnings(settings, state::Create::if_missing, [&](const LearningDesk& desk) {
        return add_note(*options, settings, desk);
      });
    };
  });
}

}  // namespace daybook::cli
