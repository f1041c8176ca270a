// SPDX-License-Identifier: MIT
#include "harness/claude_line.hpp"

#include "harness/quoted_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace daybook::harness {
namespace {

std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(begin + open.size());
  return text.substr(0, text.find(close));
}

bool is_aside_element(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNames{"bash-stdout",
                                                          "bash-stderr",
                                                          "ide_diagnostics",
                                                          "ide_opened_file",
                                                          "ide_selection",
                                                          "new-diagnostics",
                                                          "system-reminder",
                                                          "task-notification",
                                                          "user-prompt-submit-hook"};
  return name.starts_with("local-command-") ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

bool ClaudeLine::read(std::string_view text) {
  blocks_.clear();
  JsonWalker walker(text);
  return walker.members([&](std::string_view key) { return read_member(key, walker); }) &&
         walker.at_end();
}

// Names are compared as written: no version of the harness escapes them.
bool ClaudeLine::read_member(std::string_view key, JsonWalker& walker) {
  static constexpr std::array<std::pair<std::string_view, JsonView ClaudeLine::*>, 14> kViews{{
      {"type", &ClaudeLine::type},
      {"subtype", &ClaudeLine::subtype},
      {"timestamp", &ClaudeLine::timestamp},
      {"sessionId", &ClaudeLine::session_id},
      {"cwd", &ClaudeLine::cwd},
      {"gitBranch", &ClaudeLine::git_branch},
      {"agentId", &ClaudeLine::agent_id},
      {"content", &ClaudeLine::content},
      {"summary", &ClaudeLine::summary},
      {"customTitle", &ClaudeLine::custom_title},
      {"aiTitle", &ClaudeLine::ai_title},
      {"attachment", &ClaudeLine::attachment},
      {"error", &ClaudeLine::error},
      {"retryInMs", &ClaudeLine::retry_in_ms},
  }};
  static constexpr std::array<std::pair<std::string_view, bool ClaudeLine::*>, 4> kFlags{{
      {"isMeta", &ClaudeLine::meta},
      {"isSidechain", &ClaudeLine::sidechain},
      {"isCompactSummary", &ClaudeLine::compact_summary},
      {"isApiErrorMessage", &ClaudeLine::api_error},
  }};
  if (key == "message") {
    return read_message(walker);
  }
  JsonView value;
  if (!walker.value(value)) {
    return false;
  }
  for (const auto& [name, field] : kViews) {
    if (key == name) {
      this->*field = value;
      return true;
    }
  }
  for (const auto& [name, field] : kFlags) {
    if (key == name) {
      this->*field = value.is_true();
      return true;
    }
  }
  return true;
}

// Of several messages the last counts, but of several contents in it the first.
bool ClaudeLine::read_message(JsonWalker& walker) {
  blocks_.clear();
  all_kept_ = true;
  model = {};
  message_content = {};
  has_message = walker.is_next('{');
  JsonView value;
  if (!has_message) {
    return walker.value(value);
  }
  return walker.members([&](std::string_view key) {
    const bool is_content = message_content.kind == JsonKind::none && key_is(key, "content");
    if (is_content && walker.is_next('[')) {
      return read_content(walker);
    }
    if (!walker.value(value, 1)) {
      return false;
    }
    if (is_content) {
      message_content = value;
    } else if (model.kind == JsonKind::none && key_is(key, "model")) {
      model = value;
    }
    return true;
  });
}

bool ClaudeLine::read_content(JsonWalker& walker) {
  const std::size_t begin = walker.offset();
  const bool whole = walker.elements([&] {
    if (blocks_.size() < kMostKept) {
      return blocks_.emplace_back().read(walker, 2);
    }
    JsonView ignored;
    all_kept_ = false;
    return walker.value(ignored, 2);
  });
  message_content = {JsonKind::array, walker.text_since(begin)};
  return whole;
}

ClaudeBlock::ClaudeBlock(const JsonView& block) {
  if (block.is_object()) {
    JsonWalker walker(block.raw);
    read(walker, 0);
  }
}

bool ClaudeBlock::read(JsonWalker& walker, int depth) {
  static constexpr std::array<std::pair<std::string_view, JsonView ClaudeBlock::*>, 8> kViews{{
      {"type", &ClaudeBlock::type},
      {"text", &ClaudeBlock::text},
      {"id", &ClaudeBlock::id},
      {"name", &ClaudeBlock::name},
      {"input", &ClaudeBlock::input},
      {"tool_use_id", &ClaudeBlock::tool_use_id},
      {"content", &ClaudeBlock::content},
      {"source", &ClaudeBlock::source},
  }};
  JsonView value;
  if (!walker.is_next('{')) {
    return walker.value(value, depth);
  }
  return walker.members([&](std::string_view key) {
    if (!walker.value(value, depth + 1)) {
      return false;
    }
    for (const auto& [name_of_view, field] : kViews) {
      if (key == name_of_view) {
        this->*field = value;
        return true;
      }
    }
    is_error = is_error || (key == "is_error" && value.is_true());
    return true;
  });
}

bool is_interruption(std::string_view text) {
  return text.starts_with("[Request interrupted by user");
}

bool is_command(std::string_view text) {
  return text.starts_with("<command-name>") || text.starts_with("<command-message>");
}

std::string command_of(std::string_view text) {
  std::string command(trimmed(between(text, "<command-name>", "</command-name>")));
  const std::string_view arguments = trimmed(between(text, "<command-args>", "</command-args>"));
  return arguments.empty() ? command : command + " " + std::string(arguments);
}

bool is_shell_line(std::string_view text) { return text.starts_with("<bash-input>"); }

std::string shell_line_of(std::string_view text) {
  return "! " + std::string(trimmed(between(text, "<bash-input>", "</bash-input>")));
}

std::string_view without_asides(std::string_view text) {
  text = trimmed(text);
  while (text.starts_with('<')) {
    const std::string_view name = text.substr(1, text.find_first_of(" >") - 1);
    if (!is_aside_element(name)) {
      break;
    }
    const std::string close = "</" + std::string(name) + ">";
    const std::size_t end = text.find(close);
    if (end == std::string_view::npos) {
      return {};  // cut off by the harness itself
    }
    text = trimmed(text.substr(end + close.size()));
  }
  return text;
}

std::string_view answer_in(std::string_view tool, std::string_view result) {
  constexpr std::string_view kBefore = "User has answered your questions:";
  constexpr std::string_view kBehind = "You can now continue with the user's answers in mind.";
  if (tool != "AskUserQuestion") {
    return {};
  }
  if (result.starts_with(kBefore)) {
    result.remove_prefix(kBefore.size());
  }
  return trimmed(result.substr(0, result.rfind(kBehind)));
}

std::string_view refusal_in(std::string_view result) {
  constexpr std::string_view kRefused = "The user doesn't want to ";
  constexpr std::string_view kBehind = "\n\nNote: The user's next message";
  static constexpr std::array<std::string_view, 2> kSaid{"the user said:",
                                                         "the following reason for the rejection:"};
  if (!result.starts_with(kRefused)) {
    return {};
  }
  for (const std::string_view said : kSaid) {
    if (const std::size_t at = result.find(said); at != std::string_view::npos) {
      const std::string_view reason = result.substr(at + said.size());
      return trimmed(reason.substr(0, reason.rfind(kBehind)));
    }
  }
  return {};
}

}  // namespace daybook::harness
