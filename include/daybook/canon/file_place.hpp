// SPDX-License-Identifier: MIT
//
// Where a canonical file is and where the lock of its session is kept. A plain value.
#pragma once

#include <string>

namespace daybook::canon {

struct FilePlace {
  std::string workspace;    ///< the folder that holds memory/
  std::string path;         ///< workspace-relative: memory/….md
  std::string lock_folder;  ///< outside the vault; made if missing
};

}  // namespace daybook::canon
