// SPDX-License-Identifier: MIT
#include "harness/quoted_text.hpp"
#include "harness/session_lines.hpp"
#include "harness/tool_input.hpp"

#include <algorithm>
#include <array>

namespace daybook::harness {

/// What the model was given or gave: an item of the conversation.
struct CodexLines::Item {
  JsonView type, role, content, name, arguments, input, output, call_id, id, action, status;

  explicit Item(const JsonView& object) {
    static constexpr std::array<std::pair<std::string_view, JsonView Item::*>, 11> kViews{{
        {"type", &Item::type},
        {"role", &Item::role},
        {"content", &Item::content},
        {"name", &Item::name},
        {"arguments", &Item::arguments},
        {"input", &Item::input},
        {"output", &Item::output},
        {"call_id", &Item::call_id},
        {"id", &Item::id},
        {"action", &Item::action},
        {"status", &Item::status},
    }};
    each_member(object, [&](std::string_view key, const JsonView& value) {
      for (const auto& [name_of_view, field] : kViews) {
        if (key == name_of_view) {
          this->*field = value;
          return;
        }
      }
    });
  }
};

namespace {

/// What the harness puts into a user's mouth.
bool is_injected(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kMarks{"<environment_context>",
                                                          "<user_instructions>",
                                                          "<permissions instructions>",
                                                          "<collaboration_mode>",
                                                          "<turn_aborted>",
                                                          "<skill>",
                                                          "<INSTRUCTIONS>",
                                                          "# AGENTS.md instructions"};
  return std::any_of(
      kMarks.begin(), kMarks.end(), [&](std::string_view mark) { return text.starts_with(mark); });
}

/// Editors put what is open in them before what a person asked; the last part is the request.
std::string_view without_editor_context(std::string_view whole) {
  constexpr std::string_view kRequest = "## My request for Codex:";
  const std::string_view text = trimmed(whole);
  if (!text.starts_with("# Context from my IDE setup:") &&
      !text.starts_with("# Files mentioned by the user:")) {
    return whole;
  }
  const std::size_t at = text.find(kRequest);
  return at == std::string_view::npos ? whole : trimmed(text.substr(at + kRequest.size()));
}

/// An error of the connection that the harness gets over by itself.
bool announces_retry(std::string_view message) {
  return message.find("retrying") != std::string_view::npos ||
         message.find("Reconnecting") != std::string_view::npos;
}

/// Items that are known and have nothing to show.
bool is_silent(std::string_view type) {
  static constexpr std::array<std::string_view, 5> kSilent{
      "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other"};
  return std::find(kSilent.begin(), kSilent.end(), type) != kSilent.end();
}

std::uint64_t text_bytes(const JsonView& output) {
  if (output.is_string()) {
    return decoded_size(output.raw);
  }
  std::uint64_t bytes = 0;
  each_element(output, [&](const JsonView& part) {
    const JsonView text = member(part, "text");
    bytes += text.is_string() ? decoded_size(text.raw) : member(part, "image_url").raw.size();
  });
  if (output.is_object()) {
    bytes = decoded_size(member(output, "content").raw);
  }
  return bytes;
}

/// `… code 1 …`: a number other than 0 behind the words.
bool says_failure(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) {
    return false;
  }
  const std::string_view rest = text.substr(at + words.size());
  return !rest.empty() && ((rest.front() >= '1' && rest.front() <= '9') || rest.front() == '-');
}

/// Shells say how a command ended in the first lines of its output, in one of three spellings.
bool is_failure(const JsonView& output) {
  if (output.is_object()) {
    const JsonView success = member(output, "success");
    return success.kind == JsonKind::boolean && !success.is_true();
  }
  const std::string_view raw = output.raw;
  const std::string_view beginning = raw.substr(0, 256);
  if (says_failure(beginning, "Exit code: ") || says_failure(beginning, "exited with code ")) {
    return true;
  }
  const std::string_view end = raw.substr(raw.size() - std::min<std::size_t>(raw.size(), 256));
  return beginning.starts_with("{\\\"output\\\"") && says_failure(end, "\\\"exit_code\\\":");
}

}  // namespace

LineFate CodexLines::read(std::string_view text) {
  JsonView type;
  JsonView payload;
  JsonView timestamp;
  bool state = false;
  bool meta = false;  // the first line of older files
  const JsonView line{JsonKind::object, text};
  const bool whole = each_member(line, [&](std::string_view key, const JsonView& value) {
    if (key == "type") {
      type = value;
    } else if (key == "payload") {
      payload = value;
    } else if (key == "timestamp") {
      timestamp = value;
    }
    state = state || key == "record_type";
    meta = meta || key == "instructions" || key == "git";
  });
  if (!whole) {
    return LineFate::broken;
  }
  const auto time = pens_.notes.time(timestamp);
  if (type.raw == "response_item") {
    return item(payload, time);
  }
  if (type.raw == "event_msg") {
    return event(payload);
  }
  if (type.raw == "session_meta") {
    session(payload);
    return LineFate::skipped;
  }
  if (type.raw == "turn_context") {
    OutlineBuilder::set_newest(pens_.outline.model, member(payload, "model"));
    OutlineBuilder::set_once(pens_.outline.project, member(payload, "cwd"));
    return LineFate::skipped;
  }
  if (type.raw == "compacted") {
    const std::string& summary = pens_.text_of(member(payload, "message"));
    pens_.notes.compacted(summary);
    pens_.turns.speaker(Speaker::compaction, time);
    pens_.turns.say(summary);
    pens_.turns.aside("The context was compacted here.");
    return LineFate::shown;
  }
  if (type.kind == JsonKind::none) {
    if (meta) {
      session(line);
    }
    return meta || state ? LineFate::skipped : LineFate::unknown;
  }
  return item(line, time);
}

void CodexLines::session(const JsonView& payload) {
  SessionOutline& outline = pens_.outline;
  if (!outline.session_id.empty()) {
    return;  // a fork carries its parent's line behind its own
  }
  OutlineBuilder::set_once(outline.session_id, member(payload, "id"));
  OutlineBuilder::set_once(outline.project, member(payload, "cwd"));
  OutlineBuilder::set_once(outline.git_branch, member(member(payload, "git"), "branch"));
  const JsonView spawn = member(member(member(payload, "source"), "subagent"), "thread_spawn");
  OutlineBuilder::set_once(outline.parent_session_id, member(spawn, "parent_thread_id"));
  OutlineBuilder::set_once(outline.parent_session_id, member(payload, "parent_thread_id"));
  OutlineBuilder::set_once(outline.parent_session_id, member(payload, "forked_from_id"));
}

LineFate CodexLines::item(const JsonView& payload, std::optional<lineage::Timestamp> time) {
  const Item parts(payload);
  const std::string_view type = parts.type.raw;
  if (type == "message") {
    return message(parts, time);
  }
  if (type.ends_with("_call")) {
    call(parts, time);
    return LineFate::shown;
  }
  if (type.ends_with("_output")) {
    result(parts);
    return LineFate::shown;
  }
  if (type == "reasoning") {
    ++pens_.outline.thinking_blocks;
    return LineFate::skipped;
  }
  return is_silent(type) ? LineFate::skipped : LineFate::unknown;
}

LineFate CodexLines::message(const Item& item, std::optional<lineage::Timestamp> time) {
  const bool user = item.role.raw == "user";
  if (!user && item.role.raw != "assistant") {
    return LineFate::skipped;
  }
  pens_.turns.speaker(user ? Speaker::user : Speaker::assistant, time);
  bool shown = false;
  const auto say = [&](const JsonView& view) {
    const std::string_view whole = pens_.text_of(view);
    const std::string_view text = user ? without_editor_context(whole) : whole;
    if (trimmed(text).empty() || (user && is_injected(trimmed(text)))) {
      return;
    }
    pens_.turns.say(text);
    user ? pens_.notes.asked(text) : pens_.notes.answered(text);
    shown = true;
  };
  if (item.content.is_string()) {
    say(item.content);
  }
  each_element(item.content, [&](const JsonView& part) {
    const std::string_view type = member(part, "type").raw;
    if (type == "input_image") {
      const std::uint64_t bytes = member(part, "image_url").raw.size() / 4 * 3;
      pens_.turns.remark("[image, " + size_text(bytes) + "]");
      shown = true;
    } else if (type.ends_with("text")) {
      say(member(part, "text"));
    }
  });
  return shown ? LineFate::shown : LineFate::skipped;
}

void CodexLines::call(const Item& item, std::optional<lineage::Timestamp> time) {
  pens_.turns.speaker(Speaker::assistant, time);
  pens_.notes.went_on();
  ToolCall call;
  call.id = std::string((item.call_id.is_string() ? item.call_id : item.id).raw.substr(0, 128));
  const std::string_view type = item.type.raw;
  call.name = tool_name(item.name.is_string() ? item.name.raw : type.substr(0, type.size() - 5));
  const JsonView given = item.arguments.is_string() ? item.arguments
                         : item.input.is_string()   ? item.input
                                                    : item.action;
  call.input_bytes = given.is_string() ? decoded_size(given.raw) : given.raw.size();
  // Arguments are JSON within a string; a custom tool's input is plain text.
  const std::string text = given.is_string() ? pens_.text_of(given) : std::string(given.raw);
  const JsonView arguments = read_json(text);
  JsonView command = member(arguments, "command");
  command = command.kind == JsonKind::none ? member(arguments, "cmd") : command;
  if (arguments.is_object()) {
    call.argument = main_argument(arguments, pens_.clean);
  } else {
    call.argument = main_argument(text, pens_.clean);
  }
  if (call.name == "apply_patch" || text.find("*** Begin Patch") != std::string::npos) {
    const JsonView patch = member(arguments, "input");
    note_patch(patch.is_string() ? decoded(patch.raw) : text, pens_.notes);
  } else if (command.kind != JsonKind::none) {
    pens_.notes.touched_command(command_line(command));
  }
  // What the service itself runs has no result of its own.
  const bool alone = type == "web_search_call" || type == "image_generation_call";
  const std::string id = call.id;
  pens_.turns.call(std::move(call));
  if (alone) {
    pens_.turns.flush_calls();
  }
}

void CodexLines::result(const Item& item) {
  const JsonView output = item.output;
  pens_.turns.result((item.call_id.is_string() ? item.call_id : item.id).raw,
                     text_bytes(output),
                     is_failure(output) ? Outcome::failed : Outcome::done);
}

// Events repeat what the items say, but for how a turn ended.
LineFate CodexLines::event(const JsonView& payload) {
  const std::string_view type = member(payload, "type").raw;
  if (type == "turn_aborted") {
    pens_.notes.interrupted();
    pens_.turns.aside("Interrupted by the user.");
    return LineFate::shown;
  }
  if (type == "error" || type == "stream_error") {
    const std::string& said = pens_.text_of(member(payload, "message"));
    if (!announces_retry(said)) {
      pens_.notes.failed(said);
    }
  } else if (type == "thread_name_updated") {
    OutlineBuilder::set_newest(pens_.outline.title, member(payload, "thread_name"));
  }
  return LineFate::skipped;
}

}  // namespace daybook::harness
