// SPDX-License-Identifier: MIT
//
// What a hook left in a hurry: `{token}-{milliseconds}-{letters}.hook` in the spool, or `.snapshot`
// for a transcript that is kept only until its session ends. The raw transcript, then what the
// harness said as JSON, then a line with length and hash. Written by the hook in one go, durable on
// return; read, captured and dropped by whoever drains the spool. No lock is held and no database
// is opened: a hook must not wait for anybody. Failure leaves at most a temporary.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/canon/artifact_writer.hpp"
#include "daybook/harness/hook_input.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::capture {

inline constexpr std::string_view kHookSuffix = ".hook";
inline constexpr std::string_view kSnapshotSuffix = ".snapshot";

struct SpooledHook {
  std::string name;  ///< in the spool
  std::string agent_id;
  std::string harness;
  harness::HookInput input;
  lineage::Timestamp spooled_at;
  std::uint64_t transcript_bytes = 0;  ///< 0: none was there

  lineage::SessionToken token() const;
};

enum class HookDeed : std::uint8_t {
  spooled,
  nothing_to_do,    ///< an event that nothing is kept of
  no_transcript,    ///< it is not there, or nothing is in it
  session_removed,  ///< a tombstone in the vault forbids it
};

struct HookRequest {
  std::string agent_id{lineage::kDefaultAgent};
  std::string harness;
  harness::HookInput input;
  lineage::Timestamp now;
};

Result<HookDeed> spool_hook(base::Disk& disk,
                            const state::StateFolder& folder,
                            const HookRequest& request);

/// Whether a file that a hook left is of a removed session, by every id that it may get: one that
/// holds something to be redacted is stored as another.
bool is_hook_of_removed(base::Disk& disk,
                        const state::StateFolder& folder,
                        const std::string& name,
                        const lineage::TombstoneSet& removals);

/// Oldest first. What cannot be understood stays and is named in `damaged`.
Result<std::vector<SpooledHook>> spooled_hooks(base::Disk& disk,
                                               const state::StateFolder& folder,
                                               std::string_view suffix,
                                               std::vector<std::string>& damaged);

}  // namespace daybook::capture
