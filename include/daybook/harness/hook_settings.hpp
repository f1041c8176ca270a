// SPDX-License-Identifier: MIT
//
// Claude Code's settings.json + the command to call -> the same text with our hooks in it, or with
// them taken out. The text is edited in place: order, unknown keys, numbers and layout of
// everything else stay byte for byte, and both texts are read again afterwards to prove it.
// Installing twice changes nothing; uninstalling gives back the bytes from before, if nobody else
// changed the file meanwhile. Text that is no strict JSON (comments, trailing commas) or has an
// unexpected shape is refused with line and column, and nothing is lost. Pure; any thread.
#pragma once

#include "daybook/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace daybook::harness {

/// A hook is ours if its command is a program of that name, options, and the words `hook
/// claude-code`, wherever the program lies and however its path is quoted; and nothing else, such
/// as a second command.
bool is_our_hook(std::string_view command, std::string_view program = "daybook");

/// The different commands of ours; none in text that cannot be read.
std::vector<std::string> our_hooks(std::string_view settings, std::string_view program = "daybook");

/// `command` for SessionStart, PreCompact, PostCompact and SessionEnd (which gets 60 seconds). It
/// must be one of ours, and replaces an older path of the same program. An empty text becomes a new
/// file.
Result<std::string> with_hooks(std::string_view settings,
                               std::string_view command,
                               std::string_view program = "daybook");

/// Empty if the file was ours alone: it need not exist.
Result<std::string> without_hooks(std::string_view settings, std::string_view program = "daybook");

}  // namespace daybook::harness
