// SPDX-License-Identifier: MIT
#include "harness/tool_input.hpp"

#include "harness/quoted_text.hpp"

#include <algorithm>
#include <array>

namespace daybook::harness {
namespace {

constexpr std::size_t kDecodedBytes = 4096;

constexpr std::array<std::string_view, 13> kTelling{"file_path",
                                                    "notebook_path",
                                                    "command",
                                                    "cmd",
                                                    "pattern",
                                                    "query",
                                                    "url",
                                                    "path",  // of a search: where, not what
                                                    "skill",
                                                    "description",
                                                    "prompt",
                                                    "name",
                                                    "title"};

/// Without the word at its end, of which only the beginning may be there.
void drop_last_word(std::string& text) {
  const std::size_t end = text.find_last_of(" \t\n\r");
  text.resize(end == std::string::npos ? 0 : end);
}

std::string beginning_of(const JsonView& text) {
  std::string decoded;
  append_decoded(text.raw.substr(0, kDecodedBytes), decoded);
  repair_utf8(decoded);
  if (text.raw.size() > kDecodedBytes) {
    drop_last_word(decoded);
  }
  return decoded;
}

}  // namespace

std::string main_argument(std::string_view text, const CleanText& clean) {
  std::string beginning(cut_bytes(text, kDecodedBytes));
  if (text.size() > kDecodedBytes) {
    drop_last_word(beginning);
  }
  return one_line(clean ? clean(beginning) : beginning, kArgumentCharacters);
}

std::string main_argument(const JsonView& input, const CleanText& clean) {
  JsonView best;
  std::size_t best_rank = kTelling.size() + 1;
  each_member(input, [&](std::string_view key, const JsonView& value) {
    if (!value.is_string() && !(value.is_array() && key == "command")) {
      return;
    }
    const auto rank = static_cast<std::size_t>(std::find(kTelling.begin(), kTelling.end(), key) -
                                               kTelling.begin());
    if (rank < best_rank) {
      best_rank = rank;
      best = value;
    }
  });
  return best.kind == JsonKind::none ? std::string() : main_argument(command_line(best), clean);
}

std::string command_line(const JsonView& command) {
  if (command.is_string()) {
    return beginning_of(command);
  }
  std::string joined;
  std::string last;
  bool shell = false;
  int number = 0;
  each_element(command, [&](const JsonView& word) {
    if (!word.is_string() || joined.size() > kDecodedBytes) {
      return;
    }
    last = beginning_of(word);
    shell = (number == 0 && (last.ends_with("sh"))) || (number > 0 && shell);
    shell = shell && (number != 1 || last == "-lc" || last == "-c");
    joined += (number == 0 ? "" : " ") + last;
    ++number;
  });
  return shell && number == 3 ? last : joined;
}

void note_patch(std::string_view patch, OutlineBuilder& notes) {
  static constexpr std::array<std::string_view, 3> kHeads{
      "*** Add File: ", "*** Update File: ", "*** Delete File: "};
  while (!patch.empty()) {
    const std::size_t end = std::min(patch.find('\n'), patch.size());
    const std::string_view line = patch.substr(0, end);
    for (const std::string_view head : kHeads) {
      if (line.starts_with(head)) {
        notes.touched_file(trimmed(line.substr(head.size())));
      }
    }
    patch.remove_prefix(std::min(end + 1, patch.size()));
  }
}

}  // namespace daybook::harness
