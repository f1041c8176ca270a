// SPDX-License-Identifier: MIT
//
// memory_forget: a look at what would go gives a code, and only that code makes it go. The code is
// a hash over all that the plan depends on, computed anew each time: nothing is kept between the
// two calls, and what has changed since has another code. The device's random letters go into it,
// so that no note can say the code of its own neighbour.
#include "daybook/base/log.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/capture/removal.hpp"
#include "daybook/service/decisions.hpp"
#include "mcp/all_tools.hpp"
#include "mcp/arguments.hpp"
#include "mcp/learning_access.hpp"
#include "mcp/memory_id.hpp"
#include "mcp/pass.hpp"
#include "mcp/schema_words.hpp"
#include "mcp/session_access.hpp"

#include <algorithm>

namespace daybook::mcp {
namespace {

constexpr int kLongestId = 1000;
constexpr int kLongestReason = 500;
constexpr std::size_t kCodeLetters = 12;
constexpr int kLongestCode = 100;  // whatever it is, it is compared

/// What goes, or has gone.
struct Going {
  std::string words;  ///< `the memory 5`
  Json data;          ///< the members that say which
  std::vector<std::string> paths;
  std::string code;  ///< of the plan
};

enum class Stage : std::uint8_t {
  planned,
  published,    ///< it is gone
  unpublished,  ///< it is gone, and MEMORY.md may still show it
  unindexed,    ///< it is gone from the files, and nothing else has followed yet
};

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    text.append("\n- ").append(base::printable(path));
  }
  return text;
}

constexpr const char* kMayShowIt =
    "\n\nMEMORY.md could not be published and may still show it: do not rely on it. The user can "
    "run 'daybook render', which says what keeps it.";

constexpr const char* kNotFollowed =
    "\n\nIndex and MEMORY.md could not follow just now: they do with the next pass, or when the "
    "user "
    "runs 'daybook reindex'. Do not call again; do not rely on what MEMORY.md shows of it until "
    "then.";

std::string shortcoming(Stage stage) {
  return stage == Stage::unpublished ? kMayShowIt : stage == Stage::unindexed ? kNotFollowed : "";
}

ToolAnswer answer_of(const Going& going, Stage stage) {
  const bool planned = stage == Stage::planned;
  ToolAnswer answer;
  answer.text =
      planned ? "Would forget " + going.words + ":" + listed(going.paths) +
                    "\n\nNothing was removed yet. If the user wants this, call again "
                    "with the same id and reason, and confirm: \"" +
                    going.code + "\"."
              : "Forgot " + going.words + " for good:" + listed(going.paths) + shortcoming(stage);
  answer.structured = going.data;
  answer.structured["removed_paths"] = going.paths;
  answer.structured["dry_run"] = planned;
  answer.structured["confirm"] = planned ? Json(going.code) : Json(nullptr);
  answer.structured["published"] = planned ? Json(nullptr) : Json(stage == Stage::published);
  answer.structured["indexed"] = planned ? Json(nullptr) : Json(stage != Stage::unindexed);
  return answer;
}

/// Wipes what was forgotten. That is done by now: whoever cancels is told nothing, and whatever
/// keeps the index from following is no failure of this call, or a model would try again and find
/// nothing to forget. The next pass finishes.
Stage wipe(const Call& call, const state::StateFolder& folder) {
  const auto told = call.step("wiping index and full text");
  const auto report = told ? follow_everything(call, folder) : told.error();
  if (!report) {
    const Error& error = report.error();
    base::log(base::LogLevel::warning, {"mcp", "not wiped yet: " + error.message, error.path});
    return Stage::unindexed;
  }
  return service::may_show_what_is_gone(*report, {call.memory.agent()}) ? Stage::unpublished
                                                                        : Stage::published;
}

/// Each part stands for itself, whatever is in it.
std::string code_of(const state::StateFolder& folder, std::vector<std::string> parts) {
  parts.push_back(folder.device());
  return base::to_hex(base::sha256(Json(parts).compact())).substr(0, kCodeLetters);
}

/// Nothing when the call only looks. An error when it confirms another plan than this one, or none.
Result<void> agree(const Call& call, const Going& going) {
  if (text_argument(call.arguments, "confirm") == going.code) {
    return {};
  }
  return Error{ErrorKind::usage,
               "`confirm` is not the code of what would be removed now, so nothing was",
               {},
               "Call without confirm: the answer says what would go, and gives the code."};
}

Result<Going> learning_going(const Call& call, const learn::Desk& desk, const learn::Note& note) {
  const std::uint64_t id = note.learning.id;
  TRY_ASSIGN(const auto paths, learn::what_forgetting_takes(desk, {call.memory.agent(), id}));
  if (paths != std::vector<std::string>{note.path}) {
    // It may be another agent's, or one that only a person may see: not even its path is told.
    return Error{
        ErrorKind::usage,
        "the id " + std::to_string(id) +
            " also means notes that this agent does not see, so nothing is removed",
        {},
        "Tell the user, who can do it with 'daybook learnings forget " + std::to_string(id) + "'."};
  }
  Going going;
  going.words = "the memory " + std::to_string(id);
  going.data = Json::object({{"what", "learning"},
                             {"session_token", nullptr},
                             {"learning_id", id},
                             {"scope", "learning"},
                             {"tombstone", nullptr}});
  going.paths = paths;
  going.code = code_of(
      desk.folder,
      {"learning", call.memory.agent(), std::to_string(id), note.path, note.learning.content});
  return going;
}

/// Of what is left although the pass, if there was one, has gone on with it.
Error not_gone(Error error, Stage stage) {
  error.message.append(
      stage == Stage::unindexed     ? ". It was begun, and index and MEMORY.md could not follow yet"
      : stage == Stage::unpublished ? ". It was begun, and MEMORY.md may still show it"
                                    : ". It was begun, and index and MEMORY.md have followed");
  error.hint =
      "The next pass goes on with it, or 'daybook reindex', which says what keeps it. See by "
      "memory_get whether it is gone before you call again.";
  return error;
}

Result<ToolAnswer> forget_learning(const Call& call,
                                   const learn::Desk& desk,
                                   const learn::Note& note,
                                   const std::string& reason) {
  TRY_ASSIGN(const Going going, learning_going(call, desk, note));
  if (!has_argument(call.arguments, "confirm")) {
    return answer_of(going, Stage::planned);
  }
  TRY(agree(call, going));
  TRY(call.go_on());
  const learn::Name name{call.memory.agent(), note.learning.id};
  // One that an earlier call has begun may be finished by this: it was there just now.
  TRY_ASSIGN(const learn::Change change, patiently(call, [&] {
               return learn::forget(desk, name, reason, learn::Absent::kept_away);
             }));
  const auto stage = wipe(call, desk.folder);  // which goes on with what was cut off, too
  if (change.cut_off && !learn::still_there(desk, change.unfinished).empty()) {
    return not_gone(*change.cut_off, stage);
  }
  return answer_of(going, stage);
}

/// By its token, so that nothing else is meant; a path means that one file.
Result<capture::RemovalTarget> target_of(const Call& call,
                                         const state::StateFolder& folder,
                                         index::Reader& reader,
                                         const std::string& id) {
  using By = capture::RemovalTarget::By;
  auto removals = call.memory.removals(folder, reader);
  TRY_ASSIGN(const auto session, find_session(call.memory, folder, reader, removals, id));
  TRY_ASSIGN(const auto file, reader.file_at(id));
  return file ? capture::RemovalTarget{By::path, id, call.memory.agent()}
              : capture::RemovalTarget{By::token, session.token.to_string(), call.memory.agent()};
}

/// The code is of the files as they were indexed, too.
Result<std::string> code_of(const state::StateFolder& folder,
                            index::Reader& reader,
                            const capture::RemovalPlan& plan,
                            std::string_view scope) {
  std::vector<std::string> parts{
      "session", plan.tombstone.agent_id, plan.tombstone.token.to_string(), std::string(scope)};
  for (const std::string& path : plan.files) {
    TRY_ASSIGN(const auto file, reader.file_at(path));
    const bool is_known = file && file->source_sha256;
    parts.push_back(path);
    parts.push_back(is_known ? base::to_hex(*file->source_sha256) : std::string());
  }
  return code_of(folder, std::move(parts));
}

struct SessionPlan {
  capture::RemovalPlan plan;
  Going going;
};

Result<SessionPlan> plan_session(const Call& call,
                                 const state::StateFolder& folder,
                                 const std::string& id,
                                 const std::string& reason) {
  TRY_ASSIGN(auto reader, call.memory.reader(folder));
  TRY_ASSIGN(const auto target, target_of(call, folder, reader, id));
  SessionPlan made;
  TRY_ASSIGN(
      made.plan,
      capture::plan_removal(call.memory.disk(), folder, reader, target, reason, call.memory.now()));
  const lineage::Tombstone& tombstone = made.plan.tombstone;
  const bool is_whole = tombstone.scope == lineage::TombstoneScope::session;
  const std::string scope = is_whole ? "session" : "paths";
  Going& going = made.going;
  going.words = std::to_string(made.plan.files.size()) + " file(s) of the session " +
                tombstone.token.to_string();
  going.data = Json::object({{"what", "session"},
                             {"session_token", tombstone.token.to_string()},
                             {"learning_id", nullptr},
                             {"scope", scope},
                             {"tombstone", nullptr}});
  going.paths = made.plan.files;
  TRY_ASSIGN(going.code, code_of(folder, reader, made.plan, scope));
  return made;
}

Result<ToolAnswer> forget_session(const Call& call,
                                  const state::StateFolder& folder,
                                  const std::string& id,
                                  const std::string& reason) {
  const bool confirmed = has_argument(call.arguments, "confirm");
  if (confirmed) {
    TRY(call.step("bringing the index up to date"));
    TRY(follow_everything(call, folder));  // plan by what is there now
  }
  TRY_ASSIGN(SessionPlan made, plan_session(call, folder, id, reason));
  if (!confirmed) {
    return answer_of(made.going, Stage::planned);
  }
  TRY(agree(call, made.going));
  TRY(call.step("removing"));
  service::Decisions decisions(call.memory.disk(), folder, call.memory.clock(), kShortWait);
  TRY(patiently(call, [&] { return decisions.remove(made.plan); }));
  made.going.data["tombstone"] = canon::tombstone_path(made.plan.tombstone);
  return answer_of(made.going, wipe(call, folder));
}

Result<ToolAnswer> forget(const Call& call) {
  TRY_ASSIGN(const auto folder, call.memory.folder());
  TRY_ASSIGN(const auto config, call.memory.config());
  const learn::Desk desk = desk_of(call, folder, config);
  // First of all: what is looked at with a bad reason would be refused when it is confirmed.
  TRY_ASSIGN(const std::string reason,
             learn::storable_reason(desk, text_argument(call.arguments, "reason")));
  const std::string id = memory_id(text_argument(call.arguments, "id"));
  TRY_ASSIGN(const auto note, find_learning(desk, call.memory.agent(), id));
  return note ? forget_learning(call, desk, *note, reason)
              : forget_session(call, folder, id, reason);
}

Json output_schema() {
  return answer_schema(Json::object({{"what", typed("string")},
                                     {"session_token", nullable("string")},
                                     {"learning_id", nullable("integer")},
                                     {"scope", typed("string")},
                                     {"removed_paths", list_of(typed("string"))},
                                     {"tombstone", nullable("string")},
                                     {"dry_run", typed("boolean")},
                                     {"confirm", nullable("string")},
                                     {"published", nullable("boolean")},
                                     {"indexed", nullable("boolean")}}));
}

}  // namespace

Tool memory_forget_tool() {
  Json input = Json::object(
      {{"id",
        text_schema(
            "What to forget: a memory's id as list_memories gives it; or a session's token, key or "
            "id, whole; or the path of a note",
            kLongestId,
            1)},
       {"reason",
        text_schema("Why, in a few words. It is kept, so it must not hold what is forgotten",
                    kLongestReason,
                    1)},
       {"confirm",
        text_schema("The code that the answer without confirm gave: removes for good what that "
                    "answer listed. Call without it first; then nothing is removed",
                    kLongestCode,
                    1)}});
  return {
      "memory_forget",
      "Forget a memory",
      "Removes a memory, a session, or one of its notes, for good, from the files, the index and "
      "MEMORY.md, and keeps it from coming back. Only when the user asks for it. Takes two calls: "
      "the first, without confirm, says what would go and gives the code for the second.",
      Effect::destroys,
      false,
      object_schema(std::move(input), {"id", "reason"}),
      output_schema(),
      forget};
}

}  // namespace daybook::mcp
