// SPDX-License-Identifier: MIT
//
// Rows -> what one agent's MEMORY.md says now: its sessions of the window without noise, the pinned
// note, what was learned, the findings that need a person. Reads the index and memory/pinned.md,
// writes nothing.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/projection/memory_md.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace daybook::service {

class OlderDays;

struct RenderedLedger {
  std::string agent_id;
  std::string path;  ///< workspace-relative
  projection::MemoryMd md;
  std::vector<std::int64_t> shown_manifests;  ///< row ids, of sessions that have a row
};

Result<RenderedLedger> render_ledger(base::Disk& disk,
                                     const std::string& workspace,
                                     index::Reader& reader,
                                     const parse::Config& config,
                                     const std::string& agent_id,
                                     lineage::Timestamp now);
/// The same, with what an earlier one has summed up.
Result<RenderedLedger> render_ledger(base::Disk& disk,
                                     const std::string& workspace,
                                     index::Reader& reader,
                                     const parse::Config& config,
                                     const std::string& agent_id,
                                     lineage::Timestamp now,
                                     OlderDays& days);

/// Every agent that has a projection: `default`, those with sessions, and those that had one before
/// (`published`: workspace-relative paths). Of ids that differ only in case one alone counts,
/// because on many disks they would share a folder: `default`, else the first that has something
/// now, else one that had. So a note that is long gone freezes nobody's page.
Result<std::vector<std::string>> projected_agents(index::Reader& reader,
                                                  const std::vector<std::string>& published);

}  // namespace daybook::service
