// SPDX-License-Identifier: MIT
//
// What the parts of the doctor share: one examination that goes from probe to probe. Each probe
// looks at one thing, adds what it finds and never fails; what it cannot learn it says so. The
// first ones also open what later ones need. One thread.
#pragma once

#include "daybook/doctor/doctor.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/scan/vault_listing.hpp"
#include "daybook/service/status.hpp"
#include "daybook/state/state_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::doctor {

struct Examination {
  base::Disk& disk;
  const base::Clock& clock;
  const DoctorRequest& request;
  service::WorkProgress& progress;

  parse::Config config;                         ///< the defaults where daybook.yaml is wrong
  std::optional<scan::VaultListing> listing;    ///< nothing: memory/ cannot be listed
  bool has_state = false;                       ///< something is where the state should be
  std::optional<state::StateFolder> folder;     ///< nothing: none that can be used
  std::optional<service::StatusReport> status;  ///< nothing: it could not be asked

  std::vector<Finding> findings;

  void add(std::string check,
           std::string name,
           FindingSeverity severity,
           std::string message,
           std::string hint = {},
           Remedy remedy = Remedy::none,
           std::vector<std::string> paths = {}) {
    findings.push_back({std::move(check),
                        std::move(name),
                        severity,
                        std::move(message),
                        std::move(hint),
                        remedy,
                        false,
                        std::move(paths)});
  }
  /// The line of a check that found nothing wrong.
  void add_ok(const std::string& check, std::string message) {
    add(check, check + "-ok", FindingSeverity::ok, std::move(message));
  }
  void add_unknown(const std::string& check, std::string message) {
    add(check, check + "-unknown", FindingSeverity::info, std::move(message));
  }
  /// Whether that check has said something already.
  bool has(std::string_view check) const {
    return std::any_of(findings.begin(), findings.end(), [check](const Finding& finding) {
      return finding.check == check;
    });
  }
  bool is_deep() const { return request.depth == Depth::everything; }
  lineage::Timestamp now() const { return {clock.now_ms()}; }
};

// In the order in which they run:
void look_at_configuration(Examination& examination);
/// Lists memory/.
void look_at_workspace(Examination& examination);
/// Opens the state folder, mending nothing.
void look_at_state_folder(Examination& examination);
/// The databases themselves; asks for the status unless state.db is damaged.
void look_at_databases(Examination& examination);
void look_at_disk_space(Examination& examination);
void look_at_inotify(Examination& examination);
void look_at_clock(Examination& examination);
void look_at_locks(Examination& examination);
void look_at_leftovers(Examination& examination);
/// What status found, in the doctor's words: index, full text, removals, publication.
void look_at_status_reasons(Examination& examination);
/// Whether what recall finds by meaning is all there.
void look_at_embeddings(Examination& examination);
void look_at_notes(Examination& examination);
void look_at_conflict_copies(Examination& examination);
void look_at_index_rows(Examination& examination);
void look_at_budget(Examination& examination);
void look_at_obsidian(Examination& examination);
/// Whether what the harness will delete is in the vault.
void look_at_sessions(Examination& examination);

// Files that a process of ours has left behind:
struct Leftover {
  std::string path;
  enum class Kind : std::uint8_t {
    temporary,   ///< of base::AtomicFile
    half_built,  ///< a database that was never finished; made under the pipeline lock only
    set_aside,   ///< a damaged derived database
  };
  Kind kind = Kind::temporary;
};
std::vector<Leftover> find_leftovers(const DoctorRequest& request);
/// Of half-built ones only while the caller holds the pipeline lock. True: removed.
Result<bool> remove_leftover(const Leftover& leftover, std::int64_t wall_clock_ms);

/// Whether what stands in the place of the state is a state folder of ours. Nothing in any other
/// folder is judged or changed, whatever the names there.
bool is_our_state(const DoctorRequest& request);

// Modes of the state folder:
std::vector<std::string> files_with_wrong_mode(const DoctorRequest& request);
Result<void> tighten_mode(const std::string& path, uid_t user);

/// "1 file", "2 files".
std::string amount(std::uint64_t number, const std::string& noun);
/// The first few, for a finding.
std::vector<std::string> first_few(const std::vector<std::string>& paths);

}  // namespace daybook::doctor
