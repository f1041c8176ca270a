// SPDX-License-Identifier: MIT
//
// A session file + a folder -> whether the session worked in it or below it: by the working folder
// that the file's beginning tells, else by the name of the folder that the harness keeps it in,
// where every character but letters and digits became a dash. A file that cannot be read is judged
// by that name alone. Reads no more than the beginning.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/harness/session_list.hpp"

#include <string>

namespace daybook::service {

struct SessionSource {
  const std::string& root;
  harness::Format harness;
};

bool is_session_of_project(base::Disk& disk,
                           const SessionSource& source,
                           const harness::SessionFile& file,
                           const std::string& project);

}  // namespace daybook::service
