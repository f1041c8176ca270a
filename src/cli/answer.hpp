// SPDX-License-Identifier: MIT
//
// Answers as JSON: one object on stdout.
#pragma once

#include "cli/terminal.hpp"
#include "daybook/base/json.hpp"

#include <cstdio>

namespace daybook::cli {

using base::Json;

inline void print_json(const Json& answer) { print(stdout, answer.pretty() + "\n"); }

}  // namespace daybook::cli
