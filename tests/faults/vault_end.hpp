// SPDX-License-Identifier: MIT
//
// How a vault is at the end of a trial, as texts that can be compared: its files, the program's
// answers without what differs each time, and how two ends differ. Reads only. Any thread.
#pragma once

#include "support/program.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace daybook::faults {

/// Empty if it cannot be read.
std::string bytes_of(const std::filesystem::path& path);
/// All regular files, sorted.
std::vector<std::filesystem::path> files_below(const std::string& folder);
/// What half-made files are called: temporaries, databases being built.
bool is_leftover(const std::string& name);
/// Without what tells when and how often a pass ran, and without scores: words that are only hidden
/// from searches count in them until their month is built anew.
std::string without_counters(const std::string& json);
/// The lines that only one of the two has.
std::string difference(const std::string& seen, const std::string& expected);

/// How a program ended and what it said.
std::string ending(const support::ProgramOutcome& outcome);
/// Whether an error says where, why and what to do.
bool is_telling(const std::string& stderr_text);

}  // namespace daybook::faults
