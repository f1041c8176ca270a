// SPDX-License-Identifier: MIT
#include "daybook/state/audit.hpp"

#include <algorithm>
#include <array>

namespace daybook::state {
namespace {

// Written into rows as text: an entry must be readable by whoever looks into the file in ten years.
constexpr std::array<std::string_view, 7> kActionNames{
    "remove", "purge", "unremove", "accept", "reset-telemetry", "resolve-conflict", "set-policy"};

AuditAction action_from(std::string_view name) {
  const auto found = std::find(kActionNames.begin(), kActionNames.end(), name);
  return found == kActionNames.end()
             ? AuditAction::remove
             : static_cast<AuditAction>(std::distance(kActionNames.begin(), found));
}

}  // namespace

std::string_view to_string(AuditAction action) {
  return kActionNames[static_cast<std::size_t>(action)];
}

Result<void> Audit::append(const AuditEntry& entry) {
  TRY_ASSIGN(auto insert,
             database_.prepare("INSERT INTO audit(time, action, subject, reason, detail)"
                               " VALUES(?,?,?,?,?)"));
  return insert.run(
      entry.time.ms, to_string(entry.action), entry.subject, entry.reason, entry.detail);
}

Result<std::vector<AuditEntry>> Audit::recent(std::size_t most) {
  TRY_ASSIGN(auto select,
             database_.prepare("SELECT time, action, subject, reason, detail FROM audit"
                               " ORDER BY id DESC LIMIT ?"));
  std::vector<AuditEntry> found;
  TRY(select.each(
      [&found](const store::Row& row) {
        found.push_back({{row.integer(0)},
                         action_from(row.text(1)),
                         std::string(row.text(2)),
                         std::string(row.text(3)),
                         std::string(row.text(4))});
      },
      most));
  return found;
}

}  // namespace daybook::state
