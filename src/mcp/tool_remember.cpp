// SPDX-License-Identifier: MIT
//
// remember, learn_procedure and record_episode: one deed for three kinds of memories.
#include "mcp/all_tools.hpp"
#include "mcp/arguments.hpp"
#include "mcp/learning_access.hpp"
#include "mcp/pass.hpp"
#include "mcp/schema_words.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace daybook::mcp {
namespace {

using lineage::LearningKind;

constexpr int kLongestCategory = 100;
constexpr int kLongestProject = 500;
constexpr std::array<std::string_view, 3> kSemanticKinds{"fact", "preference", "decision"};

learn::NewLearning wish_of(const Call& call, LearningKind kind) {
  learn::NewLearning wish;
  wish.actor = learn::Actor::agent;
  wish.agent_id = call.memory.agent();
  wish.kind = kind;
  if (const std::string named = text_argument(call.arguments, "kind"); !named.empty()) {
    wish.kind = lineage::learning_kind_from_string(named).value_or(kind);
  }
  wish.content = text_argument(call.arguments, "content");
  wish.category = text_argument(call.arguments, "category");
  if (const std::string project = text_argument(call.arguments, "project"); !project.empty()) {
    wish.scope = {lineage::ScopeKind::project, project};
  }
  return wish;
}

/// Of what waits for a person.
std::string words_of_waiting(const lineage::Learning& learning, bool revoked_before) {
  if (learning.status != lineage::LearningStatus::provisional) {
    return {};
  }
  const std::string why =
      revoked_before ? " The user has revoked a memory that says the same, so this one waits: it"
                     : " It";
  return why + " counts once the user has approved it: daybook learnings approve " +
         std::to_string(learning.id) + ".";
}

std::string words_of(const learn::Change& change, bool is_indexed) {
  const lineage::Learning& learning = change.notes.front().learning;
  const std::string name = std::string(to_string(lineage::memory_type_of(learning.kind))) +
                           " memory (id: " + std::to_string(learning.id) +
                           ", category: " + learning.category + ")";
  if (change.paths.empty()) {
    return "This is known already: " + name + ". Nothing was written." +
           words_of_waiting(learning, change.revoked_before);
  }
  std::string words = "Stored " + name + "." + words_of_waiting(learning, change.revoked_before);
  if (!change.archived.empty()) {
    words += " There were too many, so " + std::to_string(change.archived.size()) +
             " older one(s) of this type were archived.";
  }
  if (!is_indexed) {
    words +=
        " The index could not follow just now: it does with the next pass, or when the user "
        "runs 'daybook reindex'.";
  }
  return words;
}

Result<ToolAnswer> store(const Call& call, LearningKind kind) {
  TRY_ASSIGN(const auto folder, call.memory.folder());
  TRY_ASSIGN(const auto config, call.memory.config());
  const learn::Desk desk = desk_of(call, folder, config);
  const learn::NewLearning wish = wish_of(call, kind);
  TRY_ASSIGN(const learn::Change change,
             patiently(call, [&] { return learn::remember(desk, wish); }));
  // The note stands. Whatever keeps the index from following is no failure of this call, or a model
  // would store it once more: it follows with the next pass.
  const bool is_indexed = change.paths.empty() || follow_notes(call, folder, change.paths).ok();
  Json archived = Json::array();
  for (const learn::Note& note : change.archived) {
    archived.push_back(note.learning.id);
  }
  return ToolAnswer{words_of(change, is_indexed),
                    Json::object({{"memory", learning_json(change.notes.front())},
                                  {"known_already", change.paths.empty()},
                                  {"revoked_before", change.revoked_before},
                                  {"archived", std::move(archived)},
                                  {"indexed", is_indexed}})};
}

Tool storing_tool(std::string name,
                  std::string title,
                  std::string description,
                  std::string_view content,
                  LearningKind kind) {
  Json input = Json::object(
      {{"content", text_schema(content, lineage::kLongestLearning, 1)},
       {"category",
        text_schema("A word to find it by, such as build or style (general)", kLongestCategory)},
       {"project",
        text_schema("Path of the only project that it is about; without it, it is about all of "
                    "the user's work",
                    kLongestProject)}});
  if (kind == LearningKind::fact) {
    input["kind"] = choice_schema("What it is (fact)", kSemanticKinds);
  }
  Json output = Json::object({{"memory", learning_schema()},
                              {"known_already", typed("boolean")},
                              {"revoked_before", typed("boolean")},
                              {"archived", list_of(typed("integer"))},
                              {"indexed", typed("boolean")}});
  return {std::move(name),
          std::move(title),
          std::move(description),
          Effect::adds,
          true,
          object_schema(std::move(input), {"content"}),
          answer_schema(std::move(output)),
          [kind](const Call& call) { return store(call, kind); }};
}

}  // namespace

Tool remember_tool() {
  return storing_tool(
      "remember",
      "Remember",
      "Stores a fact, a preference of the user or a decision with its reason, for all later "
      "sessions. One or two sentences that can be understood alone, and only what is true beyond "
      "today. Text that holds a secret is refused; so never give passwords, keys or personal data.",
      "What to remember, in one or two sentences",
      LearningKind::fact);
}

Tool learn_procedure_tool() {
  return storing_tool(
      "learn_procedure",
      "Learn a procedure",
      "Stores how something is done here: the steps in order, with the commands, for what took "
      "several tries to find out. Not for what happened once. The user may have to approve it "
      "before it is used.",
      "When to do it, and the steps in order",
      LearningKind::procedure);
}

Tool record_episode_tool() {
  return storing_tool(
      "record_episode",
      "Record an episode",
      "Stores something that happened and matters later: what was tried, what failed, what is "
      "unfinished.",
      "What happened, in a few sentences",
      LearningKind::episode);
}

}  // namespace daybook::mcp
