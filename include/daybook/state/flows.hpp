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
#include <string_view>
#include <vector>

namespace daybook::state {

/// The kind of the one flow that must outlive the erasure of its own session.
inline constexpr const char* kRemovalFlow = "removal";
inline constexpr const char* kSessionEndFlow = "session-end";
inline constexpr const char* kCompactionFlow = "compaction";

/// The steps of a capture: what has been done last. Each is the state that a crash leaves.
namespace capture_step {
inline constexpr const char* kSpooled = "spooled";           ///< a sentence, and no artifact
inline constexpr const char* kSpooledFallback = "fallback";  ///< the model failed, no artifact
inline constexpr const char* kTranscript = "transcript";     ///< written, and the summary is not
inline constexpr const char* kArtifacts = "artifacts";       ///< written, and the manifest is not
inline constexpr const char* kCanonical = "canonical";       ///< all files; the rows are not
inline constexpr const char* kIndexed = "indexed";           ///< the rows; MEMORY.md is not
}  // namespace capture_step

/// The name under which people meet that state, such as `transcript-without-summary`.
std::string_view partial_state_name(std::string_view step);

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
  Result<bool> has_unfinished(const std::string& kind);

  /// Captures whose files were all there when a pass began now have their rows. `subjects`: only of
  /// these sessions; empty: of all.
  Result<void> captures_indexed(lineage::Timestamp pass_began,
                                const std::vector<std::string>& subjects,
                                lineage::Timestamp now);
  /// And those that have their rows are in MEMORY.md: they are finished.
  Result<void> captures_published(lineage::Timestamp now);
  /// Forgets receipts that finished before then.
  Result<void> forget_before(lineage::Timestamp time);

 private:
  Result<bool> has_captures_at(const char* step);

  store::Database& database_;
};

}  // namespace daybook::state
