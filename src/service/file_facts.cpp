// SPDX-License-Identifier: MIT
#include "service/file_facts.hpp"

#include "service/seal_record.hpp"
#include "service/unit_worker.hpp"

#include <algorithm>

namespace daybook::service {
namespace {

using index::FileFacts;
using index::FileRow;
using index::FileStatus;
using lineage::Code;

constexpr std::size_t kSealBatch = 4000;

bool has(const std::vector<lineage::Diagnostic>& diagnostics, Code code) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [code](const auto& found) {
    return found.code == code;
  });
}

bool is_invalidated(const std::vector<lineage::Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const auto& found) {
    return lineage::info(found.code).invalidates == lineage::Invalidates::yes;
  });
}

void drop(std::vector<lineage::Diagnostic>& diagnostics, Code code) {
  std::erase_if(diagnostics, [code](const auto& found) { return found.code == code; });
}

std::optional<lineage::SessionToken> session_of(const lineage::SessionFields& fields) {
  const std::string_view identity =
      lineage::session_identity(fields.session_key, fields.session_id);
  if (!lineage::is_valid_agent_id(fields.agent_id) || identity.empty()) {
    return std::nullopt;
  }
  return lineage::SessionToken::derive(fields.agent_id, identity);
}

void take_record(parse::Record&& record, FileRow& row) {
  if (auto* artifact = std::get_if<lineage::Artifact>(&record)) {
    row.fields = std::move(artifact->session);
    row.started_at = artifact->started_at;
    row.ended_at = artifact->ended_at;
    row.manifest_path = std::move(artifact->manifest_path.path);
    row.source_node_id = std::move(artifact->source_node_id);
    row.content_sha256 = artifact->content_sha256;
    row.sentence = std::move(artifact->sentence);
    row.session = session_of(row.fields);
  } else if (auto* manifest = std::get_if<lineage::Manifest>(&record)) {
    row.fields = std::move(manifest->session);
    row.revision = manifest->revision;
    row.device = std::move(manifest->device);
    row.memory_md_refs = std::move(manifest->memory_md_refs);
    row.session = session_of(row.fields);
  } else if (auto* tombstone = std::get_if<lineage::Tombstone>(&record)) {
    row.fields.agent_id = std::move(tombstone->agent_id);
    row.fields.captured_at = tombstone->removed_at.value_or(lineage::Timestamp{});
  }
}

FileStatus status_of(const ExaminedNote& note, const FileRow& row) {
  if (note.removed) {
    return FileStatus::removed;
  }
  if (note.duplicate) {
    return FileStatus::duplicate;
  }
  if (is_invalidated(note.diagnostics)) {
    return FileStatus::invalid;
  }
  return row.kind ? FileStatus::valid : FileStatus::note;
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

FileFacts facts_of(const scan::VaultListing& listing,
                   scan::VaultListing::Index file,
                   ExaminedNote& note) {
  FileFacts facts;
  FileRow& row = facts.row;
  row.folder = listing.folder_path(file);
  row.name = listing.file_name(file);
  const lineage::NameReading name = lineage::read_artifact_name(row.name);
  row.kind = name.kind;
  row.token = lineage::SessionToken::parse(name.token_text);
  row.size = note.stat.size;
  row.mtime_ns = note.stat.mtime_ns;
  row.ctime_ns = note.stat.ctime_ns;
  row.inode = note.stat.inode;
  row.names_used = note.names_used;
  if (!note.removed) {
    take_record(std::move(note.record), row);
    if (row.fields.agent_id.empty()) {
      row.fields.agent_id = note.agent_id;
    }
    row.body_sha256 = note.body_hash;
    row.source_sha256 = note.seal;
    row.fallback = std::move(note.fallback);
    facts.links = std::move(note.links);
  }
  if (name.form == lineage::NameForm::artifact) {
    row.fields.captured_at = name.name.captured_at;
  }
  row.status = status_of(note, row);
  facts.diagnostics = std::move(note.diagnostics);
  sum_up_excess(facts.diagnostics);
  return facts;
}

state::Seal seal_of(const ExaminedNote& note, const FileFacts& facts, lineage::Timestamp now) {
  const FileRow& row = facts.row;
  return {*note.seal,
          *note.body_hash,
          pack({note.field_marks, note.extra_fields, row.fields}),
          row.shown_sentence(),
          row.fields.project,
          row.membership(),
          row.started_at,
          row.ended_at,
          false,
          now};
}

Result<void> SealKeeper::begin() {
  TRY_ASSIGN(const bool none, state_.seals().empty());
  any_known_ = !none;
  return {};
}

Result<void> SealKeeper::judge(const scan::VaultListing::Entry& entry,
                               const ExaminedNote& note,
                               FileFacts& facts) {
  if (!entry.belongs_to_session() || facts.row.status == FileStatus::removed ||
      facts.row.status == FileStatus::duplicate) {
    return {};
  }
  const lineage::ArtifactName name = entry.name();
  if (lineage::is_immutable(name.kind) && note.seal) {
    return judge_artifact(name, note, facts);
  }
  return name.kind == lineage::Kind::manifest ? judge_manifest(facts) : Result<void>();
}

Result<void> SealKeeper::judge_artifact(const lineage::ArtifactName& name,
                                        const ExaminedNote& note,
                                        FileFacts& facts) {
  std::optional<state::Seal> known;
  if (any_known_) {
    TRY_ASSIGN(known, state_.seals().find(name));
  }
  if (known && known->file != *note.seal) {
    const SealRecord record = unpack(known->fields).value_or(SealRecord{});
    drop(facts.diagnostics, Code::immutable_changed);
    facts.diagnostics.push_back(
        {Code::immutable_changed, 0, name_differences(*known, record, note)});
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
  if (!known && facts.row.status == FileStatus::valid) {
    to_seal_.emplace_back(name, seal_of(note, facts, now_));
  }
  return to_seal_.size() < kSealBatch ? Result<void>() : flush();
}

/// A revision below the known one: an older copy came back, by a restore or by sync.
Result<void> SealKeeper::judge_manifest(FileFacts& facts) {
  if (facts.row.status != FileStatus::valid || !facts.row.session) {
    return {};
  }
  const auto revision = static_cast<std::int64_t>(facts.row.revision);
  std::optional<state::ManifestRevision> known;
  if (any_known_) {
    TRY_ASSIGN(known, state_.manifest_revision(*facts.row.session));
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

Result<void> SealKeeper::flush() {
  TRY(state_.seals().put(to_seal_));
  to_seal_.clear();
  TRY(state_.put_manifest_revisions(revisions_));
  revisions_.clear();
  return {};
}

}  // namespace daybook::service
