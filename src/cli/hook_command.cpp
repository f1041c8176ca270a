// SPDX-License-Identifier: MIT
//
// What a harness calls in the middle of its own work. It must never be in the way: whatever is
// wrong, the exit code is 0 (2 would block a compaction), nothing stands on stdout but at a
// session's start, and nothing waits for a lock, a database or the network.
#include "cli/capture_input.hpp"
#include "cli/command.hpp"
#include "cli/hook_install.hpp"
#include "cli/terminal.hpp"
#include "cli/vault.hpp"
#include "cli/workspace.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/capture/hook_spool.hpp"
#include "daybook/harness/hook_input.hpp"
#include "daybook/projection/memory_md.hpp"

#include <cstdlib>
#include <memory>

namespace daybook::cli {
namespace {

constexpr const char* kClaudeCode = "claude-code";
/// What Claude Code takes from a hook at a session's start, in characters.
constexpr std::size_t kMostStartCharacters = 10'000;
constexpr std::uint64_t kLargestProjection = 8ULL << 20U;

/// Characters, not bytes; cut between lines, with a word about it.
std::string within_characters(const std::string& text, std::size_t most) {
  constexpr std::string_view kNotice =
      "\n(Cut here. The whole is in MEMORY.md; `daybook log` lists more.)\n";
  if (base::count_characters(text) <= most) {
    return text;
  }
  const std::size_t room = most - kNotice.size();
  std::size_t end = 0;
  std::size_t used = 0;
  while (end < text.size()) {
    const std::size_t line = std::min(text.find('\n', end), text.size() - 1) + 1 - end;
    const std::size_t characters = base::count_characters(std::string_view(text).substr(end, line));
    if (used + characters > room) {
      break;
    }
    used += characters;
    end += line;
  }
  return text.substr(0, end).append(kNotice);
}

/// MEMORY.md as it stands; a vault without one says nothing.
Result<void> show_memory(const std::string& workspace, const std::string& agent) {
  const std::string path =
      projection::projection_path(agent.empty() ? lineage::kDefaultAgent : agent);
  const auto text = base::read_file(base::real_disk(), workspace, path, kLargestProjection);
  if (text) {
    print(stdout, within_characters(*text, kMostStartCharacters));
  } else if (text.error().kind != ErrorKind::not_found) {
    return text.error();
  }
  return {};
}

Result<void> serve_hook(const Settings& settings) {
  TRY_ASSIGN(const std::string json, read_standard_input());
  TRY_ASSIGN(auto input, harness::read_hook_input(json));
  TRY_ASSIGN(const std::string agent, chosen_agent(settings));
  if (input.event == harness::HookEvent::session_start) {
    TRY_ASSIGN(const std::string workspace, open_workspace(settings));
    return show_memory(workspace, agent);
  }
  TRY_ASSIGN(const Vault vault, open_vault(settings, state::Create::if_missing));
  capture::HookRequest request;
  request.agent_id = agent.empty() ? std::string(lineage::kDefaultAgent) : agent;
  request.harness = kClaudeCode;
  request.input = std::move(input);
  request.now = vault.now();
  TRY_ASSIGN(const auto deed, capture::spool_hook(base::real_disk(), vault.state, request));
  if (deed == capture::HookDeed::session_removed) {
    print(stderr, "daybook: session-removed: nothing was kept of this session\n");
  } else if (deed == capture::HookDeed::no_transcript) {
    print(stderr, "daybook: the hook has kept nothing: the transcript is empty or not there\n");
  }
  return {};
}

int run_hook(const Settings& settings) {
  // A harness that is asked as the model must not feed itself.
  if (std::getenv("DAYBOOK_INHIBIT") != nullptr) {
    return kDone;
  }
  if (const auto served = serve_hook(settings); !served) {
    const Error& error = served.error();
    print(stderr,
          "daybook: the hook has kept nothing: " + base::printable(error.message) +
              (error.path.empty() ? "" : " (" + base::printable(error.path) + ")") + "\n");
  }
  return kDone;
}

}  // namespace

bool is_hook_call(int argc, const char* const* argv) {
  bool hook = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word(argv[i]);
    if (word == "--help" || word == "-h") {
      return false;
    }
    if (hook && word == kClaudeCode) {
      return true;
    }
    if (hook && !word.starts_with('-')) {
      return false;  // install, uninstall
    }
    hook = hook || word == "hook";
  }
  return false;
}

void add_hook(const Command& program, Run& run) {
  const Command hook = program.add("hook", "Serve the hooks of a harness");
  const Command claude = hook.add(
      kClaudeCode,
      "Take a hook's JSON from standard input",
      "\nSessionEnd and PreCompact put a copy of the transcript into the spool, PostCompact its"
      "\nsummary, SessionStart prints MEMORY.md (at most 10,000 characters). Takes milliseconds,"
      "\nwaits for nobody and always exits 0; 'daybook watch' or 'daybook capture drain' finishes"
      "\nthe work. Does nothing when DAYBOOK_INHIBIT is set.");
  claude.when_given([&run] { run = run_hook; });
  add_hook_install(hook, run);
}

}  // namespace daybook::cli
