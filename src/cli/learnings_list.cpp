// SPDX-License-Identifier: MIT
#include "cli/learnings_desk.hpp"
#include "cli/reading.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"

#include <algorithm>
#include <memory>

namespace daybook::cli {
namespace {

constexpr std::size_t kUsualLimit = 20;
constexpr std::size_t kMostLimit = 10'000;

struct Options {
  std::string type;
  std::string category;
  std::optional<std::size_t> limit;
  bool all = false;
};

void print_list(const std::vector<learn::Note>& notes,
                std::size_t limit,
                const Settings& settings) {
  const std::size_t count = std::min(limit, notes.size());
  if (settings.json) {
    Json list = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
      list.push_back(to_json(notes[i]));
    }
    print_json(Json::object({{"learnings", std::move(list)}, {"total", notes.size()}}));
    return;
  }
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const lineage::Learning& learning = notes[i].learning;
    text.append(line_of(notes[i]));
    if (learning.status != lineage::LearningStatus::active) {
      text.append(" (").append(to_string(learning.status)).append(")");
    }
    text.append("\n");
  }
  print(stdout, text);
  if (count < notes.size()) {
    say(settings, grouped(notes.size() - count) + " more; raise --limit to see them");
  }
}

Result<int> list_notes(const Options& options, const Settings& settings, const LearningDesk& desk) {
  learn::Filter filter;
  filter.agent_id = desk.agent;
  filter.every_status = true;
  TRY_ASSIGN(filter.type, read_memory_type(options.type));
  if (!options.category.empty()) {
    filter.category = lineage::learning_category(options.category);
  }
  TRY_ASSIGN(auto notes, learn::list(desk.desk(), filter));
  const bool narrowed = filter.type || !filter.category.empty();
  std::string none = narrowed || !notes.empty() ? "No memories found." : "No memories stored yet.";
  std::size_t waiting = 0;
  if (!options.all) {
    waiting = static_cast<std::size_t>(std::count_if(notes.begin(), notes.end(), [](const auto& n) {
      return n.learning.status == lineage::LearningStatus::provisional;
    }));
    const lineage::Timestamp now = desk.vault.now();
    std::erase_if(notes, [now](const learn::Note& note) { return !note.learning.is_shown(now); });
  }
  print_list(notes, options.limit.value_or(kUsualLimit), settings);
  if (waiting > 0) {
    say(settings,
        counted(waiting, "note") +
            " of agents to approve with 'daybook learnings approve'; --all shows which");
  }
  if (notes.empty()) {
    say(settings, none);
    return kProblemsFound;
  }
  return kDone;
}

int run_list(const Options& options, const Settings& settings) {
  const auto vault = open_vault(settings, state::Create::never);
  if (!vault && vault.error().kind == ErrorKind::not_found) {
    print_list({}, kUsualLimit, settings);
    say(settings, "No memories stored yet.");
    return kProblemsFound;
  }
  return run_on_learnings(settings, state::Create::never, [&](const LearningDesk& desk) {
    return list_notes(options, settings, desk);
  });
}

std::string field(std::string_view name, std::string_view value) {
  return std::string(name).append(": ").append(base::printable(value)).append("\n");
}

void print_note(const learn::Note& note) {
  const lineage::Learning& learning = note.learning;
  std::string text = field("id", std::to_string(learning.id));
  text += field("kind", to_string(learning.kind));
  text += field("category", learning.category);
  text += field("agent", learning.agent_id);
  text += field("scope", lineage::to_string(learning.scope));
  text += field("status", to_string(learning.status));
  text += field("origin", to_string(learning.origin));
  text += field("sensitivity", to_string(learning.sensitivity));
  text += field("created", lineage::to_string(learning.created_at));
  text += field("updated", lineage::to_string(learning.updated_at));
  if (learning.expires_at) {
    text += field("expires", lineage::to_string(*learning.expires_at));
  }
  if (learning.revoked_at) {
    text += field("revoked", lineage::to_string(*learning.revoked_at));
    text += field("reason", learning.revoked_reason);
  }
  if (!learning.metadata.empty()) {
    text += field("metadata", learning.metadata);
  }
  text += field("revision", std::to_string(learning.revision));
  text += field("path", note.path) + "\n";
  std::string_view rest = learning.content;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text.append(base::printable(rest.substr(0, end))).append("\n");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  print(stdout, text);
}

/// A note that is wrong is not shown, but somebody who asks for it is told where it is.
Result<void> check_not_wrong(const LearningDesk& desk, const std::string& text) {
  TRY_ASSIGN(const std::uint64_t id, read_learning_id(text));
  const auto paths = learn::what_forgetting_takes(desk.desk(), {desk.agent, id});
  if (!paths) {
    return {};
  }
  return Error{
      ErrorKind::usage,
      "the note with the id " + text + " has something wrong with it, so it does not count",
      paths->front(),
      "'daybook check' says what; mend it, then it is shown."};
}

/// The whole id, or the beginning of only one.
Result<learn::Note> the_note(const LearningDesk& desk, const std::string& text) {
  TRY(read_learning_id(text));
  learn::Filter filter;
  filter.agent_id = desk.agent;
  filter.every_status = true;
  TRY_ASSIGN(const auto notes, learn::list(desk.desk(), filter));
  std::vector<const learn::Note*> found;
  for (const learn::Note& note : notes) {
    const std::string id = std::to_string(note.learning.id);
    if (id == text) {
      found.insert(found.begin(), &note);
    } else if (id.starts_with(text)) {
      found.push_back(&note);
    }
  }
  const bool exact = !found.empty() && std::to_string(found.front()->learning.id) == text;
  const bool one_agent =
      found.size() < 2 || std::to_string(found[1]->learning.id) != text || !exact;
  if (found.empty()) {
    TRY(check_not_wrong(desk, text));
    return Error{ErrorKind::usage,
                 "no note has an id that begins with " + text,
                 {},
                 "'daybook learnings list --all' names those that are there."};
  }
  if (!one_agent || (!exact && found.size() > 1)) {
    return Error{ErrorKind::usage,
                 std::to_string(found.size()) + " notes have an id that begins with " + text,
                 {},
                 one_agent ? "Write more of it." : "Name the agent with --agent."};
  }
  return *found.front();
}

int run_show(const std::string& id, const Settings& settings) {
  return run_on_learnings(
      settings, state::Create::never, [&](const LearningDesk& desk) -> Result<int> {
        TRY_ASSIGN(const learn::Note note, the_note(desk, id));
        if (settings.json) {
          print_json(to_json(note));
        } else {
          print_note(note);
        }
        return kDone;
      });
}

}  // namespace

void add_learnings_list(const Command& learnings, Run& run) {
  auto options = std::make_shared<Options>();
  const Command command = learnings.add("list", "What is remembered, newest first");
  command.option("--type", "TYPE", options->type, "semantic, episodic or procedural");
  command.option("--category", "NAME", options->category, "Only of this category");
  add_limit_option(command, options->limit, 1, kMostLimit, "At most so many (20)");
  command.flag("--all", options->all, "Of every status, and what expired or is sensitive");
  command.when_given([&run, options] {
    run = [options](const Settings& settings) { return run_list(*options, settings); };
  });
}

void add_learnings_show(const Command& learnings, Run& run) {
  auto id = std::make_shared<std::string>();
  const Command command = learnings.add("show", "One note, with all its fields");
  command.argument("ID", *id, "Its id, or the beginning of it", Need::required);
  command.when_given(
      [&run, id] { run = [id](const Settings& settings) { return run_show(*id, settings); }; });
}

}  // namespace daybook::cli
