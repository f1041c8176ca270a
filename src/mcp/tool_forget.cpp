// SPDX-License-Identifier: MIT
#include "daybook/base/printable.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/service/decisions.hpp"
#include "mcp/all_tools.hpp"
#include "mcp/arguments.hpp"
#include "mcp/learning_access.hpp"
#include "mcp/pass.hpp"
#include "mcp/schema_words.hpp"
#include "mcp/session_access.hpp"

#include <algorithm>

namespace daybook::mcp {
namespace {

constexpr int kLongestId = 1000;
constexpr int kLongestReason = 500;

/// By its token, so that nothing else is meant; a path means that one file.
Result<capture::RemovalTarget> target_of(const Call& call,
                                         const state::StateFolder& folder,
                                         index::Reader& reader) {
  using By = capture::RemovalTarget::By;
  const std::string id = text_argument(call.arguments, "id");
  TRY_ASSIGN(const auto session, find_session(call.memory, folder, reader, id));
  const bool is_path = id.find('/') != std::string::npos && id.ends_with(".md");
  return is_path
             ? capture::RemovalTarget{By::path, id, call.memory.agent()}
             : capture::RemovalTarget{By::token, session.token.to_string(), call.memory.agent()};
}

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    text.append("\n- ").append(base::printable(path));
  }
  return text;
}

ToolAnswer answer_of(const capture::RemovalPlan& plan, bool dry_run) {
  const std::string count = std::to_string(plan.files.size()) + " file(s) of the session " +
                            plan.tombstone.token.to_string();
  ToolAnswer answer;
  answer.text = dry_run ? "Would forget " + count + ":" + listed(plan.files) +
                              "\n\nNothing was removed yet. If the user wants this, call again "
                              "with the same arguments and confirm: true."
                        : "Forgot " + count + " for good:" + listed(plan.files);
  answer.structured = Json::object(
      {{"what", "session"},
       {"session_token", plan.tombstone.token.to_string()},
       {"learning_id", nullptr},
       {"scope", plan.tombstone.scope == lineage::TombstoneScope::session ? "session" : "paths"},
       {"removed_paths", plan.files},
       {"tombstone", dry_run ? Json(nullptr) : Json(canon::tombstone_path(plan.tombstone))},
       {"dry_run", dry_run}});
  return answer;
}

ToolAnswer learning_answer(std::uint64_t id, const std::vector<std::string>& paths, bool dry_run) {
  const std::string name = "the memory " + std::to_string(id);
  ToolAnswer answer;
  answer.text = dry_run ? "Would forget " + name + ":" + listed(paths) +
                              "\n\nNothing was removed yet. If the user wants this, call again "
                              "with the same arguments and confirm: true."
                        : "Forgot " + name + " for good:" + listed(paths);
  answer.structured = Json::object({{"what", "learning"},
                                    {"session_token", nullptr},
                                    {"learning_id", id},
                                    {"scope", "learning"},
                                    {"removed_paths", paths},
                                    {"tombstone", nullptr},
                                    {"dry_run", dry_run}});
  return answer;
}

Result<ToolAnswer> forget_learning(const Call& call,
                                   const learn::Desk& desk,
                                   std::uint64_t id,
                                   bool confirmed) {
  const learn::Name name{call.memory.agent(), id};
  TRY_ASSIGN(const auto paths, learn::what_forgetting_takes(desk, name));
  if (!confirmed) {
    return learning_answer(id, paths, true);
  }
  TRY(call.go_on());
  const std::string reason = text_argument(call.arguments, "reason");
  TRY_ASSIGN(const learn::Change change,
             patiently(call, [&] { return learn::forget(desk, name, reason); }));
  TRY(call.step("wiping index and full text"));
  TRY(follow_everything(call, desk.folder));
  return learning_answer(id, paths, false);
}

Result<ToolAnswer> forget_session(const Call& call,
                                  const state::StateFolder& folder,
                                  bool confirmed) {
  const std::string reason = text_argument(call.arguments, "reason");
  if (confirmed) {
    TRY(call.step("bringing the index up to date"));
    TRY(follow_everything(call, folder));  // plan by what is there now
  }
  service::Decisions decisions(call.memory.disk(), folder, call.memory.clock(), kShortWait);
  TRY_ASSIGN(const auto plan, [&]() -> Result<capture::RemovalPlan> {
    TRY_ASSIGN(auto reader, call.memory.reader(folder));
    TRY_ASSIGN(const auto target, target_of(call, folder, reader));
    return capture::plan_removal(
        call.memory.disk(), folder, reader, target, reason, call.memory.now());
  }());
  if (!confirmed) {
    return answer_of(plan, true);
  }
  TRY(call.step("removing"));
  TRY(patiently(call, [&] { return decisions.remove(plan); }));
  // From here on it is done: whoever cancels now is told nothing, and the next pass finishes.
  TRY(call.step("wiping index and full text"));
  TRY(follow_everything(call, folder));
  return answer_of(plan, false);
}

Result<ToolAnswer> forget(const Call& call) {
  const bool confirmed = flag_argument(call.arguments, "confirm");
  TRY_ASSIGN(const auto folder, call.memory.folder());
  TRY_ASSIGN(const auto config, call.memory.config());
  const learn::Desk desk = desk_of(call, folder, config);
  TRY_ASSIGN(const auto note,
             find_learning(desk, call.memory.agent(), text_argument(call.arguments, "id")));
  return note ? forget_learning(call, desk, note->learning.id, confirmed)
              : forget_session(call, folder, confirmed);
}

Json output_schema() {
  return answer_schema(Json::object({{"what", typed("string")},
                                     {"session_token", nullable("string")},
                                     {"learning_id", nullable("integer")},
                                     {"scope", typed("string")},
                                     {"removed_paths", list_of(typed("string"))},
                                     {"tombstone", nullable("string")},
                                     {"dry_run", typed("boolean")}}));
}

}  // namespace

Tool memory_forget_tool() {
  Json input = Json::object(
      {{"id",
        text_schema(
            "What to forget: a memory's id as list_memories gives it; or a session's token, key or "
            "id; or the path of a note",
            kLongestId,
            1)},
       {"reason",
        text_schema("Why, in a few words. It is kept, so it must not hold what is forgotten",
                    kLongestReason,
                    1)},
       {"confirm",
        flag_schema("true: remove it for good. Without it nothing is removed: the answer says "
                    "what would be")}});
  return {
      "memory_forget",
      "Forget a memory",
      "Removes a memory, a session, or one of its notes, for good, from the files, the index and "
      "MEMORY.md, and keeps it from coming back. Only when the user asks for it. Call it "
      "first without confirm to see what would go.",
      Effect::destroys,
      false,
      object_schema(std::move(input), {"id", "reason"}),
      output_schema(),
      forget};
}

}  // namespace daybook::mcp
