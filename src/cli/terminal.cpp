// SPDX-License-Identifier: MIT
#include "cli/terminal.hpp"

#include "cli/answer.hpp"
#include "cli/screen.hpp"
#include "daybook/base/printable.hpp"

#include <cerrno>
#include <cstdlib>
#include <unistd.h>

namespace daybook::cli {
namespace {

/// Why the first of stdout's writes failed that did; the stream itself keeps only that one did.
int problem_of_answer = 0;

void keep_problem_of_answer() {
  if (problem_of_answer == 0) {
    problem_of_answer = errno != 0 ? errno : EIO;
  }
}

std::string_view code_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::busy:
      return "busy";
    case ErrorKind::no_workspace:
      return "no-workspace";
    case ErrorKind::not_found:
      return "not-found";
    case ErrorKind::not_permitted:
      return "not-permitted";
    case ErrorKind::not_regular:
      return "not-regular";
    case ErrorKind::already_exists:
      return "already-exists";
    case ErrorKind::damaged:
      return "damaged";
    case ErrorKind::io:
      break;
  }
  return "io";
}

}  // namespace

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return kWrongUsage;
    case ErrorKind::busy:
      return kBusy;
    case ErrorKind::no_workspace:
      return kNoWorkspace;
    default:
      return kIoFailure;
  }
}

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

Palette palette_for(std::FILE* stream, ColorChoice choice) {
  const char* no_color = std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): start-up
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool wanted = choice == ColorChoice::always ||
                      (choice == ColorChoice::automatic && !refused && is_terminal(stream));
  if (!wanted) {
    return {};
  }
  return {"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[32m", "\x1b[0m"};
}

void print(std::FILE* stream, std::string_view text) {
  errno = 0;
  const bool is_out = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!is_out && stream == stdout) {
    keep_problem_of_answer();
  }
}

Result<void> flush_answer() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    keep_problem_of_answer();
  }
  if (problem_of_answer != 0) {
    return base::system_error(
        "the answer could not be written", "standard output", problem_of_answer);
  }
  return {};
}

int fail(const Error& error, const Settings& settings) {
  if (settings.json) {
    print_json(Json::object({{"error",
                              Json::object({{"code", code_name(error.kind)},
                                            {"message", error.message},
                                            {"path", error.path},
                                            {"hint", error.hint}})}}));
    return exit_code(error.kind);
  }
  const Palette colors = palette_for(stderr, settings.color);
  std::string text = "daybook: ";
  text.append(colors.red).append("error: ").append(colors.reset);
  if (!error.path.empty()) {
    text += base::printable(error.path) + ": ";
  }
  text += base::printable(error.message) + "\n";
  if (!error.hint.empty()) {  // of several lines if it quotes a log
    text += "  " + printable_text(error.hint);
  }
  print(stderr, text);
  return exit_code(error.kind);
}

std::string grouped(unsigned long long number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) {
    digits.insert(at - 3, 1, ',');
  }
  return digits;
}

std::string counted(unsigned long long number, std::string_view noun) {
  std::string text = grouped(number) + " ";
  text.append(noun).append(number == 1 ? "" : "s");
  return text;
}

}  // namespace daybook::cli
