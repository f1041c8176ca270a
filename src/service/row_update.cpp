// SPDX-License-Identifier: MIT
#include "service/row_update.hpp"

#include "daybook/index/full_text.hpp"
#include "daybook/index/learnings.hpp"
#include "daybook/index/months.hpp"
#include "daybook/index/session_rows.hpp"
#include "service/file_facts.hpp"

#include <algorithm>

namespace daybook::service {

using index::FileRow;
using index::FileStatus;

namespace {

/// Whether a row's text is, or was, in the full text.
bool is_searchable(const FileRow& row) {
  return row.status == FileStatus::valid && row.kind && lineage::is_immutable(*row.kind);
}

}  // namespace

RowUpdate::RowUpdate(PassPlan& plan,
                     state::StateDb& state,
                     SealKeeper& seals,
                     store::Database& database,
                     std::string text_folder)
    : plan_(plan),
      state_(state),
      seals_(seals),
      database_(database),
      text_folder_(std::move(text_folder)) {
  const std::size_t files = plan.listing->entries().size();
  ids_.assign(files, 0);
  look_again_.assign(files, false);
  for (Index file = 0; file < files; ++file) {
    const scan::Fingerprint* known = plan.known.fingerprints.find(plan.survey.files[file].path);
    ids_[file] = known == nullptr ? 0 : known->file;
  }
}

Result<void> RowUpdate::run(lineage::Timestamp now,
                            WorkProgress& progress,
                            IndexPassReport& report) {
  report_ = &report;
  // Now, because state.db is the seals' as soon as these are written on a thread of their own.
  TRY_ASSIGN(const std::int64_t published, state_.publications().highest_generation());
  published_ = static_cast<std::uint64_t>(published);
  for (const UnitRange& unit : plan_.units) {
    progress.files_total += unit.second - unit.first;
  }
  std::vector<std::string> agents_before;
  if (plan_.reach == Reach::narrow) {
    TRY_ASSIGN(agents_before, index::Reader(database_).agents());
  }
  TRY_ASSIGN(auto writer, index::Writer::make(database_));
  writer_.emplace(std::move(writer));
  TRY(take_tombstones());
  const auto take_unit = [this](std::span<ExaminedFile> files) -> Result<void> {
    for (ExaminedFile& file : files) {
      TRY(take_file(file));
    }
    TRY(erase_seals(files));
    return plan_.building ? put_session_of(files) : Result<void>();
  };
  TRY(examine_units(*plan_.listing, plan_.units, plan_.workers, progress, take_unit));
  if (progress.cancelled) {
    return {};
  }
  TRY(erase_gone());
  TRY(doubt_around_vanished());
  if (plan_.building) {
    TRY(copy_frozen());
  }
  if (report.erased) {
    // Before the rows go: a crash must not forget that their bytes have to go, too.
    TRY(seals_.flush());
    TRY(state_.put_meta(state::kErasurePending, "1"));
  }
  TRY(write_sessions());
  TRY_ASSIGN(const bool others_count, index::settle_learnings(database_, learnings_));
  report.rows_changed |= others_count;
  TRY(write_months());
  if (plan_.reach == Reach::narrow) {
    return write_narrow_meta(agents_before);
  }
  TRY(writer_->put_tombstones(plan_.tombstone_records));
  TRY(write_other_diagnostics());
  return write_meta(now);
}

Result<void> RowUpdate::take_tombstones() {
  const auto& changed = plan_.differences.changed;
  for (auto& [file, note] : plan_.tombstone_notes) {
    const bool is_dirty = plan_.building || ids_[file] == 0 ||
                          std::binary_search(changed.begin(), changed.end(), file);
    if (is_dirty && plan_.listing->entries()[file].belongs_to_session()) {
      ExaminedFile examined(*plan_.listing, file, std::move(note));
      TRY(take_file(examined));
    }
  }
  return {};
}

Result<void> RowUpdate::take_file(ExaminedFile& examined) {
  const Index file = examined.file;
  ExaminedNote& note = examined.note;
  index::FileFacts& facts = examined.facts;
  ++report_->read;
  const std::int64_t id = ids_[file];
  if (note.reading == Reading::vanished) {
    ids_[file] = 0;
    vanished_.push_back(file);
    return id != 0 && !plan_.building ? erase_row(id) : Result<void>();
  }
  TRY_ASSIGN(auto before, plan_.known.row(id));
  if (note.reading == Reading::refused && before && !plan_.removes(*before)) {
    facts.row.session.reset();  // read from the index below, with the session's other files
    return keep_frozen(file, id, facts.diagnostics);
  }
  report_->erased |= note.reading == Reading::refused && before;
  TRY(seals_.judge(plan_.listing->entries()[file], examined));
  TRY(compare_findings(id, facts.diagnostics));
  facts.row.id = plan_.building ? 0 : id;
  TRY_ASSIGN(const std::int64_t put, writer_->put_file(facts));
  ids_[file] = static_cast<std::uint32_t>(put);
  facts.row.id = put;
  if (plan_.building) {
    plan_.survey.files[file].stat = scan::stat_mark(note.stat, plan_.looked_at_ns, plan_.secret);
  }
  look_again_[file] = note.reading == Reading::refused || facts.row.status == FileStatus::changed;
  note_change(before, facts.row);
  return {};
}

/// Of removed files, unless another copy of the same name is left, to which the seal belongs.
Result<void> RowUpdate::erase_seals(std::span<const ExaminedFile> unit) {
  const auto entry = [this](const ExaminedFile& file) -> const scan::VaultListing::Entry& {
    return plan_.listing->entries()[file.file];
  };
  for (const ExaminedFile& file : unit) {
    if (!file.note.removed || !entry(file).belongs_to_session()) {
      continue;
    }
    const bool has_other_copy =
        std::any_of(unit.begin(), unit.end(), [&](const ExaminedFile& other) {
          return !other.note.removed && entry(other).name() == entry(file).name();
        });
    if (!has_other_copy) {
      TRY(seals_.erase(entry(file).name()));
    }
  }
  return {};
}

/// It is there and cannot be read: its row stays, and the finding says why it is old.
Result<void> RowUpdate::keep_frozen(Index file,
                                    std::int64_t id,
                                    const std::vector<lineage::Diagnostic>& diagnostics) {
  look_again_[file] = true;
  TRY_ASSIGN(auto row, plan_.known.row(id));
  note_learning(*row);
  if (row->session) {
    sessions_.insert(*row->session);
  }
  if (!plan_.building) {
    TRY(compare_findings(id, diagnostics));
    return writer_->put_diagnostics(id, row->fields.agent_id, diagnostics);
  }
  TRY_ASSIGN(index::FileFacts facts, index::Reader(*plan_.known.database).facts(id));
  facts.row.id = 0;
  facts.diagnostics = diagnostics;
  TRY_ASSIGN(const std::int64_t put, writer_->put_file(facts));
  ids_[file] = static_cast<std::uint32_t>(put);
  return {};
}

/// MEMORY.md counts them, so that others than before are a change, though the file is the same.
Result<void> RowUpdate::compare_findings(std::int64_t id,
                                         const std::vector<lineage::Diagnostic>& now) {
  if (id != 0 && !plan_.building && !report_->rows_changed) {
    TRY_ASSIGN(const auto before, index::Reader(database_).findings(id));
    report_->rows_changed = before != now;
  }
  return {};
}

void RowUpdate::note_change(const std::optional<FileRow>& before, const FileRow& now) {
  const bool same = before && before->source_sha256 == now.source_sha256 &&
                    before->status == now.status && before->session == now.session;
  report_->added += before ? 0U : 1U;
  report_->changed += before && !same ? 1U : 0U;
  report_->rows_changed |= !same;
  note_learning(now);
  if (before) {
    note_learning(*before);
  }
  if (!plan_.building) {
    for (const auto& session : {now.session, before ? before->session : std::nullopt}) {
      if (session) {
        sessions_.insert(*session);
      }
    }
  }
  if (is_searchable(now) && (!same || plan_.building)) {
    mark_month(now);
  }
  report_->erased |= before && now.status == FileStatus::removed && !same;
  if (before && is_searchable(*before) && !same) {
    mark_month(*before);
  }
}

void RowUpdate::note_learning(const FileRow& row) {
  if (row.learning_id) {
    learnings_.insert(*row.learning_id);
  }
}

void RowUpdate::mark_month(const FileRow& row) {
  months_.insert(index::month_of(row.fields.captured_at));
}

Result<void> RowUpdate::erase_gone() {
  for (const scan::Fingerprint& gone : plan_.differences.gone) {
    TRY(erase_row(gone.file));
  }
  return {};
}

/// It was listed, and so the others were examined as if it were there: its session's files, and
/// those with a link to it. No later listing differs by it, so they are to be read again.
Result<void> RowUpdate::doubt_around_vanished() {
  const auto starts = plan_.listing->unit_starts();
  for (const Index file : vanished_) {
    const auto behind = std::upper_bound(starts.begin(), starts.end(), file);
    const Index end = behind == starts.end() ? static_cast<Index>(ids_.size()) : *behind;
    std::fill(look_again_.begin() + *(behind - 1), look_again_.begin() + end, true);
    TRY_ASSIGN(const auto links, index::Reader(database_).links_to(plan_.listing->path(file)));
    for (const index::FoundLink& link : links) {
      const std::uint64_t mark = scan::path_mark(link.source, plan_.secret);
      for (Index source = 0; source < ids_.size(); ++source) {
        look_again_[source] = look_again_[source] || plan_.survey.files[source].path == mark;
      }
    }
  }
  return {};
}

/// Into a new index goes what is known of files that cannot be read now.
Result<void> RowUpdate::copy_frozen() {
  for (scan::Fingerprint& frozen : plan_.frozen) {
    TRY_ASSIGN(index::FileFacts facts, index::Reader(*plan_.known.database).facts(frozen.file));
    facts.row.id = 0;
    TRY_ASSIGN(const std::int64_t put, writer_->put_file(facts));
    frozen.file = static_cast<std::uint32_t>(put);
    frozen.stat = scan::kNeverEqual;  // read it as soon as it can be
    note_learning(facts.row);
    if (facts.row.session) {
      sessions_.insert(*facts.row.session);
    }
    if (is_searchable(facts.row)) {
      mark_month(facts.row);
    }
  }
  return {};
}

Result<void> RowUpdate::erase_row(std::int64_t id) {
  TRY_ASSIGN(const auto row, plan_.known.row(id));
  if (!row) {
    return {};
  }
  ++report_->removed;
  report_->rows_changed = true;
  report_->erased |= plan_.removes(*row);
  note_learning(*row);
  if (is_searchable(*row)) {
    mark_month(*row);
  }
  if (plan_.building) {
    return {};
  }
  if (row->session) {
    sessions_.insert(*row->session);
  }
  return writer_->erase_file(id);
}

/// In a new index a session is known when its unit is, but for those whose files have both forms of
/// the token and so lie in two units: they are worked out at the end.
Result<void> RowUpdate::put_session_of(std::span<const ExaminedFile> files) {
  std::vector<const FileRow*> rows;
  for (const ExaminedFile& file : files) {
    if (!file.facts.row.session) {
      continue;
    }
    if (!rows.empty() && rows.front()->session != file.facts.row.session) {
      sessions_.insert(*file.facts.row.session);
      continue;
    }
    rows.push_back(&file.facts.row);
  }
  if (rows.empty()) {
    return {};
  }
  const lineage::SessionToken session = *rows.front()->session;
  if (!put_sessions_.insert(session).second) {
    sessions_.insert(session);
    return {};
  }
  const auto row = index::session_row(rows);
  return row ? writer_->put_session(*row) : Result<void>();
}

Result<void> RowUpdate::write_sessions() {
  for (const lineage::SessionToken& token : sessions_) {
    TRY(writer_->renew_session(token));
  }
  return {};
}

Result<void> RowUpdate::write_months() {
  if (plan_.building) {
    // Files of the old index's months: brought up to date they vanish if nothing is in them.
    TRY_ASSIGN(const auto months, index::months_with_text(text_folder_));
    months_.insert(months.begin(), months.end());
  }
  for (const std::int64_t month : months_) {
    TRY(writer_->mark_month(month));
  }
  report_->months_behind.assign(months_.begin(), months_.end());
  return {};
}

}  // namespace daybook::service
