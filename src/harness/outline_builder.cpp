// SPDX-License-Identifier: MIT
#include "harness/outline_builder.hpp"

#include "harness/quoted_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace daybook::harness {
namespace {

std::string bounded(std::string_view text, std::size_t most) {
  return std::string(cut_bytes(trimmed(text), most));
}

std::string name_of(const JsonView& text) {
  std::string name;
  // Six bytes of an escape are at least one of the name.
  append_decoded(text.raw.substr(0, 6 * kOutlineNameBytes), name);
  repair_utf8(name);
  return std::string(cut_bytes(name, kOutlineNameBytes));
}

std::string_view next_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t\n\r;|&()<>"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

bool is_plain(std::string_view word) {
  return !word.empty() && word.size() <= 64 && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' ||
           c == '+';
  });
}

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  return equals != std::string_view::npos && equals > 0 && word.find('/') > equals;
}

bool runs_another(std::string_view word) {
  static constexpr std::array<std::string_view, 7> kRunners{
      "sudo", "env", "time", "nohup", "exec", "command", "nice"};
  return std::find(kRunners.begin(), kRunners.end(), word) != kRunners.end();
}

}  // namespace

void OutlineBuilder::set_once(std::string& field, const JsonView& text) {
  if (field.empty() && text.is_string()) {
    field = name_of(text);
  }
}

void OutlineBuilder::set_newest(std::string& field, const JsonView& text) {
  if (text.is_string() && !text.raw.empty() && text.raw != field) {
    field = name_of(text);
  }
}

std::optional<lineage::Timestamp> OutlineBuilder::time(const JsonView& text) {
  const auto time = text.is_string() ? lineage::parse_timestamp(text.raw) : std::nullopt;
  if (time) {
    outline_.started_at = std::min(outline_.started_at.value_or(*time), *time);
    outline_.ended_at = std::max(outline_.ended_at.value_or(*time), *time);
  }
  return time;
}

void OutlineBuilder::asked(std::string_view text) {
  if (trimmed(text).empty()) {
    return;
  }
  if (outline_.request.empty()) {
    outline_.request = bounded(text, kOutlineTextBytes);
  }
  outline_.interrupted = false;
}

void OutlineBuilder::commanded(std::string_view text) {
  if (command_.empty()) {
    command_ = bounded(text, kOutlineTextBytes);
  }
}

void OutlineBuilder::answered(std::string_view text) {
  if (trimmed(text).empty()) {
    return;
  }
  outline_.last_outcome = bounded(text, kOutlineTextBytes);
  went_on();
}

void OutlineBuilder::went_on() {
  outline_.interrupted = false;
  outline_.error.clear();
}

void OutlineBuilder::failed(std::string_view error) {
  outline_.error = bounded(error, kOutlineTextBytes);
}

void OutlineBuilder::interrupted() { outline_.interrupted = true; }

void OutlineBuilder::compacted(std::string_view summary) {
  if (!trimmed(summary).empty()) {
    outline_.compact_summary = bounded(summary, kOutlineTextBytes);
  }
}

void OutlineBuilder::touched_file(std::string_view path) {
  touch(std::string(cut_bytes(path, kOutlineNameBytes)));
}

void OutlineBuilder::touched_command(std::string_view command) { touch(main_word(command)); }

void OutlineBuilder::touch(std::string name) {
  auto& touched = outline_.touched;
  if (!name.empty() && touched.size() < kMostTouched &&
      std::find(touched.begin(), touched.end(), name) == touched.end()) {
    touched.push_back(std::move(name));
  }
}

void OutlineBuilder::finish() {
  if (outline_.request.empty()) {
    outline_.request = command_;
  }
}

std::string main_word(std::string_view command) {
  for (int tries = 0; tries < 16; ++tries) {
    const std::string_view word = next_word(command);
    if (word == "cd") {
      const std::size_t next = command.find("&&");
      if (next == std::string_view::npos) {
        return "cd";
      }
      command.remove_prefix(next + 2);
    } else if (!is_assignment(word) && !runs_another(word)) {
      const std::string_view name = word.substr(word.find_last_of('/') + 1);
      return is_plain(name) ? std::string(name) : std::string();
    }
  }
  return {};
}

}  // namespace daybook::harness
