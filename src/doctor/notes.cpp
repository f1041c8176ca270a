// SPDX-License-Identifier: MIT
//
// The notes and what is made of them: files that cannot be used, copies that a synchroniser made,
// files from the future, the budget of MEMORY.md, and the vault that Obsidian has opened.
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/service/conflicts.hpp"
#include "daybook/service/obsidian_root.hpp"
#include "doctor/probes.hpp"

#include <algorithm>

namespace daybook::doctor {
namespace {

using enum FindingSeverity;
using Index = scan::VaultListing::Index;

constexpr std::int64_t kHourMs = 60LL * 60 * 1000;
// Years in which this program can be run: 2024 to 2099.
constexpr std::int64_t kFirstYearMs = 1'704'067'200'000;
constexpr std::int64_t kLastYearMs = 4'102'444'800'000;
/// So much of a budget may be used before it is worth a word.
constexpr std::uint64_t kNearPercent = 90;

/// By the time in its name, or by the time of its last change.
std::vector<std::string> files_from_the_future(Examination& examination) {
  std::vector<std::string> found;
  const scan::VaultListing& listing = *examination.listing;
  const std::int64_t latest_name = examination.now().ms + kHourMs;
  // The disk's times are set by the real clock, whatever --now says.
  const std::int64_t latest_change_ns =
      (examination.request.system.wall_clock_ms + kHourMs) * 1'000'000;
  const auto root = examination.disk.open_root(examination.request.workspace);
  std::string folder_path;
  std::unique_ptr<base::Folder> folder;
  for (Index file = 0; root && file < listing.entries().size(); ++file) {
    if (!folder || folder_path != listing.folder_path(file)) {
      folder_path = listing.folder_path(file);
      auto opened = base::open_below(**root, folder_path);
      folder = opened ? std::move(opened).value() : nullptr;
    }
    const scan::VaultListing::Entry& entry = listing.entries()[file];
    const bool named_ahead =
        entry.belongs_to_session() && entry.name().captured_at.ms > latest_name;
    const auto status =
        folder ? folder->stat(listing.file_name(file)) : Result<base::FileStat>(Error{});
    if (named_ahead || (status && status->mtime_ns > latest_change_ns)) {
      found.push_back(listing.path(file));
    }
  }
  return found;
}

bool is_degraded(const Examination& examination, std::string_view reason) {
  const auto& status = examination.status;
  return status && std::find(status->degraded.begin(), status->degraded.end(), reason) !=
                       status->degraded.end();
}

std::string share(std::uint64_t used, std::uint64_t most, const char* unit) {
  return std::to_string(used) + " of " + std::to_string(most) + " " + unit;
}

void look_at_projection(Examination& examination, const service::ProjectionStatus& projection) {
  const parse::Config& config = examination.config;
  const std::string use = projection.path + ": " +
                          share(projection.bytes, config.max_bytes, "bytes") + ", " +
                          share(projection.lines, config.max_lines, "lines");
  const bool near = projection.bytes * 100 > config.max_bytes * kNearPercent ||
                    projection.lines * 100 > config.max_lines * kNearPercent;
  if (projection.clipped > 0) {
    examination.add("budget",
                    "budget-clipped",
                    info,
                    use + "; " + amount(projection.clipped, "older session") + " not shown in full",
                    "'daybook log' lists them; memory_md in daybook.yaml sets the budget.");
  } else if (near) {
    examination.add("budget",
                    "budget-near",
                    info,
                    use + "; when it is full the oldest sessions are clipped",
                    "memory_md in daybook.yaml sets the budget.");
  } else {
    examination.add_ok("budget", use);
  }
}

}  // namespace

void look_at_clock(Examination& examination) {
  const std::size_t before = examination.findings.size();
  const std::int64_t now = examination.now().ms;
  if (now < kFirstYearMs || now >= kLastYearMs) {
    examination.add("clock",
                    "clock-wrong-year",
                    error,
                    "the clock says " + lineage::to_string(examination.now()),
                    "Set the clock; sessions are placed in the ledger by it.");
  }
  if (is_degraded(examination, service::degraded::kClock)) {
    examination.add("clock",
                    std::string(service::degraded::kClock),
                    error,
                    "the clock is more than a day behind the last publication, so nothing is "
                    "published",
                    "Set the clock, or 'daybook render --take-over' if it is right.");
  }
  auto ahead =
      examination.listing ? files_from_the_future(examination) : std::vector<std::string>();
  if (!ahead.empty()) {
    examination.add("clock",
                    "files-from-the-future",
                    warning,
                    amount(ahead.size(), "note") +
                        " from the future: " + "sessions that lie ahead are not shown",
                    "Set the clock of this device or of the one that wrote them.",
                    Remedy::none,
                    first_few(ahead));
  }
  if (examination.findings.size() == before) {
    examination.add_ok("clock", "the clock and the times of the files agree");
  }
}

void look_at_notes(Examination& examination) {
  const std::size_t before = examination.findings.size();
  if (examination.listing && !examination.listing->unreadable().empty()) {
    std::vector<std::string> paths;
    for (const auto& [path, diagnostic] : examination.listing->unreadable()) {
      paths.push_back(path);
    }
    examination.add("notes",
                    "notes-unreadable",
                    warning,
                    amount(paths.size(), "entry") + " of memory/ cannot be read",
                    "'daybook check' says why.",
                    Remedy::none,
                    first_few(paths));
  }
  if (examination.status && examination.status->invalid > 0) {
    std::vector<std::string> paths;
    for (const service::InvalidFile& file : examination.status->invalid_files) {
      paths.push_back(file.path + " [" + file.code + "]");
    }
    examination.add("notes",
                    "notes-invalid",
                    warning,
                    amount(examination.status->invalid, "artifact") +
                        " invalid or changed since sealed: not shown and not found",
                    "'daybook check' says what is wrong with each.",
                    Remedy::none,
                    first_few(paths));
  }
  if (examination.status && examination.findings.size() == before) {
    examination.add_ok("notes", amount(examination.status->artifacts, "artifact") + ", all valid");
  }
}

void look_at_conflict_copies(Examination& examination) {
  if (!examination.listing) {
    return;
  }
  const auto conflicts = service::find_conflicts(examination.disk, examination.request.workspace);
  if (!conflicts) {
    return;  // that the vault cannot be read is told elsewhere
  }
  std::vector<std::string> copies;
  for (const service::Conflict& conflict : *conflicts) {
    copies.push_back(conflict.path);
  }
  if (copies.empty()) {
    examination.add_ok("conflict-copies", "no synchroniser has left a copy");
    return;
  }
  examination.add("conflict-copies",
                  "conflict-copies-found",
                  warning,
                  amount(copies.size(), "copy") + " of a note made by a synchroniser",
                  "'daybook conflicts' lists them, and 'daybook conflicts resolve --dry-run' says "
                  "what would become of each.",
                  Remedy::none,
                  first_few(copies));
}

void look_at_budget(Examination& examination) {
  if (!examination.status) {
    return;
  }
  for (const service::ProjectionStatus& projection : examination.status->projections) {
    look_at_projection(examination, projection);
  }
}

void look_at_obsidian(Examination& examination) {
  const service::ObsidianRoot root = service::find_obsidian_root(examination.request.workspace);
  const std::string mismatch = service::obsidian_root_mismatch(root);
  if (mismatch.empty()) {
    examination.add_ok("obsidian",
                       root.place == service::ObsidianRoot::Place::here
                           ? "the workspace is the root of the Obsidian vault"
                           : "Obsidian has opened no other folder as the vault");
    return;
  }
  examination.add("obsidian",
                  "obsidian-root-elsewhere",
                  warning,
                  mismatch,
                  "Use " + root.vault.string() + " as the workspace, or open " +
                      examination.request.workspace + " as a vault in Obsidian.",
                  Remedy::none,
                  {root.vault.string()});
}

}  // namespace daybook::doctor
