// SPDX-License-Identifier: MIT
//
// What a terminal shows: colours when wanted, errors in one form, exit codes. stdout is the answer,
// stderr is the talk.
#pragma once

#include "cli/settings.hpp"
#include "daybook/base/result.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace daybook::cli {

inline constexpr int kDone = 0;
inline constexpr int kProblemsFound = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kBusy = 3;
inline constexpr int kNoWorkspace = 4;
inline constexpr int kIoFailure = 5;
inline constexpr int kInterrupted = 130;

int exit_code(ErrorKind kind);

/// SGR sequences, all empty when colour is off.
struct Palette {
  std::string_view bold;
  std::string_view dim;
  std::string_view red;
  std::string_view yellow;
  std::string_view cyan;
  std::string_view green;
  std::string_view reset;
};

/// Colour on `stream`: as asked for, else when it is a terminal and NO_COLOR is not set.
Palette palette_for(std::FILE* stream, ColorChoice choice);

bool is_terminal(std::FILE* stream);

/// Shows an error in the form that the settings ask for and returns its exit code.
int fail(const Error& error, const Settings& settings);

void print(std::FILE* stream, std::string_view text);

/// Hands on what was printed to stdout. It fails for the first reason ever met, whoever asks again:
/// an answer that could not be written is no answer.
Result<void> flush_answer();

/// 1234567 -> "1,234,567"
std::string grouped(unsigned long long number);

/// "1 error", "2 errors"
std::string counted(unsigned long long number, std::string_view noun);

}  // namespace daybook::cli
