// SPDX-License-Identifier: MIT
#include "host/manager_command.hpp"

#include <sstream>

namespace daybook::host {
namespace {

std::string spelt(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text.append(text.empty() ? "" : " ").append(word);
  }
  return text;
}

}  // namespace

std::string words_of_failure(const ProgramAnswer& answer) {
  std::istringstream lines(answer.err.empty() ? answer.out : answer.err);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) {
      text.append(text.empty() ? "" : "; ").append(line);
    }
  }
  return text.empty() ? "exit code " + std::to_string(answer.exit_code) : text;
}

Result<std::string> command_manager(const std::vector<std::string>& words,
                                    std::chrono::milliseconds most) {
  TRY_ASSIGN(ProgramAnswer answer, ask_program(words, most));
  if (!answer.ok()) {
    return Error{ErrorKind::io,
                 "'" + spelt(words) + "' failed: " + words_of_failure(answer),
                 {},
                 "'daybook service logs' may tell more."};
  }
  return std::move(answer.out);
}

}  // namespace daybook::host
