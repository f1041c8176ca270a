// SPDX-License-Identifier: MIT
#include "service/seal_keeper.hpp"

#include "daybook/base/safety.hpp"
#include "service/seal_record.hpp"
#include "service/session_check.hpp"

#include <algorithm>
#include <utility>

namespace daybook::service {
namespace {

using index::FileFacts;
using index::FileRow;
using index::FileStatus;
using lineage::Code;

bool has(const std::vector<lineage::Diagnostic>& diagnostics, Code code) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [code](const auto& found) {
    return found.code == code;
  });
}

void drop(std::vector<lineage::Diagnostic>& diagnostics, Code code) {
  std::erase_if(diagnostics, [code](const auto& found) { return found.code == code; });
}

/// The file says something else now: what it said when it was sealed takes the row.
void show_sealed(FileFacts& facts, const lineage::SessionFields& session, std::string sentence) {
  FileRow& row = facts.row;
  const lineage::Timestamp captured_at = row.fields.captured_at;
  row.status = FileStatus::changed;
  row.fields = session;
  row.fields.captured_at = captured_at;
  row.session = session_of(row.fields);
  row.sentence = {};
  row.sentence.text = std::move(sentence);
  row.fallback.clear();
  facts.links.clear();
}

/// The manifest's word for a file that this device has never seen whole. A session that goes on
/// takes its earlier files' seals out of the manifest; from then on this one is all that is known.
state::Seal borrowed_seal(const ExaminedNote& note, lineage::Timestamp now) {
  state::Seal seal;
  seal.file = *note.manifest_seal;
  seal.fields = pack({{}, {}, *note.sealed_session});
  seal.sentence = kChangedSinceSealed;
  seal.project = note.sealed_session->project;
  seal.first_seen = now;
  return seal;
}

/// Nobody knows the body's hash of such a one.
bool is_borrowed(const state::Seal& seal) { return seal.body == base::Digest{}; }

std::string name_differences(const state::Seal& seal,
                             const SealRecord& before,
                             const ExaminedNote& note) {
  SealRecord after;
  after.marks = note.field_marks;
  after.extra_names = note.extra_fields;
  std::vector<std::string> parts = differing_fields(before, after);
  if (note.body_hash != seal.body) {
    parts.emplace_back("body");
  }
  if (parts.empty()) {
    parts.emplace_back("layout");
  }
  std::string message("The file differs from what was sealed here: ");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    message.append(i == 0 ? "" : ", ").append(parts[i]);
  }
  return message;
}

}  // namespace

Result<SealKeeper> SealKeeper::make(state::StateDb& state,
                                    lineage::Timestamp now,
                                    std::size_t batch) {
  SealKeeper keeper(state, now, batch);
  TRY_ASSIGN(const bool no_seals, state.seals().empty());
  keeper.any_seals_ = !no_seals;
  TRY_ASSIGN(keeper.any_revisions_, state.has_manifest_revisions());
  return keeper;
}

Result<std::optional<state::Seal>> SealKeeper::find(const lineage::ArtifactName& name) {
  const std::lock_guard lock(*in_use_);
  return state_->seals().find(name);
}

Result<void> SealKeeper::erase(const lineage::ArtifactName& name) {
  const std::lock_guard lock(*in_use_);
  return state_->seals().erase(name);
}

Result<void> SealKeeper::judge(const scan::VaultListing::Entry& entry, ExaminedFile& examined) {
  const ExaminedNote& note = examined.note;
  FileFacts& facts = examined.facts;
  if (!entry.belongs_to_session() || facts.row.status == FileStatus::removed ||
      facts.row.status == FileStatus::duplicate) {
    return {};
  }
  const lineage::ArtifactName name = entry.name();
  if (lineage::is_immutable(name.kind) && note.seal) {
    return judge_artifact(name, examined);
  }
  return name.kind == lineage::Kind::manifest ? judge_manifest(facts) : Result<void>();
}

Result<void> SealKeeper::judge_artifact(const lineage::ArtifactName& name, ExaminedFile& examined) {
  const ExaminedNote& note = examined.note;
  FileFacts& facts = examined.facts;
  std::optional<state::Seal> known;
  if (any_seals_) {
    TRY_ASSIGN(known, find(name));
  }
  if (known && is_borrowed(*known) &&
      (known->file == *note.seal || note.manifest_seal == *note.seal)) {
    known.reset();  // it is whole now, and is sealed with all that it says
  }
  if (!known && note.sealed_session) {
    known = borrowed_seal(note, now_);
    to_seal_.emplace_back(name, *known);
  }
  if (base::keeps(base::Safety::seal) && known && known->file != *note.seal) {
    const SealRecord record = unpack(known->fields).value_or(SealRecord{});
    drop(facts.diagnostics, Code::immutable_changed);
    facts.diagnostics.push_back(is_borrowed(*known)
                                    ? changed_since_sealed(facts.diagnostics)
                                    : lineage::Diagnostic{Code::immutable_changed,
                                                          0,
                                                          name_differences(*known, record, note)});
    show_sealed(facts, record.session, known->sentence);
    facts.row.fields.project = known->project;
    facts.row.started_at = known->started;
    facts.row.ended_at = known->ended;
    return {};
  }
  if (known && known->accepted && has(facts.diagnostics, Code::immutable_changed)) {
    drop(facts.diagnostics, Code::immutable_changed);  // the manifest's seal is out of date
    facts.row.status = is_invalidated(facts.diagnostics) ? FileStatus::invalid : FileStatus::valid;
  }
  if (note.sealed_session && has(facts.diagnostics, Code::immutable_changed)) {
    show_sealed(facts, *note.sealed_session, kChangedSinceSealed);
    facts.row.started_at.reset();
    facts.row.ended_at.reset();
    return {};
  }
  if (!known && facts.row.status == FileStatus::valid && examined.seal) {
    examined.seal->first_seen = now_;
    to_seal_.emplace_back(name, std::move(*examined.seal));
  }
  return to_seal_.size() < batch_ ? Result<void>() : write_beside();
}

/// A revision below the known one: an older copy came back, by a restore or by sync.
Result<void> SealKeeper::judge_manifest(FileFacts& facts) {
  if (facts.row.status != FileStatus::valid || !facts.row.session) {
    return {};
  }
  const auto revision = static_cast<std::int64_t>(facts.row.revision);
  std::optional<state::ManifestRevision> known;
  if (any_revisions_) {
    const std::lock_guard lock(*in_use_);
    TRY_ASSIGN(known, state_->manifest_revision(*facts.row.session));
  }
  if (known && revision < known->revision) {
    facts.diagnostics.push_back({Code::manifest_stale_revision,
                                 0,
                                 "The manifest has revision " + std::to_string(revision) +
                                     ", but revision " + std::to_string(known->revision) +
                                     " was seen before"});
  } else if (revision > (known ? known->revision : 0)) {
    revisions_.emplace_back(*facts.row.session,
                            state::ManifestRevision{revision, *facts.row.source_sha256});
  }
  return {};
}

Result<void> SealKeeper::write_beside() {
  TRY(wait());
  writing_ = std::async(std::launch::async,
                        [&state = *state_,
                         &in_use = *in_use_,
                         seals = std::exchange(to_seal_, {}),
                         revisions = std::exchange(revisions_, {})]() -> Result<void> {
                          const std::lock_guard lock(in_use);
                          TRY(state.seals().put(seals));
                          return state.put_manifest_revisions(revisions);
                        });
  to_seal_.reserve(batch_);  // where one batch was full, growing by and by costs more
  return {};
}

Result<void> SealKeeper::wait() { return writing_.valid() ? writing_.get() : Result<void>(); }

Result<void> SealKeeper::flush() {
  TRY(wait());
  const std::lock_guard lock(*in_use_);
  TRY(state_->seals().put(to_seal_));
  to_seal_.clear();
  TRY(state_->put_manifest_revisions(revisions_));
  revisions_.clear();
  return {};
}

}  // namespace daybook::service
