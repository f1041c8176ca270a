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

}  // namespace

// Names are compared as written: no version of the harness escapes them.
bool ClaudeLine::read(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, JsonView ClaudeLine::*>, 14> kViews{{
      {"type", &ClaudeLine::type},
      {"subtype", &ClaudeLine::subtype},
      {"message", &ClaudeLine::message},
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
  }};
  static constexpr std::array<std::pair<std::string_view, bool ClaudeLine::*>, 4> kFlags{{
      {"isMeta", &ClaudeLine::meta},
      {"isSidechain", &ClaudeLine::sidechain},
      {"isCompactSummary", &ClaudeLine::compact_summary},
      {"isApiErrorMessage", &ClaudeLine::api_error},
  }};
  return each_member({JsonKind::object, text}, [&](std::string_view key, const JsonView& value) {
    for (const auto& [name, field] : kViews) {
      if (key == name) {
        this->*field = value;
        return;
      }
    }
    for (const auto& [name, field] : kFlags) {
      if (key == name) {
        this->*field = value.is_true();
        return;
      }
    }
  });
}

ClaudeBlock::ClaudeBlock(const JsonView& block) {
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
  each_member(block, [&](std::string_view key, const JsonView& value) {
    for (const auto& [name_of_view, field] : kViews) {
      if (key == name_of_view) {
        this->*field = value;
        return;
      }
    }
    is_error = is_error || (key == "is_error" && value.is_true());
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

bool is_claude_aside(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kMarks{"<local-command-",
                                                          "<bash-stdout>",
                                                          "<bash-stderr>",
                                                          "<task-notification>",
                                                          "<system-reminder>"};
  return std::any_of(
      kMarks.begin(), kMarks.end(), [&](std::string_view mark) { return text.starts_with(mark); });
}

}  // namespace daybook::harness
