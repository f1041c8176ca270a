// SPDX-License-Identifier: MIT
#include "gauntlet/rows/recapture.hpp"

#include "daybook/lineage/timestamp.hpp"
#include "support/program.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <regex>
#include <stdexcept>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::IndexedVault;

/// `refused` is an answer, too: what was removed is not captured.
enum class Answer { done, done_or_refused };

void run(const IndexedVault& vault,
         const std::vector<std::string>& words,
         const json& input,
         Answer wanted) {
  support::Program program;
  program.command = {DAYBOOK_BINARY,
                     "--workspace",
                     vault.workspace(),
                     "--state-dir",
                     vault.folder().path(),
                     "--now",
                     lineage::to_string({support::kTestNow})};
  program.command.insert(program.command.end(), words.begin(), words.end());
  vault.place().write("given", input.dump());
  program.stdin_file = vault.place().at("given");
  const auto outcome = support::run(program);
  fs::remove(vault.place().at("given"));
  if (outcome.signal != 0 || (wanted == Answer::done && outcome.exit_code != 0)) {
    throw std::runtime_error("daybook " + words.front() + " fails: " + outcome.err);
  }
}

/// The transcript is gone afterwards: what the hook has kept is all there is.
void leave_by_hook(const IndexedVault& vault,
                   const std::string& session_id,
                   const std::string& text) {
  const std::string transcript = vault.place().at("s-1.jsonl");
  vault.place().write("s-1.jsonl",
                      json{{"type", "user"},
                           {"sessionId", session_id},
                           {"message", {{"role", "user"}, {"content", text}}}}
                              .dump() +
                          "\n");
  run(vault,
      {"hook", "claude-code"},
      {{"hook_event_name", "SessionEnd"},
       {"session_id", session_id},
       {"transcript_path", transcript}},
      Answer::done);
  fs::remove(transcript);
}

/// The id by which a session is stored whose own was redacted.
std::string stored_id(const IndexedVault& vault) {
  static const std::regex kId("redacted-[0-9a-f]{16}");
  for (const auto& entry : fs::directory_iterator(vault.at("memory"))) {
    const std::string path = "memory/" + entry.path().filename().string();
    const std::string bytes = entry.is_regular_file() ? vault.read(path) : std::string();
    if (std::smatch found; std::regex_search(bytes, found, kId)) {
      return found.str();
    }
  }
  throw std::runtime_error("no session has an id that was redacted");
}

}  // namespace

void capture_again(const IndexedVault& vault,
                   const std::string& session_key,
                   const std::string& session_id,
                   const std::string& text) {
  json request{{"session_id", session_id}, {"session_key", session_key}};
  request["text"] = text;
  run(vault, {"capture", "compaction"}, request, Answer::done_or_refused);
  request.erase("text");
  request["transcript"] = "User: " + text + "\n";
  run(vault, {"capture", "session-end"}, request, Answer::done_or_refused);
}

void hook_again(const IndexedVault& vault, const std::string& session_id, const std::string& text) {
  leave_by_hook(vault, session_id, text);
}

void remove_what_is_spooled(const IndexedVault& vault, const std::string& text) {
  const std::string id = "nina@example.com";
  leave_by_hook(vault, id, text);
  run(vault, {"capture", "drain"}, {}, Answer::done);
  leave_by_hook(vault, id, "And " + text);
  run(vault,
      {"remove", "--session", stored_id(vault), "--reason", "a test", "--yes"},
      {},
      Answer::done);
}

}  // namespace daybook::gauntlet
