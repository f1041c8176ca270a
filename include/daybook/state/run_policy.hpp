// SPDX-License-Identifier: MIT
//
// What of earlier runs a session is reminded of: a policy of this device, kept in state.db, and how
// often it was applied. Values, and their reading and writing in state.db. A policy that
// cannot be is refused and changes nothing; what cannot be read of one in state.db is the default.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/store/database.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::state {

class StateDb;

enum class SearchVisibility : std::uint8_t {
  session_only,
  learning_scopes,  ///< also of other sessions of the same project
};

struct RunMemoryPolicy {
  bool enabled = true;
  std::uint64_t retention_ms = 2'592'000'000;  ///< 30 days
  std::uint64_t max_tracked_per_session = 32;
  std::uint64_t max_prompt_entries = 3;
  bool redact_pii = true;
  SearchVisibility search_visibility = SearchVisibility::session_only;

  bool operator==(const RunMemoryPolicy&) const = default;
};

std::string_view to_string(SearchVisibility visibility);

/// What is to become of the policy in force, whatever it is by then.
using ChangePolicy = std::function<Result<void>(RunMemoryPolicy& policy)>;

/// `FIELD=VALUE` lines, as set_field() takes them.
std::string to_lines(const RunMemoryPolicy& policy);

/// `FIELD=VALUE -> VALUE` of each field that differs.
std::string differences(const RunMemoryPolicy& before, const RunMemoryPolicy& after);

/// usage, naming the field, when it is wrong.
Result<void> validate(const RunMemoryPolicy& policy);

/// One field by its name, as text: `enabled` `false`. usage when there is no such field or the
/// value does not fit it.
Result<void> set_field(RunMemoryPolicy& policy, std::string_view name, std::string_view value);

/// Whether a run of that time is too old, or none is kept at all.
bool is_expired(const RunMemoryPolicy& policy, lineage::Timestamp recorded, lineage::Timestamp now);

Result<RunMemoryPolicy> run_memory_policy(StateDb& state);
/// state.db for reading alone, as also on a disk that is read-only; nothing where there is none.
Result<std::optional<store::Database>> open_to_read(const StateFolder& folder);
/// The same without opening state.db for writing; the default where there is none.
Result<RunMemoryPolicy> run_memory_policy(const StateFolder& folder);
/// On a connection to state.db.
Result<RunMemoryPolicy> run_memory_policy(store::Database& database);
/// Validated. Only says what holds from now on: TrackedRuns::maintain() also carries it out.
Result<void> put_run_memory_policy(store::Database& database, const RunMemoryPolicy& policy);

/// Counters in meta(). Of what was taken up and let go:
inline constexpr const char* kStoredTotal = "run_memory_stored_total";
inline constexpr const char* kPrunedTtlTotal = "run_memory_pruned_ttl_total";
inline constexpr const char* kPrunedOverflowTotal = "run_memory_pruned_overflow_total";
inline constexpr const char* kPrunedOrphanTotal = "run_memory_pruned_orphan_total";
/// Of what context was asked for and not only previewed:
inline constexpr const char* kInjectedTotal = "run_memory_injected_total";
inline constexpr const char* kOmittedTotal = "run_memory_prompt_limit_omitted_total";
inline constexpr const char* kRankedTotal = "run_memory_ranked_candidates_total";
inline constexpr const char* kRedactedFieldsTotal = "run_memory_redacted_fields_total";
inline constexpr const char* kUnreadableTotal = "run_memory_skipped_unreadable_total";
inline constexpr const char* kLearnedOmittedTotal = "session_memory_prompt_limit_omitted_total";

}  // namespace daybook::state
