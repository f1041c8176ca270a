// SPDX-License-Identifier: MIT
#include "cli/transcript.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace daybook::test {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

bool is_prose(const std::string& line) { return line.empty() || line.starts_with("#"); }

/// Blank lines at the end belong to the prose that follows: no command prints them.
void hand_over_blank_lines(TranscriptStep& step, std::string& prose) {
  while (step.output.ends_with("\n\n") || step.output == "\n") {
    step.output.pop_back();
    prose += "\n";
  }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

}  // namespace

Transcript read_transcript(std::string_view text) {
  constexpr std::string_view kVault = "# vault: ";
  Transcript transcript;
  std::string prose;
  bool in_step = false;
  std::string before;  // the line
  for (const std::string& line : lines_of(text)) {
    if (in_step && line.starts_with("# ") && before.empty()) {
      hand_over_blank_lines(transcript.steps.back(), prose);
      in_step = false;
    }
    if (line.starts_with("$ ")) {
      if (in_step) {
        hand_over_blank_lines(transcript.steps.back(), prose);
      }
      transcript.steps.push_back({prose, line.substr(2), {}, 0});
      prose.clear();
      in_step = true;
    } else if (in_step && line.starts_with("> ") && transcript.steps.back().output.empty()) {
      transcript.steps.back().command += "\n" + line.substr(2);
    } else if (in_step && line.starts_with("[exit ")) {
      transcript.steps.back().exit_code = std::stoi(line.substr(6));
      in_step = false;
    } else if (in_step) {
      transcript.steps.back().output += line + "\n";
    } else if (is_prose(line)) {
      prose += line + "\n";
      if (line.starts_with(kVault)) {
        transcript.vaults.push_back(line.substr(kVault.size()));
      }
    } else {
      throw std::runtime_error("neither a command nor its output: " + line);
    }
    before = line;
  }
  if (in_step) {
    hand_over_blank_lines(transcript.steps.back(), prose);
  }
  return transcript;
}

std::string to_text(const Transcript& transcript) {
  std::string text;
  for (const TranscriptStep& step : transcript.steps) {
    text += step.prose + "$ " + replaced(step.command, "\n", "\n> ") + "\n" + step.output;
    text += step.exit_code == 0 ? "" : "[exit " + std::to_string(step.exit_code) + "]\n";
  }
  return text;
}

std::string normalised(std::string text, const std::string& work, const std::string& home) {
  text = replaced(std::move(text), work, "/somewhere");
  text = replaced(std::move(text), home, "/home/you");
  static const std::regex seconds(R"( in \d+\.\d\d s\b)");
  static const std::regex milliseconds(R"("duration_ms":( ?)\d+)");
  static const std::regex version(R"(daybook \d+\.\d+\.\d+[-+.0-9a-z]*)");
  text = std::regex_replace(text, seconds, " in 0.01 s");
  text = std::regex_replace(text, milliseconds, "\"duration_ms\":$011");
  return std::regex_replace(text, version, "daybook 0.1.0");
}

std::string difference(std::string_view expected, std::string_view actual) {
  const auto left = lines_of(expected);
  const auto right = lines_of(actual);
  // common[i][j]: how many lines the rests from i and from j have in common, in order.
  std::vector<std::vector<std::size_t>> common(left.size() + 1,
                                               std::vector<std::size_t>(right.size() + 1, 0));
  for (std::size_t i = left.size(); i-- > 0;) {
    for (std::size_t j = right.size(); j-- > 0;) {
      common[i][j] = left[i] == right[j] ? common[i + 1][j + 1] + 1
                                         : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string text;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() || j < right.size()) {
    if (i < left.size() && j < right.size() && left[i] == right[j]) {
      text += "    " + left[i++] + "\n";
      ++j;
    } else if (j == right.size() || (i < left.size() && common[i + 1][j] >= common[i][j + 1])) {
      text += "  - " + left[i++] + "\n";
    } else {
      text += "  + " + right[j++] + "\n";
    }
  }
  return text;
}

}  // namespace daybook::test
