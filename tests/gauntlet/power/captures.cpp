// SPDX-License-Identifier: MIT
#include "daybook/base/sha256.hpp"
#include "gauntlet/power/power_cut.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kDeeds = 240;
constexpr std::size_t kLeastBytes = 1'000;
constexpr std::size_t kMostBytes = 60'000;

std::string word(int number) { return "quartzlantern" + std::to_string(number) + "x"; }

std::string hash_of(const std::string& path) {
  return base::to_hex(base::sha256(file_bytes(path)));
}

/// Talk of the length and with the words that the number gives.
std::string talk(int number) {
  constexpr std::array kWords{
      "tide", "harbour", "table", "lantern", "mooring", "ledger", "compass", "rope", "gull"};
  std::mt19937_64 dice(static_cast<std::uint64_t>(number));
  const std::size_t bytes = kLeastBytes + dice() % (kMostBytes - kLeastBytes);
  std::string text = "User: where is the " + word(number) + "?\n\nAssistant:";
  while (text.size() < bytes) {
    text.append(" ").append(kWords.at(dice() % kWords.size()));
    text.append(dice() % 12 == 0 ? ".\n\nUser: and then?\n\nAssistant:" : "");
  }
  return text + ".\n";
}

std::string time_of(int number) {
  const std::string minute = std::to_string(100 + number / 60).substr(1);
  const std::string second = std::to_string(100 + number % 60).substr(1);
  return "2026-03-20T10:" + minute + ":" + second + ".000Z";
}

struct Request {
  std::string kind = "session-end";
  json input;
};

/// Its receipt has to be there after a power cut; of the others, the vault tells the same.
bool has_key(int number) { return number % 2 == 0; }

/// Two sessions, then something more of the second: it goes on, or is compacted, in turns.
Request request_of(int number) {
  const bool more = number % 3 == 2;
  const int session = more ? number - 1 : number;
  Request request;
  request.input = {{"session_id", "run-" + std::to_string(session)},
                   {"project", "/home/dev/tidewater"},
                   {"harness", "codex"},
                   {"captured_at", time_of(number)}};
  if (has_key(number)) {
    request.input["idempotency_key"] = "key-" + std::to_string(number);
  }
  if (more && number % 2 == 1) {
    request.kind = "compaction";
    request.input["text"] = "So far:\n\n" + talk(number);
  } else {
    request.input["transcript"] = talk(session) + (more ? "\n" + talk(number) : "");
  }
  return request;
}

json capture(const PowerDesk& desk, int number) {
  const Request request = request_of(number);
  const auto outcome = desk.daybook({"--json", "capture", request.kind}, request.input.dump());
  if (outcome.exit_code != 0) {
    throw std::runtime_error("capture " + request.kind + ": " + outcome.err);
  }
  return json::parse(outcome.out);
}

std::string capture_and_note(const PowerDesk& desk, int number) {
  const json answer = capture(desk, number);
  if (answer.at("acked") != true) {
    return {};
  }
  json note{{"number", number}, {"paths", answer.at("paths")}, {"sha256", json::object()}};
  for (const auto& [kind, path] : answer.at("paths").items()) {
    if (path.is_string() && kind != "manifest") {
      const std::string text = path;
      note["sha256"][text] = hash_of(desk.vault() + "/" + text);
    }
  }
  return note.dump();
}

/// Every file with the bytes that it had; the manifest may have grown, but names them all.
void judge_files(const PowerDesk& desk, const json& note, Complaints& lost) {
  const std::string manifest = note.at("paths").at("manifest");
  const std::string names = file_bytes(desk.vault() + "/" + manifest);
  for (const auto& [path, hash] : note.at("sha256").items()) {
    if (hash_of(desk.vault() + "/" + path) != hash) {
      lost.push_back("L: not there, or with other bytes: " + path);
    }
    if (names.find(path) == std::string::npos) {
      lost.push_back("L: " + manifest + " does not name " + path);
    }
  }
}

/// A key that has been answered stands for what it was given with.
void judge_key(const PowerDesk& desk, int number, Complaints& lost) {
  Request other = request_of(number);
  other.input[other.kind == "compaction" ? "text" : "transcript"] = "User: something else?\n";
  const auto outcome = desk.daybook({"--json", "capture", other.kind}, other.input.dump());
  if (outcome.out.find("this idempotency key was used before") == std::string::npos) {
    lost.push_back("L: the key of deed " + std::to_string(number) + ": " + outcome.out +
                   outcome.err);
  }
}

Complaints judge_captures(const PowerDesk& desk, const std::vector<std::string>& noted) {
  Complaints lost;
  desk.judge_recovery(lost);
  for (const std::string& line : noted) {
    if (const int number = json::parse(line).at("number"); has_key(number)) {
      judge_key(desk, number, lost);
    }
  }
  if (!lost.empty()) {
    return lost;  // a key that was forgotten stands for something else now
  }
  for (const std::string& line : noted) {
    judge_files(desk, json::parse(line), lost);
  }
  for (const std::string& line : noted) {
    const json note = json::parse(line);
    const json again = capture(desk, note.at("number"));
    if (again.at("deed") != "already-captured" || again.at("paths") != note.at("paths")) {
      lost.push_back("L: the receipt of deed " + note.at("number").dump() + ": " + again.dump());
    }
  }
  return lost;
}

// --- hooks
// ----------------------------------------------------------------------------------------

std::vector<std::string> spooled(const PowerDesk& desk) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(desk.state() + "/spool", none)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

std::string hook_and_note(const PowerDesk& desk, int number) {
  const std::string id = "s-" + std::to_string(number);
  const json line{{"type", "user"},
                  {"sessionId", id},
                  {"message", {{"role", "user"}, {"content", talk(number)}}}};
  desk.place().write("harness/" + id + ".jsonl", line.dump() + "\n");
  const json event{{"hook_event_name", "SessionEnd"},
                   {"session_id", id},
                   {"transcript_path", desk.place().at("harness/" + id + ".jsonl")}};
  const auto before = spooled(desk);
  const auto outcome = desk.daybook({"hook", "claude-code"}, event.dump());
  // A hook always ends with 0; what went wrong is on stderr.
  if (outcome.exit_code != 0 || !outcome.err.empty()) {
    throw std::runtime_error("hook: " + outcome.err);
  }
  for (const std::string& name : spooled(desk)) {
    if (std::find(before.begin(), before.end(), name) == before.end()) {
      return json{
          {"number", number}, {"name", name}, {"sha256", hash_of(desk.state() + "/spool/" + name)}}
          .dump();
    }
  }
  throw std::runtime_error("a hook kept nothing of " + id);
}

Complaints judge_hooks(const PowerDesk& desk, const std::vector<std::string>& noted) {
  Complaints lost;
  for (const std::string& line : noted) {
    const json note = json::parse(line);
    const std::string name = note.at("name");
    if (hash_of(desk.state() + "/spool/" + name) != note.at("sha256")) {
      lost.push_back("L: not in the spool, or with other bytes: " + name);
    }
  }
  fs::remove_all(desk.place().at("harness"));  // what the hooks kept is all there is
  const auto drained = desk.daybook({"--json", "capture", "drain"});
  if (drained.exit_code != 0 || json::parse(drained.out).at("captured") < noted.size()) {
    lost.push_back("L: drain: " + drained.out + drained.err);
  }
  desk.judge_recovery(lost);
  std::string transcripts;
  for (const auto& entry : fs::directory_iterator(desk.vault() + "/memory")) {
    const bool wanted = entry.path().filename().string().ends_with("--transcript.md");
    transcripts += wanted ? file_bytes(entry.path().string()) : "";
  }
  for (const std::string& line : noted) {
    if (const int number = json::parse(line).at("number");
        transcripts.find(word(number)) == std::string::npos) {
      lost.push_back("L: no transcript of s-" + std::to_string(number));
    }
  }
  return lost;
}

bool prepare(const PowerDesk& desk) {
  fs::create_directories(desk.vault() + "/memory");
  return desk.daybook({"reindex"}).exit_code == 0;
}

}  // namespace

PowerWork power_captures() {
  return {"captures", kDeeds, prepare, capture_and_note, judge_captures};
}

PowerWork power_hooks() { return {"hooks", kDeeds, prepare, hook_and_note, judge_hooks}; }

}  // namespace daybook::gauntlet
