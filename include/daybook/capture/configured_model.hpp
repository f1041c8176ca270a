// SPDX-License-Identifier: MIT
//
// The model that daybook.yaml names, ready to be asked; null: none is named. `~/` before a command
// is the person's home. Asks nothing yet, so it cannot fail: a key that is missing or a program
// that is not there is told by the first answer.
#pragma once

#include "daybook/model/model.hpp"
#include "daybook/parse/config.hpp"

#include <memory>
#include <string>

namespace daybook::capture {

std::unique_ptr<model::Model> configured_model(const parse::ModelConfig& config);

/// Where the file of capture.literals_file is; empty: none is named.
std::string literals_path(const parse::CaptureConfig& config, const std::string& workspace);

}  // namespace daybook::capture
