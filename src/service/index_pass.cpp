// SPDX-License-Identifier: MIT
#include "service/index_pass.hpp"

#include "daybook/base/clock.hpp"
#include "daybook/base/keyed_hash.hpp"
#include "daybook/base/log.hpp"
#include "daybook/base/unicode.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/index/session_rows.hpp"
#include "daybook/index/writer.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "service/dirty_units.hpp"
#include "service/examination.hpp"
#include "service/file_facts.hpp"
#include "service/known_vault.hpp"
#include "service/text_pass.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace daybook::service {
namespace {

using index::FileRow;
using index::FileStatus;
using index::MonthState;
using lineage::Kind;
using scan::VaultListing;
using Index = VaultListing::Index;

std::int64_t wall_clock_ns() { return base::SystemClock().now_ms() * 1'000'000; }

/// A vault that cannot be listed: nothing changes. Whoever was indexed before has not become empty.
Error cannot_list(Error error, const std::string& workspace, const KnownVault& known) {
  error.kind =
      known.usability == index::Usability::missing ? ErrorKind::no_workspace : ErrorKind::io;
  error.path = workspace + "/" + std::string(scan::kMemoryFolder);
  if (error.kind == ErrorKind::io) {
    error.hint = "The index and MEMORY.md were left as they are. Is the vault mounted?";
  }
  return error;
}

/// Whether a row's text is, or was, in the full text.
bool is_searchable(const FileRow& row) {
  return row.status == FileStatus::valid && row.kind && lineage::is_immutable(*row.kind);
}

class IndexPass {
 public:
  IndexPass(base::Disk& disk,
            const state::StateFolder& folder,
            state::StateDb& state,
            const IndexPassRequest& request,
            WorkProgress& progress)
      : disk_(disk),
        folder_(folder),
        state_(state),
        request_(request),
        progress_(progress),
        seals_(state, request.now) {}

  Result<IndexPassReport> run() {
    TRY(open_known());
    TRY(list_vault());
    TRY(make_workers());
    TRY(gather_tombstones());
    TRY(look_at_files());
    TRY(find_dirty());
    TRY(write());
    return std::move(report_);
  }

 private:
  // --- before anything is read
  // --------------------------------------------------------------------
  Result<void> open_known();
  Result<void> list_vault();
  Result<void> make_workers();
  Result<void> gather_tombstones();
  Result<void> look_at_files();
  Result<void> find_dirty();
  Result<void> find_dependents(DirtyUnits& dirty, const std::vector<std::string>& new_facts);
  Result<void> forget_removed(const std::string& fact);
  Result<void> split_gone();
  bool nothing_to_do() const;
  bool is_frozen(const std::string& path) const;
  std::string unreadable_text() const;

  // --- writing
  // ------------------------------------------------------------------------------------
  Result<void> write();
  Result<void> write_rows(store::Database& database);
  Result<void> take_file(ExaminedFile& examined);
  Result<void> put_session_of(const UnitFiles& files);
  Result<void> keep_frozen(Index file,
                           std::int64_t id,
                           const std::vector<lineage::Diagnostic>& diagnostics);
  Result<void> erase_gone();
  Result<void> copy_frozen();
  Result<void> erase_row(std::int64_t id);
  void note_change(const std::optional<FileRow>& before, const FileRow& now);
  bool falls_under_tombstone(const FileRow& row) const;
  void mark_month(const FileRow& row, MonthState state);
  Result<void> write_sessions();
  Result<void> write_months();
  Result<void> write_other_diagnostics(store::Database& database);
  Result<void> write_meta(store::Database& database);
  scan::Fingerprints new_fingerprints() const;

  base::Disk& disk_;
  const state::StateFolder& folder_;
  state::StateDb& state_;
  const IndexPassRequest& request_;
  WorkProgress& progress_;

  KnownVault known_;
  std::string state_id_;
  std::int64_t looked_at_ns_ = 0;
  std::uint64_t secret_ = 0;  // of the fingerprints: a new index takes over the old one's
  bool building_ = false;
  std::unique_ptr<base::Folder> root_;
  std::optional<VaultListing> listing_;
  lineage::TombstoneSet tombstones_;
  std::vector<lineage::Tombstone> tombstone_records_;
  std::vector<std::pair<Index, ExaminedNote>> tombstone_notes_;
  LazyNoteNames names_;
  std::mutex seals_mutex_;  // workers ask about copies while the writer seals
  std::vector<std::unique_ptr<UnitWorker>> workers_;
  scan::Survey survey_;
  scan::Differences differences_;
  std::vector<scan::Fingerprint> frozen_;  // in folders that cannot be read now
  std::vector<UnitRange> units_;
  bool facts_changed_ = false;  // of tombstones or names: rows change though no file did

  SealKeeper seals_;
  std::optional<index::Writer> writer_;
  std::vector<std::uint32_t> ids_;                // row of each listed file, 0: none
  std::vector<bool> look_again_;                  // by listed file: never equal
  std::set<lineage::SessionToken> sessions_;      // to be worked out at the end
  std::set<lineage::SessionToken> put_sessions_;  // done, in a new index
  std::map<std::int64_t, MonthState> months_;
  IndexPassReport report_;
};

Result<void> IndexPass::open_known() {
  const std::string path = folder_.file(index::kIndexFile);
  auto known = KnownVault::open(path, store::Access::read_write);
  if (!known && known.error().kind != ErrorKind::damaged) {
    return std::move(known).error();
  }
  if (known) {
    known_ = std::move(known).value();
  } else {
    known_.usability = index::Usability::damaged;
  }
  TRY_ASSIGN(auto state_id, state_.meta("state_id"));
  if (!state_id) {
    state_id = std::to_string(base::random_number());
    TRY(state_.put_meta("state_id", *state_id));
  }
  state_id_ = *state_id;
  // Without the seals that belong to it, an index cannot tell what has changed since.
  const bool other_seals = known_.usable() && known_.state_id != state_id_;
  building_ = !known_.usable() || other_seals || request_.extent == Extent::everything;
  // Kept within 63 bits, so that it survives being a number in SQLite.
  secret_ = known_.usable() ? known_.meta.secret : base::random_number() >> 1U;
  return store::remove_database(path + ".new");  // what a crash may have left
}

Result<void> IndexPass::list_vault() {
  auto root = disk_.open_root(folder_.workspace());
  if (!root) {
    return cannot_list(std::move(root).error(), folder_.workspace(), known_);
  }
  root_ = std::move(root).value();
  auto listing = VaultListing::list(*root_);
  if (!listing) {
    return cannot_list(std::move(listing).error(), folder_.workspace(), known_);
  }
  listing_.emplace(std::move(listing).value());
  report_.scanned = listing_->entries().size();
  // Only now, with a vault to make another from, is a useless index put away.
  if (known_.usability == index::Usability::damaged) {
    TRY_ASSIGN(const std::string aside, store::set_aside(folder_.file(index::kIndexFile)));
    report_.notices.push_back("the index was damaged or not Daybook's; it was set aside as " +
                              aside + " and made anew");
  } else if (known_.usability == index::Usability::other_schema) {
    report_.notices.emplace_back("the index was written by another version; it was made anew");
  }
  return {};
}

Result<void> IndexPass::make_workers() {
  const auto known_seal = [this](const lineage::ArtifactName& name) -> std::optional<base::Digest> {
    const std::lock_guard lock(seals_mutex_);
    const auto seal = state_.seals().find(name);
    return seal && *seal ? std::optional((*seal)->file) : std::nullopt;
  };
  const unsigned wanted = thread_count(request_.threads, listing_->unit_starts().size());
  for (unsigned i = 0; i < wanted; ++i) {
    TRY_ASSIGN(
        auto worker,
        UnitWorker::make(
            disk_, folder_.workspace(), *listing_, tombstones_, names_, Detail::facts, known_seal));
    workers_.push_back(std::move(worker));
  }
  return {};
}

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

/// The files and the copies of this device together; either alone is enough.
Result<void> IndexPass::gather_tombstones() {
  TRY_ASSIGN(auto copies, state_.tombstones().all());
  bool new_copies = false;
  for (Index file = 0; file < listing_->entries().size(); ++file) {
    if (!is_tombstone(*listing_, file)) {
      continue;
    }
    tombstone_notes_.emplace_back(file, workers_.front()->examine(file));
    const auto record = record_of(listing_->file_name(file), tombstone_notes_.back().second);
    if (record && std::find(copies.begin(), copies.end(), *record) == copies.end()) {
      new_copies = true;
      TRY(state_.tombstones().put(*record));
    }
  }
  if (new_copies) {
    TRY_ASSIGN(copies, state_.tombstones().all());
  }
  for (const lineage::Tombstone& copy : copies) {
    tombstones_.add(copy);
  }
  tombstone_records_ = std::move(copies);
  return {};
}

Result<void> IndexPass::look_at_files() {
  looked_at_ns_ = wall_clock_ns();
  if (building_) {
    survey_ = scan::survey_paths(*listing_, secret_);
  } else {
    TRY_ASSIGN(survey_,
               scan::survey(disk_,
                            folder_.workspace(),
                            *listing_,
                            secret_,
                            looked_at_ns_,
                            static_cast<unsigned>(workers_.size())));
  }
  differences_ = scan::differences(survey_, known_.fingerprints);
  return {};
}

bool IndexPass::is_frozen(const std::string& path) const {
  return std::any_of(
      listing_->unreadable().begin(), listing_->unreadable().end(), [&path](const auto& entry) {
        return path.size() > entry.first.size() && path.starts_with(entry.first) &&
               path[entry.first.size()] == '/';
      });
}

Result<void> IndexPass::find_dirty() {
  DirtyUnits dirty(*listing_, survey_, secret_);
  const std::vector<std::string> facts = tombstones_.facts();
  std::vector<std::string> new_facts;
  std::set_symmetric_difference(facts.begin(),
                                facts.end(),
                                known_.tombstone_facts.begin(),
                                known_.tombstone_facts.end(),
                                std::back_inserter(new_facts));
  facts_changed_ = !new_facts.empty();
  for (const std::string& fact : new_facts) {
    if (std::binary_search(facts.begin(), facts.end(), fact)) {
      TRY(forget_removed(fact));
    }
  }
  TRY(split_gone());
  if (building_) {
    dirty.add_all();
  } else {
    TRY(find_dependents(dirty, new_facts));
  }
  units_ = dirty.units();
  return {};
}

/// A removal that is new here: what this device keeps beside the index goes first.
Result<void> IndexPass::forget_removed(const std::string& fact) {
  const std::size_t blank = fact.find(' ');
  const std::string rest = fact.substr(blank + 1);
  if (fact.starts_with("token ")) {
    const auto token = lineage::SessionToken::parse(rest);
    report_.erased = true;
    return token ? state_.erase_session(*token) : Result<void>();
  }
  if (fact.starts_with("path ")) {
    const std::string name = rest.substr(rest.rfind('/') + 1);
    const auto reading = lineage::read_artifact_name(name);
    report_.erased = true;
    return reading.form == lineage::NameForm::artifact ? state_.seals().erase(reading.name)
                                                       : Result<void>();
  }
  return {};
}

/// Files in a folder that cannot be read now are not gone.
Result<void> IndexPass::split_gone() {
  if (listing_->unreadable().empty()) {
    return {};
  }
  std::vector<scan::Fingerprint> gone;
  for (const scan::Fingerprint& fingerprint : differences_.gone) {
    TRY_ASSIGN(const auto row, known_.row(fingerprint.file));
    (row && is_frozen(row->path()) ? frozen_ : gone).push_back(fingerprint);
  }
  differences_.gone = std::move(gone);
  return {};
}

Result<void> IndexPass::find_dependents(DirtyUnits& dirty,
                                        const std::vector<std::string>& new_facts) {
  index::Reader known(*known_.database);
  for (const scan::Fingerprint& fingerprint : differences_.gone) {
    TRY_ASSIGN(const auto row, known_.row(fingerprint.file));
    if (row) {
      if (row->token) {
        dirty.add_token(*row->token);
      }
      TRY(dirty.add_linking_to(known, row->path()));
    }
  }
  for (const Index file : differences_.added) {
    dirty.add_file(file);
    TRY(dirty.add_linking_to(known, listing_->path(file)));
  }
  for (const Index file : differences_.changed) {
    dirty.add_file(file);
  }
  for (const std::string& fact : new_facts) {
    TRY(dirty.add_concerned_by(known, fact));
  }
  if (!known_.names_digest.empty() &&
      known_.names_digest != std::to_string(names_.get(*root_).digest())) {
    facts_changed_ = true;
    TRY(dirty.add_names_used(known));
  }
  return {};
}

// --- writing
// --------------------------------------------------------------------------------------

/// Nothing has come, gone or changed: the sweep's time is all there is to write.
bool IndexPass::nothing_to_do() const {
  return !building_ && units_.empty() && differences_.none() && !facts_changed_ &&
         known_.unreadable == unreadable_text();
}

Result<void> IndexPass::write() {
  if (nothing_to_do()) {
    report_.meta = known_.meta;
    report_.meta.swept_at_ms = request_.now.ms;
    return index::put_meta(*known_.database, "swept_at_ms", request_.now.ms);
  }
  const std::size_t files = listing_->entries().size();
  ids_.assign(files, 0);
  look_again_.assign(files, false);
  for (Index file = 0; file < files; ++file) {
    const scan::Fingerprint* known = known_.fingerprints.find(survey_.files[file].path);
    ids_[file] = known == nullptr ? 0 : known->file;
  }
  for (const UnitRange& unit : units_) {
    progress_.files_total += unit.second - unit.first;
  }
  TRY(seals_.begin());
  if (!building_) {
    report_.meta = known_.meta;
    TRY_ASSIGN(auto transaction, store::Transaction::begin(*known_.database));
    TRY(write_rows(*known_.database));
    if (progress_.cancelled) {
      return {};
    }
    return transaction.commit();
  }
  TRY_ASSIGN(const std::int64_t published, state_.publications().highest_generation());
  TRY_ASSIGN(auto build,
             index::IndexBuild::begin(
                 folder_.file(index::kIndexFile),
                 secret_,
                 std::max(static_cast<std::uint64_t>(published), known_.meta.generation) + 1));
  report_.meta = build.meta();
  report_.rows_changed = true;
  TRY_ASSIGN(auto transaction, store::Transaction::begin(build.database()));
  TRY(write_rows(build.database()));
  if (progress_.cancelled) {
    return {};
  }
  TRY(transaction.commit());
  writer_.reset();
  known_.database.reset();
  TRY_ASSIGN(const auto installed, build.install());
  return {};
}

Result<void> IndexPass::write_rows(store::Database& database) {
  TRY_ASSIGN(auto writer, index::Writer::make(database));
  writer_.emplace(std::move(writer));
  for (auto& [file, note] : tombstone_notes_) {
    const auto& changed = differences_.changed;
    const bool is_dirty =
        building_ || ids_[file] == 0 || std::binary_search(changed.begin(), changed.end(), file);
    if (is_dirty && listing_->entries()[file].belongs_to_session()) {
      ExaminedFile examined{file, std::move(note), {}};
      examined.facts = facts_of(*listing_, file, examined.note);
      TRY(take_file(examined));
    }
  }
  const auto take_unit = [this](UnitFiles&& files) -> Result<void> {
    for (ExaminedFile& file : files) {
      TRY(take_file(file));
    }
    return building_ ? put_session_of(files) : Result<void>();
  };
  TRY(examine_units(*listing_, units_, workers_, progress_, take_unit));
  if (progress_.cancelled) {
    return {};
  }
  {
    const std::lock_guard lock(seals_mutex_);
    TRY(seals_.flush());
  }
  TRY(erase_gone());
  if (building_) {
    TRY(copy_frozen());
  }
  if (report_.erased) {
    // Before the rows go: a crash must not forget that their bytes have to go, too.
    TRY(state_.put_meta(state::kErasurePending, "1"));
  }
  TRY(write_sessions());
  TRY(write_months());
  TRY(writer_->put_tombstones(tombstone_records_));
  TRY(write_other_diagnostics(database));
  return write_meta(database);
}

Result<void> IndexPass::take_file(ExaminedFile& examined) {
  const Index file = examined.file;
  ExaminedNote& note = examined.note;
  index::FileFacts& facts = examined.facts;
  ++report_.read;
  const std::int64_t id = ids_[file];
  if (note.reading == Reading::vanished) {
    ids_[file] = 0;
    return id != 0 && !building_ ? erase_row(id) : Result<void>();
  }
  TRY_ASSIGN(auto before, known_.row(id));
  if (note.reading == Reading::refused && before) {
    facts.row.session.reset();  // read from the index below, with the session's other files
    return keep_frozen(file, id, facts.diagnostics);
  }
  {
    const std::lock_guard lock(seals_mutex_);
    TRY(seals_.judge(listing_->entries()[file], note, facts));
  }
  if (note.removed && listing_->entries()[file].belongs_to_session()) {
    const std::lock_guard lock(seals_mutex_);
    TRY(state_.seals().erase(listing_->entries()[file].name()));
  }
  facts.row.id = building_ ? 0 : id;
  TRY_ASSIGN(const std::int64_t put, writer_->put_file(facts));
  ids_[file] = static_cast<std::uint32_t>(put);
  facts.row.id = put;
  if (building_) {
    survey_.files[file].stat = scan::stat_mark(note.stat, looked_at_ns_, secret_);
  }
  look_again_[file] = note.reading == Reading::refused || facts.row.status == FileStatus::changed;
  note_change(before, facts.row);
  return {};
}

/// It is there and cannot be read: its row stays, and the finding says why it is old.
Result<void> IndexPass::keep_frozen(Index file,
                                    std::int64_t id,
                                    const std::vector<lineage::Diagnostic>& diagnostics) {
  look_again_[file] = true;
  TRY_ASSIGN(auto row, known_.row(id));
  if (row->session) {
    sessions_.insert(*row->session);
  }
  if (!building_) {
    return writer_->put_diagnostics(id, row->fields.agent_id, diagnostics);
  }
  index::FileFacts facts;
  facts.row = std::move(*row);
  facts.row.id = 0;
  facts.diagnostics = diagnostics;
  TRY_ASSIGN(const std::int64_t put, writer_->put_file(facts));
  ids_[file] = static_cast<std::uint32_t>(put);
  return {};
}

void IndexPass::note_change(const std::optional<FileRow>& before, const FileRow& now) {
  const bool same = before && before->source_sha256 == now.source_sha256 &&
                    before->status == now.status && before->session == now.session;
  report_.added += before ? 0U : 1U;
  report_.changed += before && !same ? 1U : 0U;
  report_.rows_changed |= !same;
  if (!building_) {
    for (const auto& session : {now.session, before ? before->session : std::nullopt}) {
      if (session) {
        sessions_.insert(*session);
      }
    }
  }
  if (is_searchable(now) && (!same || building_)) {
    mark_month(now, MonthState::to_update);
  }
  const bool erase = before && now.status == FileStatus::removed && !same;
  report_.erased |= erase;
  if (before && is_searchable(*before) && !same) {
    mark_month(*before, erase ? MonthState::to_rebuild : MonthState::to_update);
  }
}

bool IndexPass::falls_under_tombstone(const FileRow& row) const {
  return (row.token && tombstones_.removes_session(*row.token)) ||
         (row.session && tombstones_.removes_session(*row.session)) ||
         tombstones_.removes_path(row.path()) ||
         (row.body_sha256 && tombstones_.removes_body(*row.body_sha256, row.fields.agent_id));
}

void IndexPass::mark_month(const FileRow& row, MonthState state) {
  auto [month, is_new] = months_.try_emplace(index::month_of(row.fields.captured_at), state);
  month->second = std::max(month->second, state);
}

Result<void> IndexPass::erase_gone() {
  for (const scan::Fingerprint& gone : differences_.gone) {
    TRY(erase_row(gone.file));
  }
  return {};
}

/// Into a new index goes what is known of files that cannot be read now.
Result<void> IndexPass::copy_frozen() {
  for (scan::Fingerprint& frozen : frozen_) {
    TRY_ASSIGN(auto row, known_.row(frozen.file));
    index::FileFacts facts;
    facts.row = std::move(*row);
    facts.row.id = 0;
    TRY_ASSIGN(const std::int64_t put, writer_->put_file(facts));
    frozen.file = static_cast<std::uint32_t>(put);
    frozen.stat = scan::kNeverEqual;  // read it as soon as it can be
    if (facts.row.session) {
      sessions_.insert(*facts.row.session);
    }
    if (is_searchable(facts.row)) {
      mark_month(facts.row, MonthState::to_update);
    }
  }
  return {};
}

Result<void> IndexPass::erase_row(std::int64_t id) {
  TRY_ASSIGN(const auto row, known_.row(id));
  if (!row) {
    return {};
  }
  ++report_.removed;
  report_.rows_changed = true;
  const bool erase = row->kind != Kind::tombstone && falls_under_tombstone(*row);
  report_.erased |= erase;
  if (is_searchable(*row)) {
    mark_month(*row, erase ? MonthState::to_rebuild : MonthState::to_update);
  }
  if (building_) {
    return {};
  }
  if (row->session) {
    sessions_.insert(*row->session);
  }
  return writer_->erase_file(id);
}

/// In a new index a session is known when its unit is, but for those whose files have both forms of
/// the token and so lie in two units: they are worked out at the end.
Result<void> IndexPass::put_session_of(const UnitFiles& files) {
  std::vector<FileRow> rows;
  for (const ExaminedFile& file : files) {
    if (!file.facts.row.session) {
      continue;
    }
    if (!rows.empty() && rows.front().session != file.facts.row.session) {
      sessions_.insert(*file.facts.row.session);
      continue;
    }
    rows.push_back(file.facts.row);
  }
  if (rows.empty()) {
    return {};
  }
  const lineage::SessionToken session = *rows.front().session;
  if (!put_sessions_.insert(session).second) {
    sessions_.insert(session);
    return {};
  }
  const auto row = index::session_row(rows);
  return row ? writer_->put_session(*row) : Result<void>();
}

Result<void> IndexPass::write_sessions() {
  for (const lineage::SessionToken& token : sessions_) {
    TRY(writer_->renew_session(token));
  }
  return {};
}

Result<void> IndexPass::write_months() {
  if (building_) {
    // Files of the old index's months: brought up to date they vanish if nothing is in them.
    TRY_ASSIGN(const auto months, index::months_with_text(folder_.file(kTextFolder)));
    for (const std::int64_t month : months) {
      months_.try_emplace(month, MonthState::to_update);
    }
  }
  for (const auto& [month, state] : months_) {
    TRY(writer_->mark_month(month, state));
  }
  return {};
}

/// What could not be listed, and agents whose ids differ only in case.
Result<void> IndexPass::write_other_diagnostics(store::Database& database) {
  std::vector<std::pair<std::string, lineage::Diagnostic>> found = listing_->unreadable();
  std::map<std::string, std::vector<std::string>> by_folded;
  TRY_ASSIGN(const auto agents, index::Reader(database).agents());
  for (const std::string& agent : agents) {
    by_folded[base::fold_case(agent)].push_back(agent);
  }
  TRY_ASSIGN(auto first_file,
             database.prepare("SELECT folder.text || '/' || name AS path FROM file"
                              " JOIN word AS folder ON folder.id = file.folder"
                              " WHERE agent = (SELECT id FROM word WHERE text = ?)"
                              " ORDER BY path LIMIT 1"));
  for (const auto& [folded, spellings] : by_folded) {
    for (std::size_t i = 0; spellings.size() > 1 && i < spellings.size(); ++i) {
      const std::string& other = spellings[i == 0 ? 1 : 0];
      std::string message("agent_id '");
      message.append(spellings[i])
          .append("' differs from '")
          .append(other)
          .append("' only in case");
      TRY(first_file.each(
          [&](const store::Row& row) {
            found.emplace_back(std::string(row.text(0)),
                               lineage::Diagnostic{lineage::Code::bad_agent_id, 0, message});
          },
          spellings[i]));
    }
  }
  return writer_->put_other_diagnostics(found);
}

std::string IndexPass::unreadable_text() const {
  std::string text;
  for (const auto& [path, diagnostic] : listing_->unreadable()) {
    text.append(path).append(1, '\n');
  }
  return text;
}

scan::Fingerprints IndexPass::new_fingerprints() const {
  scan::Fingerprints fingerprints;
  fingerprints.reserve(ids_.size() + frozen_.size());
  for (Index file = 0; file < ids_.size(); ++file) {
    if (ids_[file] != 0) {
      const scan::Survey::Seen& seen = survey_.files[file];
      fingerprints.add({seen.path, look_again_[file] ? scan::kNeverEqual : seen.stat, ids_[file]});
    }
  }
  for (const scan::Fingerprint& frozen : frozen_) {
    fingerprints.add(frozen);
  }
  fingerprints.sort();
  return fingerprints;
}

Result<void> IndexPass::write_meta(store::Database& database) {
  report_.rows_changed |= facts_changed_ || known_.unreadable != unreadable_text();
  if (report_.rows_changed && !building_) {
    ++report_.meta.generation;
  }
  report_.meta.swept_at_ms = request_.now.ms;
  TRY(index::put_meta(database, "generation", static_cast<std::int64_t>(report_.meta.generation)));
  TRY(index::put_meta(database, "swept_at_ms", report_.meta.swept_at_ms));
  TRY(index::put_meta(database, "state_id", state_id_));
  TRY(index::put_meta(database, "tombstones", join_lines(tombstones_.facts())));
  TRY(index::put_meta(database, "unreadable", unreadable_text()));
  TRY_ASSIGN(const auto by_name,
             database.integer("SELECT 1 FROM file WHERE names_used = 1 LIMIT 1"));
  TRY(index::put_meta(
      database, "names_digest", by_name ? std::to_string(names_.get(*root_).digest()) : ""));
  TRY_ASSIGN(auto put, database.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"));
  return put.run("fingerprints", store::Blob{new_fingerprints().encode()});
}

}  // namespace

Result<IndexPassReport> run_index_pass(base::Disk& disk,
                                       const state::StateFolder& folder,
                                       state::StateDb& state,
                                       const IndexPassRequest& request,
                                       WorkProgress& progress) {
  const base::Stopwatch stopwatch;
  auto report = IndexPass(disk, folder, state, request, progress).run();
  if (report) {
    base::log(base::LogLevel::debug,
              {"index", "brought the rows up to date", folder.workspace(), stopwatch.seconds()});
  }
  return report;
}

Result<IndexPassReport> preview_index_pass(base::Disk& disk,
                                           const state::StateFolder& folder,
                                           const IndexPassRequest& request) {
  auto known = KnownVault::open(folder.file(index::kIndexFile), store::Access::read_only);
  if (!known && known.error().kind != ErrorKind::damaged) {
    return std::move(known).error();
  }
  KnownVault before = known ? std::move(known).value() : KnownVault{};
  auto root = disk.open_root(folder.workspace());
  if (!root) {
    return cannot_list(std::move(root).error(), folder.workspace(), before);
  }
  auto listing = VaultListing::list(**root);
  if (!listing) {
    return cannot_list(std::move(listing).error(), folder.workspace(), before);
  }
  TRY_ASSIGN(const scan::Survey survey,
             scan::survey(disk,
                          folder.workspace(),
                          *listing,
                          before.meta.secret,
                          wall_clock_ns(),
                          thread_count(request.threads, listing->unit_starts().size())));
  const scan::Differences differences = scan::differences(survey, before.fingerprints);
  IndexPassReport report;
  report.scanned = listing->entries().size();
  report.added = differences.added.size();
  report.changed = request.extent == Extent::everything ? report.scanned - differences.added.size()
                                                        : differences.changed.size();
  report.removed = differences.gone.size();
  report.meta = before.meta;
  return report;
}

}  // namespace daybook::service
