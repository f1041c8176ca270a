// SPDX-License-Identifier: MIT
//
// A folder as a disk would have it after the power went: what the shim noted as durable
// (shim_mirror.hpp) takes the place of what the file system says. One thread. Throws what the file
// system throws.
#pragma once

#include <map>
#include <string>

namespace daybook::faults {

/// Rules do not say which of the unsynced is lost; these are the ends of what may be.
enum class Survivors {
  synced,            ///< nothing that was not synced
  synced_and_names,  ///< of files the synced bytes, of folders the names as they are now
  synced_and_bytes,  ///< of folders the synced names, of files the bytes as they are now
  synced_and_some,   ///< the names as they are now, and of files every second page that is new
};

class DurableDisk {
 public:
  /// Everything below `folder` counts as durable now. It must lie in memory (tmpfs), where an
  /// inode's number is not given twice.
  DurableDisk(std::string folder, std::string mirror);

  [[nodiscard]] const std::string& mirror() const { return mirror_; }
  /// Puts what would be left into the place of the folder.
  void lose_power(Survivors survivors) const;

 private:
  [[nodiscard]] std::string of(const std::string& inode) const;
  [[nodiscard]] std::string survivors_of_file(Survivors survivors,
                                              const std::string& inode,
                                              const std::string& path) const;
  void gather(const std::string& inode,
              const std::string& path,
              std::map<std::string, std::string>& left) const;
  void replace_by(const std::map<std::string, std::string>& left) const;

  std::string folder_;
  std::string mirror_;
};

}  // namespace daybook::faults
