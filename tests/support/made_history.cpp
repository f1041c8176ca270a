// SPDX-License-Identifier: MIT
#include "support/made_history.hpp"

#include "daybook/lineage/timestamp.hpp"
#include "support/made_lines.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace daybook::support {
namespace {

namespace fs = std::filesystem;

void write(const std::string& folder, const SessionScript& script) {
  const fs::path file = fs::path(folder) / script.facts.path;
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream.write(script.text.data(), static_cast<std::streamsize>(script.text.size()));
  if (!stream.flush()) {
    throw std::runtime_error("cannot write " + file.string());
  }
}

/// Turns of different lengths, the first of them with a huge result where the plan says so.
template <typename Script>
void play(Script& script, std::size_t number, const HistoryPlan& plan) {
  script.begin();
  const std::size_t turns = 1 + number % std::max<std::size_t>(plan.turns, 1);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const bool huge = turn == 0 && plan.huge_every > 0 && number % plan.huge_every == 0;
    script.turn(huge ? plan.huge_bytes : plan.result_bytes);
  }
  script.end();
}

/// Turns until the text has so many bytes.
template <typename Script>
std::string filled(Script& script, std::size_t bytes, std::size_t result_bytes) {
  script.begin();
  while (script.text.size() < bytes) {
    script.turn(result_bytes);
  }
  script.end();
  return std::move(script.text);
}

}  // namespace

std::vector<MadeSession> make_history(const std::string& folder, const HistoryPlan& plan) {
  std::vector<MadeSession> made;
  std::string parent_file;  // of the last session of Claude Code, and its id
  std::string parent_id;
  for (std::size_t number = 0; number < plan.files; ++number) {
    if (number % 4 == 3) {
      CodexScript script(number, plan);
      play(script, number, plan);
      const std::string begun = lineage::to_string({script.begun_ms()});
      script.facts.path = "codex/sessions/" + begun.substr(0, 4) + "/" + begun.substr(5, 2) + "/" +
                          begun.substr(8, 2) + "/rollout-" + begun.substr(0, 10) + "-" +
                          script.file_id() + ".jsonl";
      write(folder, script);
      made.push_back(script.facts);
      continue;
    }
    const bool sub_agent = number % 4 == 2 && !parent_id.empty();
    ClaudeScript script(number, plan, sub_agent ? parent_id : "");
    play(script, number, plan);
    if (sub_agent) {
      script.facts.path = parent_file + "/subagents/agent-" + script.agent_id() + ".jsonl";
    } else {
      // The harness calls a file after its session; an id that cannot be a name was never its own.
      Dice name(number + 77);
      parent_id = script.facts.session_id;
      parent_file = "claude/projects/-home-nina-" + std::to_string(number % 5) + "/" +
                    (parent_id.size() == name.uuid().size() ? parent_id : "kept-" + name.uuid());
      script.facts.path = parent_file + ".jsonl";
    }
    write(folder, script);
    made.push_back(script.facts);
  }
  return made;
}

std::string made_claude_session(std::uint64_t seed, std::size_t bytes, std::size_t result_bytes) {
  const HistoryPlan plan;
  ClaudeScript script(seed, plan, "");
  return filled(script, bytes, result_bytes);
}

std::string made_codex_session(std::uint64_t seed, std::size_t bytes, std::size_t result_bytes) {
  const HistoryPlan plan;
  CodexScript script(seed, plan);
  return filled(script, bytes, result_bytes);
}

}  // namespace daybook::support
