// SPDX-License-Identifier: MIT
#include "cli/confirm.hpp"

#include "cli/terminal.hpp"

#include <cstdio>
#include <iostream>

namespace daybook::cli {

bool confirmed(const std::string& question) {
  if (!is_terminal(stdin) || !is_terminal(stderr)) {
    return false;
  }
  print(stderr, question + " [y/N] ");
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace daybook::cli
