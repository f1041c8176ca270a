// SPDX-License-Identifier: MIT
//
// One line of a Claude Code session as views, and what the harness's own words in a user's message
// mean. Views live as long as the line. Pure; any thread.
#pragma once

#include "daybook/lineage/timestamp.hpp"
#include "harness/json_view.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

/// A block of a message's content; one that is no object has nothing.
struct ClaudeBlock {
  JsonView type, text, id, name, input, tool_use_id, content, source;
  bool is_error = false;

  ClaudeBlock() = default;
  explicit ClaudeBlock(const JsonView& block);
  /// The value that is next, so many levels deep. False if it is no JSON.
  bool read(JsonWalker& walker, int depth);
};

/// A line is walked over once, and into its message: most bytes of a file are in there.
struct ClaudeLine {
  JsonView type, subtype, timestamp, session_id, cwd, git_branch, agent_id, content, summary,
      custom_title, ai_title, attachment, error, retry_in_ms;
  bool meta = false;
  bool sidechain = false;
  bool compact_summary = false;
  bool api_error = false;
  std::optional<lineage::Timestamp> time;

  /// Of its `message`, if that is an object.
  bool has_message = false;
  JsonView model, message_content;

  /// `blocks` is room that the lines of a file use one after the other.
  explicit ClaudeLine(std::vector<ClaudeBlock>& blocks) : blocks_(blocks) {}

  /// False if the text is no whole JSON object.
  bool read(std::string_view text);

  /// Calls `visit(block)` for each block of the message's content.
  template <typename Visit>
  void each_block(Visit visit) const {
    if (all_kept_) {
      for (const ClaudeBlock& block : blocks_) {
        visit(block);
      }
      return;
    }
    each_element(message_content, [&](const JsonView& block) { visit(ClaudeBlock(block)); });
  }

 private:
  // Harnesses write one or a few; a line of millions must not cost memory.
  static constexpr std::size_t kMostKept = 32;

  bool read_member(std::string_view key, JsonWalker& walker);
  bool read_message(JsonWalker& walker);
  bool read_content(JsonWalker& walker);

  std::vector<ClaudeBlock>& blocks_;
  bool all_kept_ = true;
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
