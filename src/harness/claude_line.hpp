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
      summary, custom_title, ai_title, attachment, error, retry_in_ms;
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
/// A shell's line that a person had the harness run aside: `<bash-input>…`; and `! git status`.
bool is_shell_line(std::string_view text);
std::string shell_line_of(std::string_view text);
/// Without the elements in front that the harness puts into a user's mouth: reminders, what is open
/// in an editor, the output of a command that was run aside. Empty if nothing else is there.
std::string_view without_asides(std::string_view text);

/// What a person said through a tool's result, empty if nothing: the answer to a question of the
/// tool that asks them, or the reason why a call was refused.
std::string_view answer_in(std::string_view tool, std::string_view result);
std::string_view refusal_in(std::string_view result);

}  // namespace daybook::harness
