// SPDX-License-Identifier: MIT
//
// A session -> all that is known of it: its files with what is wrong with them, but those that were
// removed, and how often it was looked at. Reads only; one thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/state/telemetry.hpp"

#include <optional>
#include <vector>

namespace daybook::service {

struct FileView {
  index::FileRow row;  ///< of a known kind
  std::vector<index::FoundDiagnostic> findings;
};

struct SessionView {
  index::SessionRow session;
  std::vector<FileView> files;                       ///< oldest first
  std::optional<state::SessionTelemetry> telemetry;  ///< nothing: none, or it cannot be asked now
  std::optional<lineage::RunRecord> run;             ///< how it ended, if its summary says so

  /// The file of that kind that counts, else the newest one that is there. Null: none.
  const FileView* newest(lineage::Kind kind) const;
  /// What says most about the session: summary, else compaction, else transcript; one that counts
  /// before one that does not.
  const FileView* main_file() const;
};

/// The row as what_remains() gives it.
Result<SessionView> view_session(index::Reader& reader,
                                 const state::StateFolder& folder,
                                 KnownRemovals& removals,
                                 const index::SessionRow& session);

}  // namespace daybook::service
