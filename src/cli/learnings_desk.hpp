// SPDX-License-Identifier: MIT
//
// What the commands below `daybook learnings` share: the vault with its settings, ids as people
// type them, a note as a line and as JSON, and the pass after a change.
#pragma once

#include "cli/answer.hpp"
#include "cli/command.hpp"
#include "cli/settings.hpp"
#include "cli/vault.hpp"
#include "daybook/base/result.hpp"
#include "daybook/learn/learn.hpp"
#include "daybook/parse/config.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace daybook::cli {

struct LearningDesk {
  Vault vault;
  parse::Config config;
  std::string agent;  ///< that --agent names, checked; empty: none

  learn::Desk desk() const;
};

Result<LearningDesk> open_learnings(const Settings& settings, state::Create create);

/// Opens the desk, does the work, tells a failure.
int run_on_learnings(const Settings& settings,
                     state::Create create,
                     const std::function<Result<int>(const LearningDesk&)>& work);

/// The whole id; no beginning is accepted.
Result<std::uint64_t> read_learning_id(const std::string& text);
Result<std::optional<lineage::MemoryType>> read_memory_type(const std::string& text);

/// `ID [type:category] (time) content`.
std::string line_of(const learn::Note& note);
Json to_json(const learn::Note& note);
Json ids_of(const std::vector<learn::Note>& notes);

/// What MEMORY.md must not show any longer is told by the exit code, and looked after even when
/// nothing has changed this time; what is gone has to go from everywhere, full text included.
enum class Aftermath : std::uint8_t { rows, revocation, erasure };

/// Index and MEMORY.md follow at once; the exit code is that of follow_up() for the agents whose
/// notes these are. If somebody else is at it a note is there, or revoked, all the same, and that
/// it is seen later is only said; of a revocation with the exit code kProblemsFound.
Result<int> follow_change(const LearningDesk& desk,
                          const learn::Change& change,
                          const char* command,
                          Aftermath aftermath,
                          const Settings& settings);

/// Says which older notes were archived.
void tell_archived(const learn::Change& change, const Settings& settings);

void add_learnings_list(const Command& learnings, Run& run);
void add_learnings_show(const Command& learnings, Run& run);
void add_learnings_add(const Command& learnings, Run& run);
void add_learnings_approve(const Command& learnings, Run& run);
void add_learnings_revoke(const Command& learnings, Run& run);
void add_learnings_forget(const Command& learnings, Run& run);
void add_learnings_clear(const Command& learnings, Run& run);
void add_learnings_export(const Command& learnings, Run& run);
void add_learnings_import(const Command& learnings, Run& run);

}  // namespace daybook::cli
