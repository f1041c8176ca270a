// SPDX-License-Identifier: MIT
//
// What a RowUpdate says of the vault as a whole: findings that belong to no file, the fingerprints
// of all, and the index's words about itself.
#include "daybook/base/unicode.hpp"
#include "daybook/index/newer_fingerprints.hpp"
#include "service/row_update.hpp"

#include <algorithm>

namespace daybook::service {

/// What could not be listed, and agents whose ids differ only in case.
Result<void> RowUpdate::write_other_diagnostics() {
  std::vector<std::pair<std::string, lineage::Diagnostic>> found = plan_.listing->unreadable();
  std::map<std::string, std::vector<std::string>> by_folded;
  index::Reader reader(database_);
  TRY_ASSIGN(const auto agents, reader.agents());
  for (const std::string& agent : agents) {
    by_folded[base::fold_case(agent)].push_back(agent);
  }
  // Which has a page, whether or not anything is its own yet.
  auto& defaults = by_folded[std::string(lineage::kDefaultAgent)];
  if (std::find(defaults.begin(), defaults.end(), lineage::kDefaultAgent) == defaults.end()) {
    defaults.emplace_back(lineage::kDefaultAgent);
  }
  for (const auto& [folded, spellings] : by_folded) {
    for (std::size_t i = 0; spellings.size() > 1 && i < spellings.size(); ++i) {
      const std::string& other = spellings[i == 0 ? 1 : 0];
      std::string message("agent_id '");
      message.append(spellings[i])
          .append("' differs from '")
          .append(other)
          .append("' only in case");
      TRY_ASSIGN(auto path, reader.first_path_of(spellings[i]));
      if (path) {
        found.emplace_back(std::move(*path),
                           lineage::Diagnostic{lineage::Code::bad_agent_id, 0, message});
      }
    }
  }
  return writer_->put_other_diagnostics(found);
}

scan::Fingerprints RowUpdate::new_fingerprints() const {
  scan::Fingerprints fingerprints;
  fingerprints.reserve(ids_.size() + plan_.frozen.size());
  for (Index file = 0; file < ids_.size(); ++file) {
    if (ids_[file] != 0) {
      const scan::Survey::Seen& seen = plan_.survey.files[file];
      fingerprints.add({seen.path, look_again_[file] ? scan::kNeverEqual : seen.stat, ids_[file]});
    }
  }
  for (const scan::Fingerprint& frozen : plan_.frozen) {
    fingerprints.add(frozen);
  }
  fingerprints.sort();
  return fingerprints;
}

/// What a narrow pass may say: nothing of the vault as a whole, least of all that there was a
/// sweep.
Result<void> RowUpdate::write_narrow_meta(const std::vector<std::string>& agents_before) {
  TRY_ASSIGN(const auto agents, index::Reader(database_).agents());
  if (agents != agents_before) {
    plan_.listing->ask_too_much();  // there are findings about the agents as a whole
    return {};
  }
  if (report_->rows_changed) {
    begin_generation();
  }
  TRY(index::put_meta(
      database_, "generation", static_cast<std::int64_t>(report_->meta.generation)));
  std::vector<index::NewerFingerprint> newer;
  const scan::Fingerprints fingerprints = new_fingerprints();
  newer.reserve(fingerprints.size() + plan_.differences.gone.size());
  for (const scan::Fingerprint& fingerprint : fingerprints.all()) {
    newer.push_back({fingerprint.path, fingerprint.stat, fingerprint.file});
  }
  for (const scan::Fingerprint& gone : plan_.differences.gone) {
    newer.push_back({gone.path, scan::kNeverEqual, 0});
  }
  return index::put_newer_fingerprints(database_, newer);
}

/// Above what was published, too: a power cut may take the index further back than the others.
void RowUpdate::begin_generation() {
  std::uint64_t& generation = report_->meta.generation;
  generation = std::max(generation, published_) + 1;
}

Result<void> RowUpdate::write_meta(lineage::Timestamp now) {
  report_->rows_changed |= plan_.facts_changed || plan_.known.unreadable != plan_.unreadable();
  if (report_->rows_changed && !plan_.building) {
    begin_generation();
  }
  report_->meta.swept_at_ms = now.ms;
  TRY(index::put_meta(
      database_, "generation", static_cast<std::int64_t>(report_->meta.generation)));
  TRY(index::put_meta(database_, "swept_at_ms", report_->meta.swept_at_ms));
  TRY(index::put_meta(database_, "state_id", plan_.state_id));
  TRY(index::put_meta(database_, "tombstones", join_lines(plan_.tombstones.facts())));
  TRY(index::put_meta(database_, "unreadable", plan_.unreadable()));
  TRY(index::put_meta(database_, "guard", plan_.guard.mark(plan_.secret)));
  TRY_ASSIGN(const bool by_name, index::Reader(database_).has_links_by_name());
  TRY(index::put_meta(
      database_,
      "names_digest",
      by_name ? std::to_string(plan_.names.get(*plan_.root, *plan_.listing).digest()) : ""));
  TRY(index::forget_newer_fingerprints(database_));
  return index::put_large_meta(database_, "fingerprints", new_fingerprints().encode());
}

}  // namespace daybook::service
