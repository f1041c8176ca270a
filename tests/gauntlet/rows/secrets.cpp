// SPDX-License-Identifier: MIT
//
// Random secrets of all planted shapes stand in a session at places where something is cut: a
// sentence, a preview, a message, a prompt, a piece of a file, the session's folder. The session is
// captured by a command, a hook and its drain, or an import; then no byte of them is in any file of
// vault and state, in what the programs said, or in what a model was asked.
#include "daybook/base/clock.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "gauntlet/rows.hpp"
#include "support/planted.hpp"
#include "support/program.hpp"
#include "support/temp_folder.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::Planted;

constexpr const char* kFolder = "/home/nina/tidewater";

/// Where texts are cut, or handed on in pieces: sentences, previews, tool lines, prompts, buffers.
constexpr std::array<std::size_t, 20> kBoundaries{60,   80,    120,   160,   200,   240,   400,
                                                  480,  1000,  1024,  2000,  4000,  4096,  6144,
                                                  8192, 10000, 16384, 32768, 65536, 131072};
constexpr std::array<std::size_t, 3> kFarBoundaries{262144, 524288, 1048576};
constexpr std::uint64_t kFarOneIn = 16;
/// Where what is known of a session is cut before anybody has looked for secrets in it.
constexpr std::size_t kRawTextCut = 16384;
constexpr std::size_t kRawNameCut = 4096;
constexpr std::uint64_t kAimedOneIn = 4;

class SecretsTrial {
 public:
  explicit SecretsTrial(std::uint64_t number) : random_(number) {
    auto all = support::planted(number * 7919 + 1);
    for (std::uint64_t count = 1 + below(4); count > 0; --count) {
      planted_.push_back(all.at(below(all.size())));
    }
  }

  Complaints run() {
    place_.make_folder("vault/memory");
    place_.make_folder("tmp");
    if (below(2) == 0) {
      place_.write("vault/daybook.yaml",
                   "model:\n  command: [/bin/sh, -c, 'cat >> " + place_.at("asked") + "']\n");
    }
    switch (below(5)) {
      case 0:
        end_session();
        break;
      case 1:
        compact();
        break;
      case 2:
        hook();
        break;
      case 3:
        give("claude/projects/p/s-1.jsonl", claude_session());
        must({"import", "claude-code", place_.at("given/claude/projects/p/s-1.jsonl")});
        break;
      default:
        give("codex/rollout-2026-05-01T09-59-00-c-1.jsonl", codex_session());
        must({"import", "codex", place_.at("given/codex/rollout-2026-05-01T09-59-00-c-1.jsonl")});
        break;
    }
    must({"reindex"});
    judge();
    return complaints_;
  }

 private:
  std::uint64_t below(std::uint64_t count) { return random_() % count; }

  std::string line_of(const Planted& item) const { return item.before + item.secret + item.after; }

  /// So many characters of words, in lines or without any.
  std::string filler(std::size_t size, bool lines) {
    constexpr std::array kWords{"tide", "harbour", "table", "lantern", "mooring", "rope", "gull"};
    std::string text;
    while (text.size() < size) {
      text.append(kWords.at(below(kWords.size()))).append(lines && below(12) == 0 ? ".\n" : " ");
    }
    text.resize(size, ' ');
    if (!text.empty()) {
      text.back() = ' ';
    }
    return text;
  }

  /// A number in a path is nobody's card or telephone; a token there is a token.
  std::string name_of_file() {
    const Planted& item = planted_.front();
    std::string path = "/tmp/";
    for (const std::size_t size = kBoundaries.at(below(13)); path.size() + 40 < size;) {
      path += "harbour/";
    }
    return path + (item.splits == support::Splits::anywhere ? line_of(item) : "notes.md");
  }

  /// As many bytes as there are before a secret that is cut somewhere by that limit.
  std::size_t room_before(std::size_t limit, const std::string& line) {
    return limit - 1 - below(line.size());
  }

  /// Blanks are not shown, so a preview reaches as far as to the secret that was cut in two.
  std::string said_across_raw_cut() {
    const std::string line = line_of(planted_.front());
    std::string text = "Please mend src/tide.cpp.";
    text.resize(room_before(kRawTextCut, line), ' ');
    return text + line + "\n";
  }

  /// The session's folder stands whole in the frontmatter.
  std::string folder_of_session() {
    const Planted& item = planted_.front();
    std::string folder = kFolder;
    if (item.splits != support::Splits::anywhere || below(kAimedOneIn) != 0) {
      return folder;
    }
    const std::string line = line_of(item);
    const std::size_t room = room_before(kRawNameCut, line);
    while (folder.size() + 1 < room) {
      folder += folder.size() % 8 == 0 ? '/' : 'h';
    }
    return folder + "/" + line;
  }

  /// A text in which some of the secrets lie across, before or behind a boundary.
  std::string said() {
    if (below(kAimedOneIn) == 0) {
      return said_across_raw_cut();
    }
    const bool lines = below(2) == 0;
    std::string text = below(2) == 0 ? "Please mend src/tide.cpp. " : "";
    for (const Planted& item : planted_) {
      const std::string line = line_of(item);
      const std::size_t boundary = below(kFarOneIn) == 0
                                       ? kFarBoundaries.at(below(kFarBoundaries.size()))
                                       : kBoundaries.at(below(kBoundaries.size()));
      const std::size_t before = below(line.size() + 16);
      const std::size_t begin = boundary > before ? boundary - before : 0;
      if (begin > text.size()) {
        text += filler(begin - text.size(), lines);
      }
      text += line + (below(3) == 0 ? "\n" : " ");
    }
    return text + filler(20 + below(3000), lines) + "\n";
  }

  void give(const std::string& name, const std::string& bytes) const {
    place_.write("given/" + name, bytes);
  }

  support::ProgramOutcome must(std::vector<std::string> words, const std::string& input = {}) {
    support::Program program;
    program.command = {
        DAYBOOK_BINARY, "--workspace", place_.at("vault"), "--state-dir", place_.at("state")};
    program.command.insert(program.command.end(), words.begin(), words.end());
    program.environment = {"TMPDIR=" + place_.at("tmp"), "HOME=" + place_.at("home")};
    if (!input.empty()) {
      give("input", input);
      program.stdin_file = place_.at("given/input");
    }
    auto outcome = support::run(program);
    told_ += outcome.out + outcome.err;
    if (outcome.exit_code != 0) {
      complaints_.push_back("E: daybook " + words.front() + " fails: " + outcome.err);
    }
    return outcome;
  }

  void end_session() {
    json request{{"session_id", "ended"}, {"project", kFolder}, {"transcript", said()}};
    if (below(2) == 0) {
      request["summary"] = said();
    }
    if (below(2) == 0) {
      request["status"] = "failed";
      request["error"] = said();
    }
    must({"capture", "session-end"}, request.dump());
  }

  void compact() {
    must({"capture", "compaction"}, json{{"session_id", "ended"}, {"text", said()}}.dump());
  }

  void hook() {
    give("s-1.jsonl", claude_session());
    const auto event = [this](const std::string& name) {
      return json{{"hook_event_name", name},
                  {"session_id", "s-1"},
                  {"transcript_path", place_.at("given/s-1.jsonl")},
                  {"cwd", kFolder}};
    };
    if (below(2) == 0) {
      must({"hook", "claude-code"}, event("PreCompact").dump());
      json after = event("PostCompact");
      after["compact_summary"] = said();
      must({"hook", "claude-code"}, after.dump());
    }
    must({"hook", "claude-code"}, event("SessionEnd").dump());
    // Later than a harness may still write to its file.
    must({"--now",
          lineage::to_string({base::SystemClock().now_ms() + 600'000}),
          "capture",
          "drain"});
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(place_.at("state/spool"), none)) {
      complaints_.push_back("L: not drained: " + entry.path().filename().string());
    }
  }

  static std::string in_lines(const std::vector<json>& objects) {
    std::string text;
    for (const json& object : objects) {
      text += object.dump() + "\n";
    }
    return text;
  }

  std::string claude_session() {
    const std::string folder = folder_of_session();
    const auto message = [&folder](const std::string& role, const json& content) {
      return json{{"type", role},
                  {"sessionId", "s-1"},
                  {"cwd", folder},
                  {"timestamp", "2026-05-01T10:00:00Z"},
                  {"message", {{"role", role}, {"content", content}}}};
    };
    return in_lines(
        {message("user", said()),
         message("assistant",
                 {{{"type", "tool_use"},
                   {"id", "a"},
                   {"name", below(2) == 0 ? "Bash" : "Write"},
                   {"input",
                    {{"command", "echo " + said()},
                     {"description", said()},
                     {"file_path", name_of_file()},
                     {"content", said()}}}}}),
         message("user", {{{"type", "tool_result"}, {"tool_use_id", "a"}, {"content", said()}}}),
         {{"type", "summary"}, {"summary", said()}},
         message("assistant", {{{"type", "text"}, {"text", said()}}})});
  }

  std::string codex_session() {
    const auto item = [](const json& payload) {
      return json{
          {"timestamp", "2026-05-01T10:00:00Z"}, {"type", "response_item"}, {"payload", payload}};
    };
    const auto message = [&](const std::string& role, const std::string& type) {
      return item(
          {{"type", "message"}, {"role", role}, {"content", {{{"type", type}, {"text", said()}}}}});
    };
    return in_lines({{{"timestamp", "2026-05-01T09:59:00Z"},
                      {"type", "session_meta"},
                      {"payload", {{"id", "c-1"}, {"cwd", folder_of_session()}}}},
                     message("user", "input_text"),
                     item({{"type", "function_call"},
                           {"name", "shell"},
                           {"call_id", "a"},
                           {"arguments", json{{"command", {"bash", "-lc", said()}}}.dump()}}),
                     item({{"type", "function_call_output"}, {"call_id", "a"}, {"output", said()}}),
                     message("assistant", "output_text")});
  }

  void judge() {
    std::size_t transcripts = 0;
    for (const auto& entry : fs::recursive_directory_iterator(place_.path())) {
      const std::string name = fs::relative(entry.path(), place_.path()).string();
      if (!entry.is_regular_file() || name.starts_with("given/")) {
        continue;
      }
      std::ifstream file(entry.path(), std::ios::binary);
      look_for_leaks(name,
                     {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
      transcripts +=
          name.ends_with("--transcript.md") || name.ends_with("--compaction.md") ? 1U : 0U;
    }
    look_for_leaks("what the programs said", told_);
    if (transcripts == 0) {
      complaints_.emplace_back("L: nothing was captured");
    }
  }

  void look_for_leaks(const std::string& name, const std::string& bytes) {
    for (const Planted& item : planted_) {
      if (const std::string left = support::left_over(bytes, item.random); !left.empty()) {
        const std::size_t at = bytes.find(left);
        const std::size_t begin = at < 60 ? 0 : at - 60;
        complaints_.push_back("T: secret: " + item.name + " in " + name + ": " +
                              bytes.substr(begin, 160));
      }
    }
  }

  std::mt19937_64 random_;
  std::vector<Planted> planted_;
  support::TempFolder place_;
  std::string told_;
  Complaints complaints_;
};

}  // namespace

Row secrets() {
  return {"secrets",
          "secrets around every place where text is cut",
          "T",
          60,
          5000,
          each([](std::uint64_t number) { return SecretsTrial(number).run(); }),
          Place::memory};
}

}  // namespace daybook::gauntlet
