// SPDX-License-Identifier: MIT
#include "faults/vault_end.hpp"

#include "daybook/base/atomic_file.hpp"
#include "support/text_lines.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace daybook::faults {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> files_below(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_leftover(const std::string& name) {
  return base::is_temporary_name(name) || name.find(".db.new") != std::string::npos;
}

std::string without_counters(const std::string& json) {
  std::string text;
  for (const std::string& line : support::lines_of(json)) {
    const bool counter = line.find("\"generation\"") != std::string::npos ||
                         line.find("\"last_sweep\"") != std::string::npos ||
                         line.find("\"fresh\"") != std::string::npos ||
                         line.find("\"score\"") != std::string::npos ||
                         line.find("_ms\"") != std::string::npos;
    text += counter ? "" : line + "\n";
  }
  return text;
}

std::string difference(const std::string& seen, const std::string& expected) {
  const auto a = support::lines_of(seen);
  const auto b = support::lines_of(expected);
  const std::set<std::string> in_a(a.begin(), a.end());
  const std::set<std::string> in_b(b.begin(), b.end());
  std::string text;
  for (const std::string& line : a) {
    text += in_b.contains(line) ? "" : "\n    + " + line;
  }
  for (const std::string& line : b) {
    text += in_a.contains(line) ? "" : "\n    - " + line;
  }
  return text;
}

std::string ending(const support::ProgramOutcome& outcome) {
  return (outcome.signal != 0 ? "signal " + std::to_string(outcome.signal)
                              : "exit " + std::to_string(outcome.exit_code)) +
         ": " + outcome.err;
}

bool is_telling(const std::string& stderr_text) {
  // The path, why, and below it what to do.
  static const std::regex kError(R"(daybook: error: \S+: [^\n]+\n  \S)");
  // What stands beside an answer: why, on which path, and what to do.
  static const std::regex kNotice(R"(daybook: .*: .* \(\S+\)\. [A-Z].*\.)");
  return std::regex_search(stderr_text, kError) || std::regex_search(stderr_text, kNotice);
}

}  // namespace daybook::faults
