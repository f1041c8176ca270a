// SPDX-License-Identifier: MIT
#include "daybook/lineage/learning.hpp"

#include <algorithm>
#include <charconv>

namespace daybook::lineage {
namespace {

constexpr Timestamp kFirstLearning{1'577'836'800'000};  // 2020-01-01T00:00:00Z
constexpr std::uint32_t kRandomBits = 12;
constexpr std::size_t kLongestSlug = 48;

template <typename Value, std::size_t Count>
std::optional<Value> value_of(const std::array<std::string_view, Count>& names,
                              std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt
                              : std::optional(static_cast<Value>(found - names.begin()));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// ASCII letters and digits in lower case, `between` for each run of anything else between them.
std::string plain_words(std::string_view text, char between, std::size_t most) {
  std::string words;
  bool gap = false;
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((lower < 'a' || lower > 'z') && (lower < '0' || lower > '9')) {
      gap = true;
      continue;
    }
    if (words.size() + 2 > most) {
      break;
    }
    if (gap && !words.empty()) {
      words.push_back(between);
    }
    gap = false;
    words.push_back(lower);
  }
  return words;
}

/// `2026-11-18 …` or `20261118-…`.
bool begins_with_date(std::string_view name, std::size_t dash) {
  constexpr std::size_t kYear = 4;
  constexpr std::size_t kDay = 8;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool month_follows = dash == kYear && name.size() > kYear + 2 &&
                             is_digit(name[kYear + 1]) && is_digit(name[kYear + 2]) &&
                             (name.size() == kYear + 3 || !is_digit(name[kYear + 3]));
  return (month_follows || dash == kDay) && (name.starts_with("19") || name.starts_with("20"));
}

}  // namespace

std::optional<LearningKind> learning_kind_from_string(std::string_view name) {
  return value_of<LearningKind>(kLearningKindNames, name);
}

std::optional<MemoryType> memory_type_from_string(std::string_view name) {
  return value_of<MemoryType>(kMemoryTypeNames, name);
}

std::optional<LearningStatus> learning_status_from_string(std::string_view name) {
  return value_of<LearningStatus>(kLearningStatusNames, name);
}

std::optional<LearningOrigin> learning_origin_from_string(std::string_view name) {
  return value_of<LearningOrigin>(kLearningOriginNames, name);
}

std::optional<Sensitivity> sensitivity_from_string(std::string_view name) {
  return value_of<Sensitivity>(kSensitivityNames, name);
}

MemoryType memory_type_of(LearningKind kind) {
  switch (kind) {
    case LearningKind::procedure:
      return MemoryType::procedural;
    case LearningKind::episode:
      return MemoryType::episodic;
    default:
      return MemoryType::semantic;
  }
}

std::string to_string(const LearningScope& scope) {
  return std::string(to_string(scope.kind)).append(":").append(scope.id);
}

std::optional<LearningScope> learning_scope_from_string(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  const auto kind = value_of<ScopeKind>(kScopeKindNames, trimmed(text.substr(0, colon)));
  const std::string_view id = trimmed(text.substr(colon + 1));
  if (!kind || id.empty() || (*kind == ScopeKind::workspace && id != "default")) {
    return std::nullopt;
  }
  return LearningScope{*kind, std::string(id)};
}

std::string learning_category(std::string_view text) {
  constexpr std::size_t kLongestCategory = 64;
  std::string category = plain_words(text, '_', kLongestCategory);
  return category.empty() ? "general" : category;
}

std::uint64_t learning_id(Timestamp now, std::uint32_t random) {
  const auto since =
      static_cast<std::uint64_t>(std::max<std::int64_t>(1, now.ms - kFirstLearning.ms));
  return std::min(kMostLearningId, (since << kRandomBits) | (random & ((1U << kRandomBits) - 1)));
}

Timestamp learning_time(std::uint64_t id) {
  return {kFirstLearning.ms + static_cast<std::int64_t>(id >> kRandomBits)};
}

std::optional<std::uint64_t> learning_id_from_string(std::string_view text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size() || text.front() == '0' ||
      id > kMostLearningId) {
    return std::nullopt;
  }
  return id;
}

std::string learning_slug(std::string_view content) {
  std::string slug = plain_words(content.substr(0, content.find('\n')), '-', kLongestSlug);
  return slug.empty() ? "note" : slug;
}

std::string learning_path(std::uint64_t id, std::string_view content) {
  return std::string(kLearningsFolder)
      .append("/")
      .append(std::to_string(id))
      .append("-")
      .append(learning_slug(content))
      .append(".md");
}

std::optional<std::uint64_t> learning_id_of_name(std::string_view file_name) {
  const std::size_t dash = file_name.find('-');
  const bool named = dash != std::string_view::npos && file_name.ends_with(".md") &&
                     !begins_with_date(file_name, dash);
  return named ? learning_id_from_string(file_name.substr(0, dash)) : std::nullopt;
}

SessionToken learning_token(std::string_view agent_id, std::uint64_t id) {
  return SessionToken::derive(agent_id, "learning:" + std::to_string(id));
}

std::string_view learning_owner(std::string_view claimed_agent) {
  return is_valid_agent_id(claimed_agent) ? claimed_agent : kDefaultAgent;
}

bool is_learning_path(std::string_view workspace_path) {
  return workspace_path.starts_with(kLearningsFolder) &&
         workspace_path.substr(kLearningsFolder.size()).starts_with('/') &&
         workspace_path.ends_with(".md");
}

}  // namespace daybook::lineage
