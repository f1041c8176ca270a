// SPDX-License-Identifier: MIT
//
// Answers as JSON: one object on stdout.
#pragma once

#include "cli/json.hpp"
#include "cli/terminal.hpp"

#include <cstdio>

namespace daybook::cli {

inline void print_json(const Json& answer) { print(stdout, answer.pretty() + "\n"); }

}  // namespace daybook::cli
