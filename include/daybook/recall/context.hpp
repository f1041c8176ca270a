// SPDX-License-Identifier: MIT
//
// What a session is about to do -> what it should be reminded of, as one text within a budget:
// what was learned, earlier runs of the same session, as the policy allows, and sessions that
// matter to the question, or the latest ones without a question. All of it comes from one snapshot
// of the index, and what is told stands in a file that still says so. Everything is redacted before
// it is cut, and framed as data. Reads only; who hands the text on calls count_context(). One
// thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/recall/model_window.hpp"
#include "daybook/recall/prompt_frame.hpp"
#include "daybook/recall/recall.hpp"
#include "daybook/state/run_policy.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daybook::recall {

inline constexpr std::uint64_t kUsualBudget = 2000;
/// So many omitted memories are listed; of the others their number is enough.
inline constexpr std::size_t kMostListed = 100;
/// The names of the sections.
inline constexpr const char* kLearnedSection = "learned_context";
inline constexpr const char* kRecoveredSection = "recovered_memory";
inline constexpr const char* kSessionsSection = "relevant_sessions";

struct ContextRequest {
  std::string agent;    ///< never empty
  std::string query;    ///< may be empty
  std::string session;  ///< exact key, id or token of the session that is reminded; may be empty
  std::optional<std::uint64_t> budget_tokens;
  std::string model;  ///< its name; one whose window is known limits the budget
  lineage::Timestamp now;
  bool lexical = false;                          ///< by words alone, even if a model is configured
  const std::atomic<bool>* cancelled = nullptr;  ///< once true, nobody waits for the endpoint
};

struct Context {
  PackedPrompt prompt;
  std::uint64_t budget_tokens = 0;
  std::optional<std::uint64_t> model_window;  ///< of the model, if it is known
  bool session_known = false;
  std::uint64_t runs = 0;        ///< of the session, that may be told
  std::uint64_t unreadable = 0;  ///< runs whose notes have changed or gone since
  /// What would have been told, section by section: without room, or beyond the most of its
  /// section.
  std::vector<NamedMemory> omitted;
  std::uint64_t redacted = 0;             ///< texts without their secrets, and personal details
  std::optional<ModeReason> mode_reason;  ///< how the query was answered; nothing: there was none
  std::string mode_note;   ///< for people, when vectors were wanted and not to be had
  bool query_cut = false;  ///< the query holds more than is looked for
  bool known_stale = false;
  std::uint64_t generation = 0;
  lineage::Timestamp last_sweep;
};

/// Where a context is made. All must outlive it.
struct ContextPlace {
  base::Disk& disk;
  const state::StateFolder& folder;
  const parse::Config& config;
  const state::RunMemoryPolicy& policy;
};

/// not_found or damaged when there is no index that can be used.
Result<Context> make_context(const ContextPlace& place, const ContextRequest& request);

/// The first kMostListed of those omitted.
std::span<const NamedMemory> listed_omissions(const Context& context);

/// Adds to the counters in state.db; not for a preview.
Result<void> count_context(state::StateDb& state, const Context& context);

}  // namespace daybook::recall
