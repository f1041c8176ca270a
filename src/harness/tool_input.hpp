// SPDX-License-Identifier: MIT
//
// The input that a tool was called with -> its one argument worth showing, and what it touches.
// Only the beginning of long values is decoded. Pure; any thread.
#pragma once

#include "daybook/harness/session_file.hpp"
#include "harness/json_view.hpp"
#include "harness/outline_builder.hpp"

#include <string>
#include <string_view>

namespace daybook::harness {

inline constexpr std::size_t kArgumentCharacters = 120;

/// A path, command, pattern, query …, else the first text; on one line, cut at 120 characters, but
/// cleaned before that: a secret that is cut in two is not recognised any more.
std::string main_argument(const JsonView& input, const CleanText& clean);

/// The same for a command line or a patch that is the whole input.
std::string main_argument(std::string_view text, const CleanText& clean);

/// A shell's command: text, or a list such as ["bash", "-lc", "make"].
std::string command_line(const JsonView& command);

/// The files that a patch (`*** Update File: …`) adds, changes or deletes.
void note_patch(std::string_view patch, OutlineBuilder& notes);

}  // namespace daybook::harness
