// SPDX-License-Identifier: MIT
//
// Answers as JSON: one object, ASCII only, so that no control character of a note reaches a
// terminal through it; text that is not UTF-8 becomes U+FFFD.
#pragma once

#include "cli/terminal.hpp"

#include <cstdio>

namespace daybook::cli {

/// Json is nlohmann's, which only the sources may name.
template <typename Json>
void print_json(const Json& answer) {
  print(stdout, answer.dump(2, ' ', true, Json::error_handler_t::replace) + "\n");
}

}  // namespace daybook::cli
