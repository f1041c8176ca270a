// SPDX-License-Identifier: MIT
#include "daybook/state/run_policy.hpp"

#include "daybook/base/nearest.hpp"
#include "daybook/state/state_db.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>
#include <vector>

namespace daybook::state {
namespace {

constexpr const char* kPolicyName = "run_memory_policy";
/// Above it a time in milliseconds could not be told from its neighbour by readers of JSON.
constexpr std::uint64_t kMostNumber = 9'007'199'254'740'991;

const std::vector<std::string>& field_names() {
  static const std::vector<std::string> names{"enabled",
                                              "retention_ms",
                                              "max_tracked_per_session",
                                              "max_prompt_entries",
                                              "redact_pii",
                                              "search_visibility"};
  return names;
}

Error wrong(std::string_view name, std::string_view wanted, std::string_view value) {
  return {
      ErrorKind::usage,
      std::string(name) + " takes " + std::string(wanted) + ", not '" + std::string(value) + "'",
      {},
      "'daybook policy show' tells what it is now."};
}

Result<void> set_flag(bool& flag, std::string_view name, std::string_view value) {
  if (value != "true" && value != "false") {
    return wrong(name, "true or false", value);
  }
  flag = value == "true";
  return {};
}

Result<void> set_number(std::uint64_t& number, std::string_view name, std::string_view value) {
  std::uint64_t read = 0;
  const char* end = value.data() + value.size();
  const auto [rest, problem] = std::from_chars(value.data(), end, read);
  if (problem != std::errc() || rest != end || read > kMostNumber) {
    return wrong(name, "a whole number", value);
  }
  number = read;
  return {};
}

/// A field that this program does not know, or cannot read, changes nothing; so one that another
/// version has added does not bring all the others back to their defaults.
RunMemoryPolicy policy_from(std::string_view lines) {
  RunMemoryPolicy policy;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t equals = std::min(line.find('='), line.size());
    static_cast<void>(
        set_field(policy, line.substr(0, equals), line.substr(std::min(equals + 1, line.size()))));
  }
  return validate(policy) ? policy : RunMemoryPolicy{};
}

}  // namespace

std::string_view to_string(SearchVisibility visibility) {
  return visibility == SearchVisibility::session_only ? "session_only" : "learning_scopes";
}

std::string to_lines(const RunMemoryPolicy& policy) {
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  std::string lines;
  lines.append("enabled=").append(flag(policy.enabled));
  lines.append("\nretention_ms=").append(std::to_string(policy.retention_ms));
  lines.append("\nmax_tracked_per_session=").append(std::to_string(policy.max_tracked_per_session));
  lines.append("\nmax_prompt_entries=").append(std::to_string(policy.max_prompt_entries));
  lines.append("\nredact_pii=").append(flag(policy.redact_pii));
  lines.append("\nsearch_visibility=").append(to_string(policy.search_visibility));
  return lines.append("\n");
}

std::string differences(const RunMemoryPolicy& before, const RunMemoryPolicy& after) {
  std::string told;
  std::istringstream old_lines(to_lines(before));
  std::istringstream new_lines(to_lines(after));
  std::string old_line;
  std::string new_line;
  while (std::getline(old_lines, old_line) && std::getline(new_lines, new_line)) {
    if (old_line != new_line) {
      told.append(told.empty() ? "" : "; ")
          .append(old_line)
          .append(" -> ")
          .append(new_line.substr(new_line.find('=') + 1));
    }
  }
  return told;
}

Result<void> validate(const RunMemoryPolicy& policy) {
  const auto refuse = [](const char* why) {
    return Error{ErrorKind::usage, why, {}, "The policy stays as it was."};
  };
  if (policy.enabled && policy.retention_ms == 0) {
    return refuse("retention_ms must be above 0 while the policy is enabled");
  }
  if (policy.enabled && policy.max_tracked_per_session == 0) {
    return refuse("max_tracked_per_session must be above 0 while the policy is enabled");
  }
  if (policy.enabled && policy.max_prompt_entries == 0) {
    return refuse("max_prompt_entries must be above 0 while the policy is enabled");
  }
  if (policy.max_prompt_entries > policy.max_tracked_per_session) {
    return refuse("max_prompt_entries must not be above max_tracked_per_session");
  }
  return {};
}

Result<void> set_field(RunMemoryPolicy& policy, std::string_view name, std::string_view value) {
  if (name == "enabled") {
    return set_flag(policy.enabled, name, value);
  }
  if (name == "redact_pii") {
    return set_flag(policy.redact_pii, name, value);
  }
  if (name == "retention_ms") {
    return set_number(policy.retention_ms, name, value);
  }
  if (name == "max_tracked_per_session") {
    return set_number(policy.max_tracked_per_session, name, value);
  }
  if (name == "max_prompt_entries") {
    return set_number(policy.max_prompt_entries, name, value);
  }
  if (name == "search_visibility") {
    if (value != "session_only" && value != "learning_scopes") {
      return wrong(name, "session_only or learning_scopes", value);
    }
    policy.search_visibility = value == "session_only" ? SearchVisibility::session_only
                                                       : SearchVisibility::learning_scopes;
    return {};
  }
  const std::string meant = base::nearest(std::string(name), field_names());
  return Error{
      ErrorKind::usage,
      "the policy has no field '" + std::string(name) + "'",
      {},
      meant.empty() ? "'daybook policy show' lists them." : "Did you mean '" + meant + "'?"};
}

bool is_expired(const RunMemoryPolicy& policy,
                lineage::Timestamp recorded,
                lineage::Timestamp now) {
  return !policy.enabled || now.ms - recorded.ms > static_cast<std::int64_t>(policy.retention_ms);
}

Result<RunMemoryPolicy> run_memory_policy(StateDb& state) {
  TRY_ASSIGN(const auto kept, state.meta(kPolicyName));
  return policy_from(kept.value_or(std::string()));
}

Result<std::optional<store::Database>> open_to_read(const StateFolder& folder) {
  auto database = store::Database::open(folder.file("state.db"), {store::Access::read_only, 5000});
  if (database) {
    return std::optional(std::move(*database));
  }
  return database.error().kind == ErrorKind::not_found
             ? Result(std::optional<store::Database>())
             : Result<std::optional<store::Database>>(std::move(database).error());
}

Result<RunMemoryPolicy> run_memory_policy(const StateFolder& folder) {
  TRY_ASSIGN(auto database, open_to_read(folder));
  auto policy = database ? run_memory_policy(*database) : Result(RunMemoryPolicy{});
  if (!policy && policy.error().kind == ErrorKind::damaged && policy.error().hint.empty()) {
    Error error = std::move(policy).error();
    error.hint =
        "Run 'daybook reindex': it sets the damaged file aside and begins a new one, in which the "
        "policy is the usual one.";
    return error;
  }
  return policy;
}

Result<RunMemoryPolicy> run_memory_policy(store::Database& database) {
  TRY_ASSIGN(auto select, database.prepare("SELECT value FROM meta WHERE name = ?"));
  std::string kept;
  TRY(select.each([&kept](const store::Row& row) { kept = row.text(0); }, kPolicyName));
  return policy_from(kept);
}

Result<void> put_run_memory_policy(store::Database& database, const RunMemoryPolicy& policy) {
  TRY(validate(policy));
  TRY_ASSIGN(auto insert, database.prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)"));
  return insert.run(kPolicyName, to_lines(policy));
}

}  // namespace daybook::state
