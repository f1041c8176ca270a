// SPDX-License-Identifier: MIT
#include "service/pass_tombstones.hpp"

#include "daybook/lineage/artifact_name.hpp"
#include "daybook/state/removed_marks.hpp"

#include <algorithm>
#include <span>

namespace daybook::service {
namespace {

using Index = scan::VaultListing::Index;

/// The record of a tombstone file; one that is malformed counts by the token in its name.
std::optional<lineage::Tombstone> record_of(const std::string& file_name,
                                            const ExaminedNote& note) {
  const auto name = lineage::read_artifact_name(file_name);
  const auto token = lineage::SessionToken::parse(name.token_text);
  if (!token || note.reading != Reading::done) {
    return std::nullopt;
  }
  const auto* record = std::get_if<lineage::Tombstone>(&note.record);
  if (record != nullptr && record->removed_at) {
    return *record;
  }
  lineage::Tombstone minimal;
  minimal.token = *token;
  minimal.removed_at = name.name.captured_at;
  minimal.reason = "(the tombstone cannot be read)";
  return minimal;
}

}  // namespace

Result<void> gather_tombstones(PassPlan& plan,
                               const state::StateFolder& folder,
                               state::StateDb& state) {
  TRY_ASSIGN(auto copies, state.tombstones().all());
  std::vector<lineage::Tombstone> unread;  // tell whose they are by their names alone
  bool new_copies = false;
  for (Index file = 0; file < plan.listing->entries().size(); ++file) {
    if (!is_tombstone(*plan.listing, file)) {
      continue;
    }
    plan.tombstone_notes.emplace_back(file, plan.workers.front()->examine(file));
    const auto record =
        record_of(plan.listing->file_name(file), plan.tombstone_notes.back().second);
    if (!record) {
      if (const auto token = lineage::SessionToken::parse(
              lineage::read_artifact_name(plan.listing->file_name(file)).token_text)) {
        unread.emplace_back().token = *token;
      }
    } else if (std::find(copies.begin(), copies.end(), *record) == copies.end()) {
      new_copies = true;
      state::mark_removed(folder, std::span(&*record, 1));  // who sees no mark asks for no copy
      TRY(state.tombstones().put(*record));
    }
  }
  if (new_copies) {
    TRY_ASSIGN(copies, state.tombstones().all());
  }
  state::mark_removed(folder, copies);
  state::mark_removed(folder, unread);
  for (const lineage::Tombstone& copy : copies) {
    plan.tombstones.add(copy);
  }
  plan.tombstone_records = std::move(copies);
  return {};
}

Result<void> forget_removed(PassPlan& plan, state::StateDb& state, const std::string& fact) {
  const std::size_t blank = fact.find(' ');
  const std::string rest = fact.substr(blank + 1);
  if (fact.starts_with("token ")) {
    const auto token = lineage::SessionToken::parse(rest);
    plan.removal_is_new = true;
    return token ? state.erase_session(*token) : Result<void>();
  }
  if (fact.starts_with("forgotten ")) {
    plan.removal_is_new = true;
    return {};
  }
  if (fact.starts_with("path ")) {
    const std::string name = rest.substr(rest.rfind('/') + 1);
    const auto reading = lineage::read_artifact_name(name);
    plan.removal_is_new = true;
    // The seal goes by the name, and belongs to another copy if there is one. While the file itself
    // is still there, row_update decides.
    const bool is_last = reading.form == lineage::NameForm::artifact &&
                         !plan.listing->contains_artifact(reading.name);
    return is_last ? state.seals().erase(reading.name) : Result<void>();
  }
  return {};
}

}  // namespace daybook::service
