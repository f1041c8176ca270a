// SPDX-License-Identifier: MIT
//
// Settings that are allowed and hardly meant -> what to say of them. Pure.
#pragma once

#include "daybook/parse/config.hpp"

#include <string>
#include <vector>

namespace daybook::service {

struct ConfigDoubt {
  std::string message;
  std::string hint;
};

/// A key that is sent in plain text to another machine.
std::vector<ConfigDoubt> doubts_about(const parse::Config& config);

}  // namespace daybook::service
