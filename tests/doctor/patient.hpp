// SPDX-License-Identifier: MIT
//
// An indexed vault on a machine in the best of health, of which a test then spoils one thing: what
// the doctor's tests begin with. Limits and processes are those of a made-up /proc.
#pragma once

#include "daybook/doctor/doctor.hpp"
#include "support/aged_disk.hpp"
#include "support/indexed_vault.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace daybook::test {

using Names = std::vector<std::string>;

inline const doctor::Finding* find(const doctor::DoctorReport& report, std::string_view name) {
  const auto found = std::find_if(report.findings.begin(),
                                  report.findings.end(),
                                  [name](const auto& finding) { return finding.name == name; });
  return found == report.findings.end() ? nullptr : &*found;
}

/// Names of what is wrong, in the order of the report.
inline Names problems(const doctor::DoctorReport& report) {
  Names names;
  for (const doctor::Finding& finding : report.findings) {
    if (finding.is_problem()) {
      names.push_back(finding.name);
    }
  }
  return names;
}

inline Names fixed(const doctor::DoctorReport& report) {
  Names names;
  for (const doctor::Finding& finding : report.findings) {
    if (finding.fixed) {
      names.push_back(finding.name);
    }
  }
  return names;
}

/// Everything below a folder that could have been changed, but what SQLite keeps beside a database.
inline std::map<std::string, std::string> tree_of(const std::filesystem::path& root) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string name = entry.path().lexically_relative(root).string();
    if (name.ends_with("-wal") || name.ends_with("-shm")) {
      continue;
    }
    struct stat raw {};
    ::lstat(entry.path().c_str(), &raw);
    std::string& state = tree[name];
    state = std::to_string(raw.st_ino) + " " + std::to_string(raw.st_mode) + " ";
    if (entry.is_regular_file()) {
      std::ifstream file(entry.path(), std::ios::binary);
      state.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  return tree;
}

class Patient {
 public:
  Patient() {
    vault.add(support::SessionFiles("default", "gate", "2026-03-28T22:34:06.792Z"));
    limit("max_user_watches", 8192);
    limit("max_user_instances", 128);
    limit("max_queued_events", 16384);
    request.workspace = std::filesystem::canonical(vault.workspace()).string();
    request.state_path = vault.folder().path();
    request.wait = {};
    request.system = doctor::this_system();
    request.system.proc = vault.place().at("proc");
    request.system.disk_space = [](const std::string&) -> Result<doctor::DiskSpace> {
      return doctor::DiskSpace{std::uint64_t{1} << 40U, 1'000'000};
    };
    request.system.environment = [this](const char* name) -> std::optional<std::string> {
      return std::string_view(name) == "HOME" ? std::optional(vault.place().at("home"))
                                              : std::nullopt;
    };
  }

  void settle() { vault.reindex(); }

  doctor::DoctorReport examine(doctor::Depth depth = doctor::Depth::sample) {
    request.depth = depth;
    service::WorkProgress progress;
    return doctor::examine(disk, vault.clock(), request, progress);
  }

  doctor::Treatment treat(doctor::Depth depth = doctor::Depth::sample) {
    const doctor::DoctorReport found = examine(depth);
    service::WorkProgress progress;
    return doctor::treat(disk, vault.clock(), request, found, progress);
  }

  void limit(const std::string& name, int value) const {
    vault.place().write("proc/sys/fs/inotify/" + name, std::to_string(value) + "\n");
  }

  /// A process of this user with one inotify descriptor.
  void add_process(int pid, const std::string& name, int watches) const {
    const std::string folder = "proc/" + std::to_string(pid);
    vault.place().write(folder + "/comm", name + "\n");
    vault.place().make_folder(folder + "/fd");
    vault.place().make_link(folder + "/fd/3", "/dev/null");
    vault.place().make_link(folder + "/fd/5", "anon_inode:inotify");
    std::string lines = "pos:\t0\nflags:\t02000000\n";
    for (int i = 1; i <= watches; ++i) {
      lines += "inotify wd:" + std::to_string(i) + " ino:2a sdev:800001 mask:fce\n";
    }
    vault.place().write(folder + "/fdinfo/5", lines);
    vault.place().write(folder + "/fdinfo/3", "inotify wd: of no inotify descriptor\n");
  }

  support::IndexedVault vault;
  support::AgedDisk disk;
  doctor::DoctorRequest request;
};

}  // namespace daybook::test
