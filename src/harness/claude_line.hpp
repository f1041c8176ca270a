// SPDX-License-Identifier: MIT
//
// One line of a Claude Code session as views, and what the harness's own words in a user's message
// mean. Views live as long as the line. Pure; any thread.
#pragma once

#include "daybook/lineage/timestamp.hpp"
#include "harness/json_view.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace daybook::harness {

struct ClaudeLine {
  JsonView type, subtype, message, timestamp, session_id, cwd, git_branch, agent_id, content,
      summary, custom_title, ai_title, attachment, error;
  bool meta = false;
  bool sidechain = false;
  bool compact_summary = false;
  bool api_error = false;
  std::optional<lineage::Timestamp> time;

  /// False if the text is no whole JSON object.
  bool read(std::string_view text);
};

/// A block of a message's content.
struct ClaudeBlock {
  JsonView type, text, id, name, input, tool_use_id, content, source;
  bool is_error = false;

  explicit ClaudeBlock(const JsonView& block);
};

/// `[Request interrupted by user …]`.
bool is_interruption(std::string_view text);
/// A command such as `/review src`, in the harness's markup; and the command itself.
bool is_command(std::string_view text);
std::string command_of(std::string_view text);
/// What the harness puts into a user's mouth: the output of a command that was run aside.
bool is_claude_aside(std::string_view text);

}  // namespace daybook::harness
