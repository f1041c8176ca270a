// SPDX-License-Identifier: MIT
#include "harness/claude_line.hpp"
#include "harness/quoted_text.hpp"
#include "harness/session_lines.hpp"
#include "harness/tool_input.hpp"

#include <algorithm>
#include <array>

namespace daybook::harness {

namespace {

/// Known, and nothing of the conversation in them.
constexpr std::array<std::string_view, 22> kSilent{"agent-color",
                                                   "agent-name",
                                                   "agent-setting",
                                                   "ai-title",
                                                   "attribution-snapshot",
                                                   "bridge-session",
                                                   "content-replacement",
                                                   "cost-state",
                                                   "custom-title",
                                                   "file-history-delta",
                                                   "file-history-snapshot",
                                                   "last-prompt",
                                                   "mode",
                                                   "permission-mode",
                                                   "pr-link",
                                                   "progress",
                                                   "queue-operation",
                                                   "summary",
                                                   "tag",
                                                   "task-summary",
                                                   "speculation-accept",
                                                   "worktree-state"};

bool is_silent(std::string_view type) {
  return std::find(kSilent.begin(), kSilent.end(), type) != kSilent.end();
}

/// Bytes of a tool's result: text, or blocks of text and images.
std::uint64_t result_bytes(const JsonView& content) {
  if (content.is_string()) {
    return decoded_size(content.raw);
  }
  std::uint64_t bytes = 0;
  each_element(content, [&](const JsonView& block) {
    each_member(block, [&](std::string_view key, const JsonView& value) {
      if (key == "text" && value.is_string()) {
        bytes += decoded_size(value.raw);
      } else if (key == "source") {
        bytes += member(value, "data").raw.size() / 4 * 3;
      }
    });
  });
  return bytes;
}

}  // namespace

LineFate ClaudeLines::read(std::string_view text) {
  ClaudeLine line(blocks_);
  if (!line.read(text)) {
    return LineFate::broken;
  }
  line.time = pens_.notes.time(line.timestamp);
  identify(line);
  entitle(line);
  if (!line.type.is_string()) {
    return LineFate::unknown;
  }
  const std::string_view type = line.type.raw;
  if (type == "user") {
    return user(line);
  }
  if (type == "assistant") {
    return assistant(line);
  }
  if (type == "system") {
    return system(line);
  }
  if (type == "attachment") {
    return attachment(line);
  }
  return is_silent(type) ? LineFate::skipped : LineFate::unknown;
}

void ClaudeLines::identify(const ClaudeLine& line) {
  SessionOutline& outline = pens_.outline;
  OutlineBuilder::set_once(outline.project, line.cwd);
  OutlineBuilder::set_once(outline.git_branch, line.git_branch);
  if (!line.has_message) {
    OutlineBuilder::set_once(some_session_id_, line.session_id);
    return;
  }
  if (sub_agent_) {
    return;
  }
  // The first message decides whether it is a sub-agent's file, which carries its parent's id.
  if (outline.session_id.empty() && line.sidechain && line.agent_id.is_string()) {
    sub_agent_ = true;
    OutlineBuilder::set_once(outline.parent_session_id, line.session_id);
    std::string agent;
    OutlineBuilder::set_once(agent, line.agent_id);
    outline.session_id = outline.parent_session_id + ":agent-" + agent;
    return;
  }
  // A session that goes on from another one begins with that one's lines: the last is its own.
  if (line.session_id.is_string() && line.session_id.raw != outline.session_id) {
    std::string before = outline.session_id;
    OutlineBuilder::set_newest(outline.session_id, line.session_id);
    if (!before.empty() && before != outline.session_id) {
      outline.parent_session_id = std::move(before);
    }
  }
}

// A person's own title wins over the model's, and that over the summary of some branch.
void ClaudeLines::entitle(const ClaudeLine& line) {
  OutlineBuilder::set_newest(own_title_, line.custom_title);
  OutlineBuilder::set_newest(model_title_, line.ai_title);
  if (line.type.raw == "summary") {
    OutlineBuilder::set_newest(summary_title_, line.summary);
  }
}

void ClaudeLines::finish() {
  SessionOutline& outline = pens_.outline;
  outline.title = !own_title_.empty()     ? own_title_
                  : !model_title_.empty() ? model_title_
                                          : summary_title_;
  if (outline.session_id.empty()) {
    outline.session_id = some_session_id_;
  }
}

LineFate ClaudeLines::user(const ClaudeLine& line) {
  if (line.meta) {
    return LineFate::skipped;
  }
  if (line.compact_summary) {
    pens_.turns.speaker(Speaker::compaction, line.time);
  } else {
    pens_.turns.speaker(is_aside(line) ? Speaker::sub_user : Speaker::user, line.time);
  }
  bool shown = false;
  if (line.message_content.is_string()) {
    shown = user_text(line, line.message_content);
  }
  line.each_block([&](const ClaudeBlock& block) { shown = user_block(line, block) || shown; });
  return shown ? LineFate::shown : LineFate::skipped;
}

bool ClaudeLines::user_text(const ClaudeLine& line, const JsonView& view) {
  const std::string& text = pens_.text_of(view);
  if (line.compact_summary && !trimmed(text).empty()) {
    pens_.notes.compacted(text);
    pens_.turns.say(text);
    return true;
  }
  const std::string_view words = without_asides(text);
  if (words.empty()) {
    return false;
  }
  if (is_interruption(words)) {
    pens_.notes.interrupted();
    pens_.turns.aside("Interrupted by the user.");
    return true;
  }
  if (is_shell_line(words)) {
    pens_.turns.say(shell_line_of(words));
    return true;
  }
  const std::string command = is_command(words) ? command_of(words) : std::string();
  // Blanks before the first word may be code.
  const bool whole = words.size() == trimmed(text).size();
  pens_.turns.say(!command.empty() ? command : whole ? std::string_view(text) : words);
  if (!command.empty()) {
    pens_.notes.commanded(command);
  } else if (!is_aside(line)) {
    pens_.notes.asked(words);
  }
  return true;
}

bool ClaudeLines::user_block(const ClaudeLine& line, const ClaudeBlock& parts) {
  const std::string_view type = parts.type.raw;
  if (type == "text") {
    return user_text(line, parts.text);
  }
  if (type == "image" || type == "document") {
    const std::uint64_t bytes = member(parts.source, "data").raw.size() / 4 * 3;
    pens_.turns.remark("[" + std::string(type) + ", " + size_text(bytes) + "]");
    return true;
  }
  if (type.ends_with("tool_result")) {
    const std::string said = said_in_result(parts);
    pens_.turns.result(parts.tool_use_id.raw,
                       result_bytes(parts.content),
                       parts.is_error ? Outcome::failed : Outcome::done);
    pens_.turns.say(said);
    return true;
  }
  return false;
}

std::string ClaudeLines::said_in_result(const ClaudeBlock& block) {
  const std::string_view tool = pens_.turns.waiting_tool(block.tool_use_id.raw);
  if (!block.is_error && tool != "AskUserQuestion") {
    return {};  // most of a file's bytes: not even decoded
  }
  JsonView content = block.content;
  each_element(block.content, [&](const JsonView& part) {
    const JsonView text = member(part, "text");
    content = content.is_string() ? content : text;
  });
  const std::string_view text = pens_.text_of(content);
  return std::string(block.is_error ? refusal_in(trimmed(text)) : answer_in(tool, trimmed(text)));
}

LineFate ClaudeLines::assistant(const ClaudeLine& line) {
  pens_.turns.speaker(is_aside(line) ? Speaker::sub_assistant : Speaker::assistant, line.time);
  if (line.model.raw != "<synthetic>" && !is_aside(line)) {
    OutlineBuilder::set_newest(pens_.outline.model, line.model);
  }
  if (line.message_content.is_string()) {
    const std::string& text = pens_.text_of(line.message_content);
    pens_.turns.say(text);
    pens_.notes.answered(text);
    return LineFate::shown;
  }
  bool shown = false;
  line.each_block([&](const ClaudeBlock& block) { shown = assistant_block(line, block) || shown; });
  return shown ? LineFate::shown : LineFate::skipped;
}

bool ClaudeLines::assistant_block(const ClaudeLine& line, const ClaudeBlock& parts) {
  const std::string_view type = parts.type.raw;
  if (type == "text" && parts.text.is_string()) {
    const std::string& text = pens_.text_of(parts.text);
    pens_.turns.say(text);
    if (line.api_error) {
      pens_.notes.failed(text);
    } else if (!is_aside(line)) {
      pens_.notes.answered(text);
    }
    return true;
  }
  if (!line.api_error && !is_aside(line)) {
    pens_.notes.went_on();
  }
  if (type.ends_with("tool_use")) {
    called(parts.name, parts.id, parts.input);
    return true;
  }
  if (type.ends_with("tool_result")) {
    pens_.turns.result(parts.tool_use_id.raw, result_bytes(parts.content), Outcome::done);
    return true;
  }
  if (type == "thinking" || type == "redacted_thinking") {
    ++pens_.outline.thinking_blocks;
  }
  return false;
}

void ClaudeLines::called(const JsonView& name, const JsonView& id, const JsonView& input) {
  static constexpr std::array<std::string_view, 4> kWriters{
      "Edit", "MultiEdit", "NotebookEdit", "Write"};
  ToolCall call;
  call.id = std::string(id.raw.substr(0, 128));
  call.name = tool_name(name.raw);
  call.argument = main_argument(input, pens_.clean);
  call.input_bytes = input.raw.size();
  if (std::find(kWriters.begin(), kWriters.end(), call.name) != kWriters.end()) {
    std::string path;
    OutlineBuilder::set_once(path, member(input, "file_path"));
    OutlineBuilder::set_once(path, member(input, "notebook_path"));
    pens_.notes.touched_file(path);
  } else if (call.name == "Bash") {
    pens_.notes.touched_command(command_line(member(input, "command")));
  }
  pens_.turns.call(std::move(call));
}

LineFate ClaudeLines::system(const ClaudeLine& line) {
  const std::string_view subtype = line.subtype.raw;
  if (subtype == "compact_boundary" || subtype == "microcompact_boundary") {
    pens_.turns.aside("The context was compacted here.");
    return LineFate::shown;
  }
  // One that will be tried again is no end.
  if (subtype == "api_error" && line.retry_in_ms.kind != JsonKind::number) {
    const JsonView said = member(line.error, "message");
    pens_.notes.failed(said.is_string()           ? pens_.text_of(said)
                       : line.content.is_string() ? pens_.text_of(line.content)
                                                  : std::string("an error of the service"));
  }
  return LineFate::skipped;
}

// What a person wrote while a turn was running has no line of its own in newer versions.
LineFate ClaudeLines::attachment(const ClaudeLine& line) {
  if (member(line.attachment, "type").raw != "queued_command" ||
      member(line.attachment, "commandMode").raw == "task-notification") {
    return LineFate::skipped;
  }
  const JsonView prompt = member(line.attachment, "prompt");
  pens_.turns.speaker(is_aside(line) ? Speaker::sub_user : Speaker::user, line.time);
  bool shown = prompt.is_string() && user_text(line, prompt);
  each_element(prompt, [&](const JsonView& block) {
    shown = user_block(line, ClaudeBlock(block)) || shown;
  });
  return shown ? LineFate::shown : LineFate::skipped;
}

}  // namespace daybook::harness
