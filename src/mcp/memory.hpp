// SPDX-License-Identifier: MIT
//
// One agent's memory as the tools see it: where it is, what of it there is now, and whether it may
// be written. Opens everything anew for each call, because a service and other servers change it
// meanwhile. Makes nothing that is not there. One thread.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/json.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/mcp/server.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/answer_json.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/state/telemetry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daybook::mcp {

using base::Json;

using service::text_or_null;
using service::time_or_null;

class Memory {
 public:
  /// All must outlive it.
  Memory(base::Disk& disk, const base::Clock& clock, const ServerPlace& place)
      : disk_(disk), clock_(clock), place_(place) {}

  base::Disk& disk() const { return disk_; }
  const base::Clock& clock() const { return clock_; }
  lineage::Timestamp now() const { return {clock_.now_ms()}; }
  const std::string& agent() const { return place_.agent; }
  const std::string& workspace() const { return place_.workspace; }
  const std::string& state_path() const { return place_.state_path; }
  Writing writing() const { return place_.writing; }
  bool may_write() const { return place_.writing == Writing::allowed; }

  /// not_found, with the command that indexes it, when the vault was never indexed.
  Result<state::StateFolder> folder() const;
  /// The same when there is no index.
  Result<index::Reader> reader(const state::StateFolder& folder) const;
  /// Since the sweep that the reader's rows are of. The folder must outlive it.
  service::KnownRemovals removals(const state::StateFolder& folder,
                                  const index::Reader& reader) const {
    return {disk_, folder, {reader.meta().swept_at_ms}};
  }
  Result<parse::Config> config() const;

  /// Whether the vault is as the index says.
  Result<bool> looks_fresh(const state::StateFolder& folder) const;
  /// Telemetry; nothing in read-only mode.
  void record_use(const state::StateFolder& folder,
                  state::TelemetryEvent event,
                  const std::vector<state::TelemetrySubject>& sessions) const;

 private:
  base::Disk& disk_;
  const base::Clock& clock_;
  const ServerPlace& place_;
};

/// Whether it is daybook.yaml that is wrong.
bool is_about_config(const Error& error);

/// How old the answer is: `fresh` (null: not looked), `last_sweep`, `generation`.
void put_freshness(Json& answer,
                   std::optional<bool> fresh,
                   lineage::Timestamp last_sweep,
                   std::uint64_t generation);

}  // namespace daybook::mcp
