// SPDX-License-Identifier: MIT
//
// The session files that a harness has kept -> summary, transcript and manifest of each, by several
// workers. First a plan: which files there are, which were read before (by receipt, without opening
// them), which are wanted; it writes nothing. Then the work: a file at a time through
// capture::end_session, so that a crash or Ctrl-C leaves whole captures, and the next run goes on.
// The same file gives the same names, whenever and wherever it is read; a file that has grown since
// gives a second transcript of its session. One file that fails is told and stops no other, but
// for its sub-agents when the system refused it: they wait for the next run, as their link to it is
// written once. The index and MEMORY.md are left to the pass that follows. Called on one thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/harness/session_list.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/work_progress.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::capture {
class VaultNames;
}

namespace daybook::service {

struct ImportRequest {
  harness::Format harness = harness::Format::claude_code;
  std::string from;  ///< a home, a folder of session files, or one file
  std::string agent_id{lineage::kDefaultAgent};
  std::optional<lineage::Timestamp> since;  ///< when a file of the family was last written
  std::string project;                      ///< this folder or below it; empty: all
  std::optional<std::size_t> limit;         ///< files to be read, newest first
};

struct FailedImport {
  std::string path;
  std::string reason;
};

/// A session's file and those of its sub-agents, in this order.
using SessionFamily = std::vector<harness::SessionFile>;

struct ImportPlan {
  harness::Format harness = harness::Format::claude_code;
  std::string agent_id;
  std::string root;                     ///< the files' paths are below it
  std::vector<SessionFamily> families;  ///< what is to be read; newest first
  std::uint64_t files = 0;              ///< in the families
  std::uint64_t bytes = 0;
  std::uint64_t listed = 0;
  std::uint64_t unchanged = 0;       ///< read before, and the same since
  std::uint64_t not_wanted = 0;      ///< by since and project, and the harness's internal agents
  std::uint64_t beyond_limit = 0;    ///< left to another run
  std::int64_t oldest_mtime_ns = 0;  ///< of the families
  std::int64_t newest_mtime_ns = 0;
  std::vector<FailedImport> unreadable;  ///< folders, by their whole path
};

/// not_found when there is no session file at all. `state` may be null: then nothing was read yet.
/// `names`: what the vault holds, so that a receipt of a session that is gone counts for nothing.
Result<ImportPlan> plan_import(base::Disk& disk,
                               const ImportRequest& request,
                               state::StateDb* state,
                               const capture::VaultNames* names = nullptr);

enum class ModelUse : std::uint8_t { none, configured };

/// All must outlive the call.
struct ImportPlace {
  base::Disk& disk;
  const state::StateFolder& folder;
  const parse::Config& config;
  ModelUse model = ModelUse::none;
  lineage::Timestamp now;
};

struct ImportReport {
  std::uint64_t imported = 0;       ///< files
  std::uint64_t sessions = 0;       ///< that these files are of
  std::uint64_t already_there = 0;  ///< in the vault, by another way or without a receipt
  std::uint64_t removed = 0;        ///< forbidden by a tombstone
  std::uint64_t empty = 0;          ///< nothing was said
  std::uint64_t failed = 0;
  std::uint64_t broken_lines = 0;  ///< left out, of the files that were imported
  std::uint64_t unknown_lines = 0;
  std::uint64_t huge_lines = 0;
  std::uint64_t secrets = 0;  ///< redacted
  std::uint64_t pii = 0;
  std::uint64_t bytes = 0;             ///< of the files that were read
  std::vector<FailedImport> failures;  ///< the first of them
  bool interrupted = false;
};

/// Fails only when nothing can be begun. Folders that the plan could not look into are failures.
Result<ImportReport> run_import(const ImportPlace& place,
                                const ImportPlan& plan,
                                WorkProgress& progress);

/// What the plan could not look into, as failures; for a plan that is not carried out.
void add_unreadable(const ImportPlan& plan, ImportReport& report);

/// How a file is known in state.db.
std::string import_source(harness::Format harness,
                          const std::string& agent_id,
                          const std::string& root,
                          const harness::SessionFile& file);

}  // namespace daybook::service
