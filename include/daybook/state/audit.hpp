// SPDX-License-Identifier: MIT
//
// Decisions of people that changed what Daybook believes or shows: append-only rows of state.db. No
// note text belongs in it: it outlives removals. Belongs to the StateDb's thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/store/database.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::state {

enum class AuditAction : std::uint8_t {
  remove,
  purge,
  unremove,
  accept,
  reset_telemetry,
  resolve_conflict,
  set_policy,
};

/// `remove`, `reset-telemetry`, …
std::string_view to_string(AuditAction action);

struct AuditEntry {
  lineage::Timestamp time;
  AuditAction action = AuditAction::remove;
  std::string subject;  ///< a token or a path
  std::string reason;
  std::string detail;
  bool operator==(const AuditEntry&) const = default;
};

class Audit {
 public:
  explicit Audit(store::Database& database) : database_(database) {}

  Result<void> append(const AuditEntry& entry);
  /// The newest `most`, newest first.
  Result<std::vector<AuditEntry>> recent(std::size_t most);

 private:
  store::Database& database_;
};

}  // namespace daybook::state
