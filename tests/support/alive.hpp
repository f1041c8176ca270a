// SPDX-License-Identifier: MIT
//
// Process number -> does it still run? One that has ended counts as ended even while nobody has
// asked for its exit code: in a container there may be nobody who ever does.
#pragma once

#include <csignal>
#include <fstream>
#include <string>
#include <sys/types.h>

namespace daybook::support {

inline bool is_alive(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string stat((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name_end = stat.rfind(')');
  if (name_end != std::string::npos && name_end + 2 < stat.size()) {
    return stat[name_end + 2] != 'Z' && stat[name_end + 2] != 'X';
  }
  return !std::ifstream("/proc/self/stat") && ::kill(process, 0) == 0;
}

}  // namespace daybook::support
