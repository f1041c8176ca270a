// SPDX-License-Identifier: MIT
//
// The last hop: sessions of one agent -> the text of its MEMORY.md. A pure function without a
// clock: the same input gives the same bytes, in whatever order the sessions come. Any thread;
// cannot fail; nothing is read or written here.
//
// The head has at most 60 % of the budget, in which the pinned note has at most 4 KiB, procedures
// 6,000 bytes and facts 4,000. Where that is more than there is room for, each gets its part of it
// in the proportion of these numbers, and what one does not need goes to the others.
//
// What gives way when the budget is short, first to last: the oldest rows; the project names of the
// clipped days; blank lines; what was learned (a line still says how to list it); the pinned note
// (a line still says where it is); the two lines of introduction; these lines; the lines of clipped
// days, oldest first; the attention line. Title, ledger heading, clip notice and trailer stay. Only
// if not even they fit is the budget exceeded: by these four lines, one of which says so.
#pragma once

#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::projection {

inline constexpr std::string_view kLedgerHeading = "Session Ledger (Last 30 Days)";
using lineage::kDefaultAgent;

/// The sessions that a ledger shows: membership within both edges, to the millisecond.
struct Window {
  lineage::Timestamp first;
  lineage::Timestamp last;

  bool contains(lineage::Timestamp membership) const {
    return first <= membership && membership <= last;
  }
  bool operator==(const Window&) const = default;
};

/// [now - 30 days, now].
Window window_at(lineage::Timestamp now);

enum class SealState : std::uint8_t {
  intact,
  changed_since_sealed,  ///< a file differs from its seal: what was stored beside it is shown
};

/// One session of the window. Session, project and sentence are text from outside.
struct LedgerSession {
  lineage::Timestamp membership;
  std::string session;  ///< session_key, else session_id
  std::string token;    ///< orders sessions of the same millisecond
  std::string project;  ///< may be empty
  std::string sentence;
  SealState seal = SealState::intact;
  /// Workspace-relative paths of files that exist.
  std::optional<std::string> summary;
  std::optional<std::string> transcript;
  std::optional<std::string> compaction;
  std::optional<std::string> manifest;
  auto operator<=>(const LedgerSession&) const = default;
};

/// A day none of whose sessions can have a row, summed up.
struct OlderDay {
  lineage::Timestamp day;  ///< any moment of it
  std::uint64_t sessions = 0;
  std::string projects;  ///< the names of those with most sessions: "tidewater 4, harbour 1, …"
};

/// Sessions that are only counted, by day and project.
struct OlderSessions {
  struct Count {
    lineage::Timestamp day;   ///< any moment of it
    std::size_t project = 0;  ///< which of `projects`
    std::uint64_t sessions = 0;
  };
  std::vector<std::string> projects;  ///< text from outside
  std::vector<Count> counts;          ///< a day and project may come more than once
  std::vector<OlderDay> days = {};    ///< and others, of which none is in `counts` or has a row
};

/// One for each day of the counts. It gives the same line, and need not be worked out again.
std::vector<OlderDay> sum_up_days(const OlderSessions& counted);

/// Something learned that a prompt may see. The content is text from outside.
struct LearnedItem {
  std::string category;
  std::string content;
};

/// The newest first; `further` ones come behind them and are only counted.
struct LearnedItems {
  std::vector<LearnedItem> items;
  std::uint64_t further = 0;

  bool empty() const { return items.empty() && further == 0; }
};

inline constexpr std::size_t kMostProcedures = 20;
inline constexpr std::uint64_t kProcedureBytes = 6000;
inline constexpr std::uint64_t kFactBytes = 4000;

struct MemoryMdInput {
  std::string agent_id;
  std::vector<LedgerSession> sessions;  ///< in the window, without noise, in any order
  std::optional<std::string> pinned;    ///< memory/pinned.md as it is, frontmatter included
  std::uint64_t errors = 0;             ///< diagnostics of this agent that need a person
  std::uint64_t warnings = 0;
  /// All that come after the last of `sessions`, and never have a row.
  OlderSessions older = {};
  LearnedItems procedures = {};  ///< at most kMostProcedures are shown
  LearnedItems facts = {};       ///< and preferences and decisions
};

/// All three hold, the trailer line included.
struct Budget {
  std::uint64_t max_bytes = 25'000;
  std::uint64_t max_lines = 200;
  std::optional<std::uint64_t> max_tokens;  ///< of ceil(0.285 x bytes)
};

struct MemoryMd {
  std::string text;
  std::uint64_t lines = 0;
  std::uint64_t rows = 0;
  std::uint64_t clipped = 0;  ///< sessions without a row
  /// All of the input's sessions together would have room as rows: of those that are only counted
  /// some may have, too.
  bool could_show_more = false;
};

MemoryMd render_memory_md(const MemoryMdInput& input, const Budget& budget);

/// Whether the last line is `<!-- daybook sha256=… -->` over all that stands before it: written by
/// Daybook and not touched since.
bool is_intact_memory_md(std::string_view text);

/// `MEMORY.md`, or `agents/{agent_id}/MEMORY.md` for another agent than `default`.
std::string projection_path(std::string_view agent_id);

/// What a manifest's memory_md_refs says of a session that is shown there.
std::string ledger_reference(std::string_view agent_id);

}  // namespace daybook::projection
