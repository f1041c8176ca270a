// SPDX-License-Identifier: MIT
//
// A disk whose plug can be pulled: vault and state lie in the image of a file system, and a process
// does the same kind of deed over and over, noting outside of the image what was acknowledged. At a
// random moment everything stands still, and the image is copied as the disk has it, without what
// the system still held in memory. In the copy the notes are compared with what is there.
//
// One thread. Processes and mounts end with the call that made them. Throws std::runtime_error when
// the machine does not do as it is told.
#pragma once

#include "gauntlet/row.hpp"
#include "support/program.hpp"
#include "support/temp_folder.hpp"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace daybook::gauntlet {

/// none: no call of the deeds that makes bytes durable does anything.
enum class Sync : std::uint8_t { real, none };
enum class FileSystem : std::uint8_t { ext4, btrfs, xfs };

/// Where the disk is mounted, and the program that works on it.
class PowerDesk {
 public:
  PowerDesk(const support::TempFolder& place, Sync sync) : place_(place), sync_(sync) {}

  /// Beside the disk, where nothing is lost.
  [[nodiscard]] const support::TempFolder& place() const { return place_; }
  [[nodiscard]] std::string disk() const { return place_.at("disk"); }
  [[nodiscard]] std::string vault() const { return place_.at("disk/vault"); }
  [[nodiscard]] std::string state() const { return place_.at("disk/state"); }

  support::ProgramOutcome daybook(const std::vector<std::string>& arguments,
                                  const std::string& input = {}) const;

  /// What must hold after any cut: a pass, no errors, nothing half-made, nothing that a rebuild
  /// would make otherwise.
  void judge_recovery(Complaints& complaints) const;

 private:
  void judge_rebuild(Complaints& complaints) const;
  [[nodiscard]] std::string answers() const;

  const support::TempFolder& place_;
  Sync sync_;
};

/// What is done until the plug is pulled.
struct PowerWork {
  std::string name;  ///< of what is acknowledged, such as "removals"
  int most = 0;      ///< deeds, numbered from 0 on
  /// On the empty disk. False: it does not work.
  std::function<bool(const PowerDesk&)> prepare;
  /// One deed -> the line that notes its acknowledgement. Empty: there was none.
  std::function<std::string(const PowerDesk&, int number)> act;
  /// What of the noted is not whole.
  std::function<Complaints(const PowerDesk&, const std::vector<std::string>& noted)> judge;
};

PowerWork power_removals();
/// Sessions' ends, resumed sessions and compactions.
PowerWork power_captures();
/// What hooks put into the spool.
PowerWork power_hooks();

struct PowerCut {
  std::size_t acknowledged = 0;
  Complaints complaints;
};

class PowerTrial {
 public:
  PowerTrial(PowerWork work, FileSystem file_system, Sync sync)
      : work_(std::move(work)), file_system_(file_system), sync_(sync) {}

  /// Throws Skipped where this machine makes or mounts no such image.
  void prepare() const;
  PowerCut cut(std::mt19937_64& random) const;

 private:
  [[nodiscard]] pid_t start_writer() const;
  void copy_image() const;

  support::TempFolder place_;
  PowerWork work_;
  FileSystem file_system_;
  Sync sync_;
};

/// The bytes of a file; none if it is not there.
std::string file_bytes(const std::string& path);

}  // namespace daybook::gauntlet
