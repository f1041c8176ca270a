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

void take_record(parse::Record&& record, FileRow& row) {
  if (auto* artifact = std::get_if<lineage::Artifact>(&record)) {
    row.fields = std::move(artifact->session);
    row.started_at = artifact->started_at;
    row.ended_at = artifact->ended_at;
    row.manifest_path = std::move(artifact->manifest_path.path);
    row.source_node_id = std::move(artifact->source_node_id);
    row.content_sha256 = artifact->content_sha256;
    row.sentence = std::move(artifact->sentence);
    row.run = std::move(artifact->run);
    row.parent_session_id = std::move(artifact->parent_session_id);
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
  return row.kind || row.learning ? FileStatus::valid : FileStatus::note;
}

/// Takes what it keeps out of the note.
FileFacts take_facts(const scan::VaultListing& listing,
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
    row.learning_id = note.learning_id;
    if (note.learning) {
      row.learning = std::move(note.learning);
      row.fields.agent_id = row.learning->agent_id;  // which may be a default
    }
    row.body_sha256 = note.body_hash;
    if (row.learning_id) {  // no artifact: it claims none
      row.content_sha256 = note.said_body_hash;
    }
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

/// What is remembered of an immutable file that is whole now.
state::Seal seal_of(const ExaminedNote& note, const FileFacts& facts) {
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
          {}};
}

}  // namespace

bool is_invalidated(std::span<const lineage::Diagnostic> diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const auto& found) {
    return lineage::info(found.code).invalidates == lineage::Invalidates::yes;
  });
}

std::optional<lineage::SessionToken> session_of(const lineage::SessionFields& fields) {
  const std::string_view identity =
      lineage::session_identity(fields.session_key, fields.session_id);
  if (!lineage::is_valid_agent_id(fields.agent_id) || identity.empty()) {
    return std::nullopt;
  }
  return lineage::SessionToken::derive(fields.agent_id, identity);
}

ExaminedFile::ExaminedFile(const scan::VaultListing& listing,
                           scan::VaultListing::Index listed,
                           ExaminedNote&& examined)
    : file(listed), note(std::move(examined)), facts(take_facts(listing, listed, note)) {
  const FileRow& row = facts.row;
  if (row.status == FileStatus::valid && row.kind && lineage::is_immutable(*row.kind) &&
      note.seal && note.body_hash) {
    seal = seal_of(note, facts);
  }
}

}  // namespace daybook::service
