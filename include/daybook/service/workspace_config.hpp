// SPDX-License-Identifier: MIT
//
// Workspace -> its settings: daybook.yaml if there is one, else the defaults. A file that is there
// but cannot be read or understood is an error, never the defaults.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/parse/config.hpp"

#include <string>

namespace daybook::service {

Result<parse::Config> load_config(base::Disk& disk, const std::string& workspace);

}  // namespace daybook::service
