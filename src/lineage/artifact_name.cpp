// SPDX-License-Identifier: MIT
#include "daybook/lineage/artifact_name.hpp"

#include <algorithm>

namespace daybook::lineage {
namespace {

constexpr std::string_view kExtension = ".md";
constexpr std::string_view kSeparator = "--";

bool is_token_shaped(std::string_view text) {
  return text.size() == SessionToken::kLength && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
         });
}

/// Whether a readable time is spelt as Daybook writes it: milliseconds, and no leap second.
bool is_written_form(std::string_view time_text) {
  constexpr std::string_view kForm = "0000-00-00T00-00-00.000Z";
  return time_text.size() == kForm.size() && time_text.substr(17, 2) != "60";
}

/// `{time}--{token}--{word}` without the extension.
NameReading read_stem(std::string_view stem) {
  NameReading reading;
  const std::size_t second = stem.rfind(kSeparator);
  const std::size_t first = stem.find(kSeparator);
  if (first == std::string_view::npos || second < first + kSeparator.size()) {
    return reading;  // fewer than two separators; `---` is one
  }
  const std::string_view word = stem.substr(second + kSeparator.size());
  const std::string_view time_text = stem.substr(0, first);
  reading.token_text = stem.substr(first + kSeparator.size(), second - first - kSeparator.size());
  const auto kind = kind_from_string(word);
  const auto time = parse_file_timestamp(time_text);
  const auto token = SessionToken::parse(reading.token_text);
  reading.name.token = token.value_or(SessionToken{});
  const bool token_shaped = is_token_shaped(reading.token_text);
  if (!kind || (!time && !token_shaped)) {
    // A person may well call a note `plan--q3--summary`: two parts of three must fit.
    reading.form = time && token_shaped ? NameForm::unknown_kind : NameForm::other;
    return reading;
  }
  reading.kind = kind;
  reading.name.kind = *kind;
  if (!time) {
    reading.form = NameForm::bad_timestamp;
    return reading;
  }
  reading.name.captured_at = *time;
  reading.form = token ? NameForm::artifact : NameForm::bad_token;
  reading.canonical = token && is_written_form(time_text);
  return reading;
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// `name.sync-conflict-20260328-223406-ABCDEFG`
std::optional<std::string_view> before_syncthing_mark(std::string_view stem) {
  constexpr std::string_view kMark = ".sync-conflict-";
  const std::size_t at = stem.rfind(kMark);
  if (at == std::string_view::npos || at == 0) {
    return std::nullopt;
  }
  const std::string_view rest = stem.substr(at + kMark.size());
  const bool dated = rest.size() > 15 && all_digits(rest.substr(0, 8)) && rest[8] == '-' &&
                     all_digits(rest.substr(9, 6));
  return dated ? std::optional(stem.substr(0, at)) : std::nullopt;
}

/// `name (Conflicted copy phone 202603282234)`, `name (conflicted copy 2026-03-28 223406)`
std::optional<std::string_view> before_conflicted_copy_mark(std::string_view stem) {
  if (!stem.ends_with(')')) {
    return std::nullopt;
  }
  // The last bracket before the words: a device's name may have brackets of its own after them.
  const std::size_t words = stem.rfind("onflicted copy");
  const std::size_t at = stem.substr(0, words).rfind(" (");
  if (words == std::string_view::npos || at == std::string_view::npos || at == 0) {
    return std::nullopt;
  }
  return stem.substr(0, at);
}

/// `name (1)`
std::optional<std::string_view> before_counter(std::string_view stem) {
  const std::size_t at = stem.rfind(" (");
  if (at == std::string_view::npos || !stem.ends_with(')')) {
    return std::nullopt;
  }
  const std::string_view number = stem.substr(at + 2, stem.size() - at - 3);
  return all_digits(number) ? std::optional(stem.substr(0, at)) : std::nullopt;
}

/// `…--summary-LAPTOP`: the kind is followed by a machine's name.
std::optional<std::string_view> before_machine(std::string_view stem) {
  const std::size_t separator = stem.rfind(kSeparator);
  if (separator == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t dash = stem.find('-', separator + kSeparator.size());
  if (dash == std::string_view::npos || dash + 1 == stem.size()) {
    return std::nullopt;
  }
  return stem.substr(0, dash);
}

bool is_artifact_stem(std::optional<std::string_view> stem) {
  return stem && read_stem(*stem).form == NameForm::artifact;
}

std::optional<std::string_view> stem_of(std::string_view file_name) {
  if (!file_name.ends_with(kExtension)) {
    return std::nullopt;
  }
  return file_name.substr(0, file_name.size() - kExtension.size());
}

}  // namespace

std::string to_string(const ArtifactName& name) {
  std::string text = to_file_string(name.captured_at);
  text.append(kSeparator).append(name.token.to_string());
  text.append(kSeparator).append(to_string(name.kind)).append(kExtension);
  return text;
}

NameReading read_artifact_name(std::string_view file_name) {
  const auto stem = stem_of(file_name);
  if (!stem) {
    return {};
  }
  NameReading reading = read_stem(*stem);
  if (reading.form == NameForm::artifact) {
    return reading;
  }
  if (const auto original = conflict_copy_of(file_name); is_artifact_stem(original)) {
    reading = read_stem(*original);
    reading.form = NameForm::conflict_copy;
    reading.canonical = false;
  }
  return reading;
}

std::optional<std::string_view> conflict_copy_of(std::string_view file_name) {
  const auto stem = stem_of(file_name);
  if (!stem) {
    return std::nullopt;
  }
  if (const auto original = before_syncthing_mark(*stem)) {
    return original;
  }
  if (const auto original = before_conflicted_copy_mark(*stem)) {
    return original;
  }
  // Weaker marks: a person may well call a note `Plan (1)`, so they count on artifacts only.
  for (const auto& original : {before_counter(*stem), before_machine(*stem)}) {
    if (is_artifact_stem(original)) {
      return original;
    }
  }
  return std::nullopt;
}

}  // namespace daybook::lineage
