// SPDX-License-Identifier: MIT
//
// Workspace, state folder and machine -> what is wrong with them, each with what to do; and the
// cures that are safe. Looking writes nothing but what opening a sound state.db brings up to date,
// and never fails as a whole: what cannot be learnt is itself a finding. Treating removes what
// Daybook itself has left behind, tightens modes of the state folder and runs a pass; it never
// touches a note. A treatment that is cut off may simply be run again. One thread.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/harness/session_list.hpp"
#include "daybook/service/work_progress.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace daybook::doctor {

enum class FindingSeverity : std::uint8_t { ok, info, warning, error };

/// `ok`, `info`, …
std::string_view to_string(FindingSeverity severity);

/// What `treat` would do about a finding.
enum class Remedy : std::uint8_t {
  none,  ///< a person has to
  tighten_modes,
  clear_lock_note,
  remove_leftovers,
  run_pass,
  run_full_pass,
};

struct Finding {
  std::string check;  ///< what was looked at, such as `disk-space`
  std::string name;   ///< what was found; stable. `CHECK-ok`, `CHECK-unknown`, or the problem's own
  FindingSeverity severity = FindingSeverity::ok;
  std::string message;             ///< one sentence
  std::string hint;                ///< what to do; empty: nothing
  Remedy remedy = Remedy::none;    ///< if it is not none, `treat` can mend it
  bool fixed = false;              ///< it was found, and is gone after the treatment
  std::vector<std::string> paths;  ///< what it is about, as far as that is files; the first few

  bool is_problem() const { return severity >= FindingSeverity::warning && !fixed; }
};

struct DoctorReport {
  std::vector<Finding> findings;
  bool indexed = true;  ///< false: there is no state folder yet

  /// No warning and no error is left.
  bool ok() const;
};

struct DiskSpace {
  std::uint64_t free_bytes = 0;
  std::optional<std::uint64_t> free_inodes;  ///< nothing: the file system has no fixed number
};

/// What the machine says, handed in so that tests can say something else.
struct SystemFacts {
  std::string proc = "/proc";  ///< where the kernel tells of processes and limits
  uid_t user = 0;              ///< whose processes and files are ours
  std::int64_t wall_clock_ms = 0;
  std::function<Result<DiskSpace>(const std::string& path)> disk_space;
  harness::Environment environment;  ///< where a harness keeps its sessions; none: not looked for
};

SystemFacts this_system();

enum class Depth : std::uint8_t {
  sample,      ///< some files are compared with the index
  everything,  ///< all of them, and the databases are read page by page
};

struct DoctorRequest {
  std::string workspace;   ///< real path
  std::string state_path;  ///< where the state is or would be; it need not be there
  std::string agent;       ///< whose sessions a harness keeps; empty: anybody's
  Depth depth = Depth::sample;
  std::chrono::milliseconds wait{5000};  ///< of a cure, for another process
  SystemFacts system;
};

DoctorReport examine(base::Disk& disk,
                     const base::Clock& clock,
                     const DoctorRequest& request,
                     service::WorkProgress& progress);

/// What treat() would do about what was found, one sentence each.
std::vector<std::string> planned_deeds(const DoctorReport& found);

struct Treatment {
  DoctorReport report;             ///< of a second look; what is gone by then is marked as fixed
  std::vector<std::string> deeds;  ///< what was done, one sentence each
  std::optional<Error> problem;    ///< what kept it from being done; the rest was done
};

Treatment treat(base::Disk& disk,
                const base::Clock& clock,
                const DoctorRequest& request,
                const DoctorReport& found,
                service::WorkProgress& progress);

}  // namespace daybook::doctor
