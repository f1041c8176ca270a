// SPDX-License-Identifier: MIT
//
// What the disk alone takes of a publication: as many bytes written and waited for as the service
// does before MEMORY.md is the new one, by hand. Beside the measured files, so that it is the same
// disk in the same hour. One thread.
#pragma once

#include <cstddef>
#include <string>

namespace daybook::bench {

class SyncedByHand {
 public:
  /// `folder` is made, and removed at the end. `bytes`: of the file that is replaced.
  SyncedByHand(std::string folder, std::size_t bytes);
  SyncedByHand(const SyncedByHand&) = delete;
  SyncedByHand& operator=(const SyncedByHand&) = delete;
  ~SyncedByHand();

  /// Milliseconds; negative: it could not be done.
  double replace_once();

 private:
  std::string folder_;
  std::string text_;
  int log_ = -1;
  std::size_t next_ = 0;
};

}  // namespace daybook::bench
