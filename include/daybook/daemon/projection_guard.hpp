// SPDX-License-Identifier: MIT
//
// Notices within moments that somebody has deleted or altered a published MEMORY.md, which lies
// outside of what is watched. Only looks at times and sizes; whether the bytes are right is the
// publisher's matter. Waits for one look at rest, so that nobody is disturbed while saving. One
// thread.
#pragma once

#include <string>
#include <vector>

namespace daybook::daemon {

class ProjectionGuard {
 public:
  /// What was just published, or found right: full paths.
  void remember(std::vector<std::string> paths);
  /// True when one of them differs from then and rests. Told once for each alteration.
  bool altered();

 private:
  std::vector<std::string> paths_;
  std::string known_;  // marks as they were when remembered
  std::string seen_;   // ... at the last look
};

}  // namespace daybook::daemon
