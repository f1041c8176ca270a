// SPDX-License-Identifier: MIT
//
// Notices within moments that somebody has deleted or altered one of a few files outside of what is
// watched: a published MEMORY.md, daybook.yaml. Only looks at times and sizes; what that means is
// the caller's matter. Waits for one look at rest, so that nobody is disturbed while saving. One
// thread.
#pragma once

#include <string>
#include <vector>

namespace daybook::daemon {

class FileGuard {
 public:
  /// As they are now is right: full paths, which need not exist.
  void remember(std::vector<std::string> paths);
  /// True when one of them differs from then and rests. Told once for each alteration.
  bool altered();

 private:
  std::vector<std::string> paths_;
  std::string known_;  // marks as they were when remembered
  std::string seen_;   // ... at the last look
};

}  // namespace daybook::daemon
