// SPDX-License-Identifier: MIT
#include "daybook/doctor/doctor.hpp"

#include "daybook/service/pipeline.hpp"
#include "daybook/state/pipeline_lock.hpp"
#include "doctor/probes.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace daybook::doctor {
namespace {

constexpr std::size_t kMostPaths = 20;
constexpr const char* kCommand = "daybook doctor --fix";

Result<DiskSpace> space_of(const std::string& path) {
  struct statvfs found {};
  if (::statvfs(path.c_str(), &found) != 0) {
    return base::system_error("cannot ask for the free space", path, errno);
  }
  DiskSpace space;
  space.free_bytes = static_cast<std::uint64_t>(found.f_bavail) * found.f_frsize;
  if (found.f_files > 0) {  // 0: the file system makes them as they are needed
    space.free_inodes = found.f_favail;
  }
  return space;
}

std::set<Remedy> remedies_for(const DoctorReport& found) {
  std::set<Remedy> remedies;
  for (const Finding& finding : found.findings) {
    if (finding.remedy != Remedy::none) {
      remedies.insert(finding.remedy);
    }
  }
  if (remedies.contains(Remedy::run_full_pass)) {
    remedies.erase(Remedy::run_pass);
  }
  return remedies;
}

std::string planned(Remedy remedy) {
  switch (remedy) {
    case Remedy::tighten_modes:
      return "set the modes of the state folder to 0700 and of its files to 0600";
    case Remedy::clear_lock_note:
      return "clear the note in pipeline.lock";
    case Remedy::remove_leftovers:
      return "remove the files that were left behind";
    case Remedy::run_pass:
      return "run a pass, as 'daybook reindex' does";
    case Remedy::run_full_pass:
      return "build the index anew, as 'daybook reindex --full' does";
    case Remedy::none:
      break;
  }
  return {};
}

/// One attempt at everything that can be mended, in the order in which the one helps the other.
class Cure {
 public:
  Cure(base::Disk& disk,
       const base::Clock& clock,
       const DoctorRequest& request,
       service::WorkProgress& progress)
      : disk_(disk), clock_(clock), request_(request), progress_(progress) {}

  Treatment run(const DoctorReport& found) {
    const std::set<Remedy> remedies = remedies_for(found);
    if (remedies.contains(Remedy::tighten_modes)) {
      tighten_modes();
    }
    if (remedies.contains(Remedy::clear_lock_note) || remedies.contains(Remedy::remove_leftovers)) {
      keep(found.indexed ? clean_up_under_lock(remedies) : remove_leftovers());
    }
    const bool full = remedies.contains(Remedy::run_full_pass);
    if ((full || remedies.contains(Remedy::run_pass)) && !progress_.cancelled) {
      keep(run_pass(full ? service::Extent::everything : service::Extent::changes));
    }
    return std::move(treatment_);
  }

 private:
  /// Goes on after a failure; the first one is told.
  void keep(const Result<void>& done) {
    if (!done && !treatment_.problem) {
      treatment_.problem = done.error();
    }
  }

  void tighten_modes() {
    for (const std::string& path : files_with_wrong_mode(request_)) {
      const auto done = tighten_mode(path, request_.system.user);
      keep(done);
      if (done) {
        treatment_.deeds.push_back("set the mode of " + path);
      }
    }
    // A folder that could not be looked into shows its files only now.
    for (const std::string& path : files_with_wrong_mode(request_)) {
      keep(tighten_mode(path, request_.system.user));
    }
  }

  Result<state::StateFolder> open_state() const {
    return state::StateFolder::open(
        request_.state_path, request_.workspace, state::Create::if_missing);
  }

  /// What is half built is nobody's only while no pass can run. Giving the lock back clears its
  /// note.
  Result<void> clean_up_under_lock(const std::set<Remedy>& remedies) {
    TRY_ASSIGN(const auto folder, open_state());
    TRY_ASSIGN(const auto lock,
               state::PipelineLock::acquire(folder, {kCommand, {clock_.now_ms()}, request_.wait}));
    if (remedies.contains(Remedy::clear_lock_note)) {
      treatment_.deeds.emplace_back("cleared the note in pipeline.lock");
    }
    return remove_leftovers();
  }

  Result<void> remove_leftovers() {
    for (const Leftover& leftover : find_leftovers(request_)) {
      const auto removed = remove_leftover(leftover, request_.system.wall_clock_ms);
      if (!removed) {
        keep(removed.error());
      } else if (*removed) {
        treatment_.deeds.push_back("removed " + leftover.path);
      }
    }
    return {};
  }

  Result<void> run_pass(service::Extent extent) {
    TRY_ASSIGN(const auto folder, open_state());
    service::PassRequest request;
    request.extent = extent;
    request.command = kCommand;
    request.wait = request_.wait;
    TRY_ASSIGN(auto report, service::Pipeline(disk_, folder, clock_).run(request, progress_));
    treatment_.deeds.push_back("indexed " + amount(report.scanned, "file"));
    for (std::string& notice : report.notices) {
      treatment_.deeds.push_back(std::move(notice));
    }
    return {};
  }

  base::Disk& disk_;
  const base::Clock& clock_;
  const DoctorRequest& request_;
  service::WorkProgress& progress_;
  Treatment treatment_;
};

bool is_in(const DoctorReport& report, const Finding& sought) {
  return std::any_of(
      report.findings.begin(), report.findings.end(), [&sought](const Finding& finding) {
        return finding.check == sought.check && finding.name == sought.name;
      });
}

/// What was found first and is gone now stands first in the second report, as fixed.
void mark_fixed(const DoctorReport& first, DoctorReport& second) {
  std::vector<Finding> fixed;
  for (const Finding& finding : first.findings) {
    if (finding.remedy != Remedy::none && !is_in(second, finding)) {
      fixed.push_back(finding);
      fixed.back().fixed = true;
    }
  }
  second.findings.insert(second.findings.begin(),
                         std::make_move_iterator(fixed.begin()),
                         std::make_move_iterator(fixed.end()));
}

}  // namespace

std::string_view to_string(FindingSeverity severity) {
  switch (severity) {
    case FindingSeverity::error:
      return "error";
    case FindingSeverity::warning:
      return "warning";
    case FindingSeverity::info:
      return "info";
    case FindingSeverity::ok:
      break;
  }
  return "ok";
}

std::string amount(std::uint64_t number, const std::string& noun) {
  if (number == 1) {
    return "1 " + noun;
  }
  const bool ends_in_y = noun.ends_with('y') && !noun.ends_with("ay");
  return std::to_string(number) + " " +
         (ends_in_y ? noun.substr(0, noun.size() - 1) + "ies" : noun + "s");
}

std::vector<std::string> first_few(const std::vector<std::string>& paths) {
  return {paths.begin(),
          paths.begin() + static_cast<std::ptrdiff_t>(std::min(paths.size(), kMostPaths))};
}

bool DoctorReport::ok() const {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.is_problem();
  });
}

SystemFacts this_system() {
  SystemFacts facts;
  facts.user = ::geteuid();
  facts.wall_clock_ms = base::disk_clock_ms();
  facts.disk_space = space_of;
  facts.environment = harness::process_environment;
  return facts;
}

DoctorReport examine(base::Disk& disk,
                     const base::Clock& clock,
                     const DoctorRequest& request,
                     service::WorkProgress& progress) {
  Examination examination{disk, clock, request, progress, {}, {}, false, {}, {}, {}};
  for (const auto probe : {look_at_configuration,
                           look_at_workspace,
                           look_at_state_folder,
                           look_at_databases,
                           look_at_status_reasons,
                           look_at_index_rows,
                           look_at_embeddings,
                           look_at_notes,
                           look_at_conflict_copies,
                           look_at_budget,
                           look_at_leftovers,
                           look_at_locks,
                           look_at_disk_space,
                           look_at_inotify,
                           look_at_clock,
                           look_at_obsidian,
                           look_at_sessions}) {
    if (!progress.cancelled) {
      probe(examination);
    }
  }
  return {std::move(examination.findings), examination.has_state};
}

std::vector<std::string> planned_deeds(const DoctorReport& found) {
  std::vector<std::string> deeds;
  for (const Remedy remedy : remedies_for(found)) {
    deeds.push_back(planned(remedy));
  }
  return deeds;
}

Treatment treat(base::Disk& disk,
                const base::Clock& clock,
                const DoctorRequest& request,
                const DoctorReport& found,
                service::WorkProgress& progress) {
  if (remedies_for(found).empty()) {
    return {found, {}, std::nullopt};
  }
  Treatment treatment = Cure(disk, clock, request, progress).run(found);
  DoctorRequest again = request;
  again.system.wall_clock_ms = std::max(request.system.wall_clock_ms, base::disk_clock_ms());
  treatment.report = examine(disk, clock, again, progress);
  mark_fixed(found, treatment.report);
  return treatment;
}

}  // namespace daybook::doctor
