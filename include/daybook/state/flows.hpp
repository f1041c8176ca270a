// SPDX-License-Identifier: MIT
//
// Work of several steps that a crash may interrupt: begun and advanced in state.db before each
// step, finished after the last, so that the next start can go on where it stopped. A finished flow
// stays as the receipt of its key until it is forgotten. Belongs to the StateDb's thread; a failed
// call changes nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::state {

/// The kind of the one flow that must outlive the erasure of its own session.
inline constexpr const char* kRemovalFlow = "removal";

struct Flow {
  std::string id;       ///< an idempotency key, or random letters
  std::string kind;     ///< kRemovalFlow, …
  std::string subject;  ///< a session's token as text, or empty
  std::string step;     ///< the step that is being done
  std::string payload;  ///< what its kind needs to go on
  lineage::Timestamp started_at;
  lineage::Timestamp updated_at;
  std::optional<lineage::Timestamp> finished_at;
  bool operator==(const Flow&) const = default;
};

struct NewFlow {
  std::string id;  ///< empty: a random one is made
  std::string kind;
  std::string subject;
  std::string step;
  std::string payload;
};

class Flows {
 public:
  explicit Flows(store::Database& database) : database_(database) {}

  /// Its id; already_exists when there is one of that id.
  Result<std::string> begin(const NewFlow& flow, lineage::Timestamp now);
  /// not_found when there is no such unfinished flow.
  Result<void> advance(const std::string& id,
                       const std::string& step,
                       const std::string& payload,
                       lineage::Timestamp now);
  /// The payload becomes its result; not_found as above.
  Result<void> finish(const std::string& id, const std::string& result, lineage::Timestamp now);
  Result<void> forget(const std::string& id);

  Result<std::optional<Flow>> find(const std::string& id);
  /// Oldest first.
  Result<std::vector<Flow>> unfinished();

 private:
  store::Database& database_;
};

}  // namespace daybook::state
