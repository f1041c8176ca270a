// SPDX-License-Identifier: MIT
#include "daybook/lineage/artifact_name.hpp"

#include "lineage/conflict_mark.hpp"

#include <algorithm>

namespace daybook::lineage {
namespace {

constexpr std::string_view kExtension = ".md";
constexpr std::string_view kSeparator = "--";
// Copies of copies: two synchronisers on one vault, or one that met a second conflict. A bound.
constexpr int kMostMarks = 4;

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

/// `…--summary-LAPTOP`: the kind is followed by a machine's name.
std::optional<std::string_view> before_machine_behind_kind(std::string_view stem) {
  const std::size_t separator = stem.rfind(kSeparator);
  return separator == std::string_view::npos ? std::nullopt
                                             : before_machine(stem, separator + kSeparator.size());
}

bool is_artifact_stem(std::optional<std::string_view> stem) {
  return stem && read_stem(*stem).form == NameForm::artifact;
}

std::optional<std::string_view> before_any_mark(std::string_view stem) {
  for (const auto& before :
       {before_strong_mark(stem), before_number(stem), before_machine_behind_kind(stem)}) {
    if (before) {
      return before;
    }
  }
  return std::nullopt;
}

/// The weaker marks count on artifacts only: a person may well call a note `Plan (1)`.
std::optional<std::string_view> artifact_behind_marks(std::string_view stem) {
  auto before = before_any_mark(stem);
  for (int marks = 1; before && marks < kMostMarks && !is_artifact_stem(before); ++marks) {
    before = before_any_mark(*before);
  }
  return is_artifact_stem(before) ? before : std::nullopt;
}

std::optional<std::string_view> stem_of(std::string_view file_name) {
  if (!file_name.ends_with(kExtension)) {
    return std::nullopt;
  }
  return file_name.substr(0, file_name.size() - kExtension.size());
}

}  // namespace

std::string to_string(const ArtifactName& name) {
  constexpr std::size_t kLongest = 64;
  std::string text = to_file_string(name.captured_at);
  text.reserve(kLongest);
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
  if (const auto artifact = artifact_behind_marks(*stem)) {
    return artifact;
  }
  auto original = before_strong_mark(*stem);
  for (int marks = 1; original && marks < kMostMarks; ++marks) {
    const auto further = before_strong_mark(*original);
    original = further ? further : original;
  }
  return original;
}

std::optional<std::string_view> numbered_copy_of(std::string_view file_name) {
  const auto stem = stem_of(file_name);
  return stem ? before_number(*stem) : std::nullopt;
}

MemoryMdCopy read_memory_md_copy(std::string_view file_name) {
  constexpr std::string_view kMemoryMdStem = "MEMORY";
  const auto stem = stem_of(file_name);
  if (!stem || !stem->starts_with(kMemoryMdStem)) {
    return MemoryMdCopy::no;
  }
  MemoryMdCopy copy = MemoryMdCopy::certain;
  std::string_view rest = *stem;
  for (int marks = 0; marks < kMostMarks && rest != kMemoryMdStem; ++marks) {
    auto before = before_strong_mark(rest);
    if (!before) {
      copy = MemoryMdCopy::possible;
      before = before_number(rest);
      before = before ? before : before_machine(rest, kMemoryMdStem.size());
    }
    rest = before.value_or(std::string_view());
  }
  return rest == kMemoryMdStem && rest != *stem ? copy : MemoryMdCopy::no;
}

}  // namespace daybook::lineage
