// SPDX-License-Identifier: MIT
#include "daybook/canon/artifact_writer.hpp"

#include "canon/folder_handle.hpp"
#include "canon/frontmatter_edit.hpp"
#include "canon/session_fields.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/body_hash.hpp"

#include <unistd.h>
#include <utility>

namespace daybook::canon {
namespace {

constexpr std::string_view kMemory = "memory";

FieldValue time_or_null(const std::optional<lineage::Timestamp>& time) {
  return time ? FieldValue(to_string(*time)) : FieldValue();
}

void add_run(const lineage::RunRecord& run, std::vector<FieldChange>& fields) {
  fields.push_back({"run_status", std::string(to_string(run.status))});
  fields.push_back({"request_preview", text_or_null(run.request_preview)});
  fields.push_back({"outcome_preview", text_or_null(run.outcome_preview)});
  fields.push_back({"failure_markers", run.failure_markers});
  fields.push_back({"run_summary", text_or_null(run.summary)});
}

std::vector<FieldChange> fields_of(const lineage::Artifact& artifact) {
  const lineage::MemorySentence& sentence = artifact.sentence;
  std::vector<FieldChange> fields = session_fields(artifact.kind, artifact.session);
  const bool ok = sentence.quality == lineage::SentenceQuality::ok;
  fields.insert(fields.end(),
                {{"started_at", time_or_null(artifact.started_at)},
                 {"ended_at", time_or_null(artifact.ended_at)},
                 {"manifest_path", artifact.manifest_path.path},
                 {"source_node_id", text_or_null(artifact.source_node_id)},
                 {"content_sha256", base::to_hex(artifact.content_sha256.value_or(base::Digest{}))},
                 {"hash_scope", std::string(lineage::kHashScope)},
                 {"sanitizer_version", artifact.sanitizer_version},
                 {"memory_sentence", sentence.text},
                 {"memory_sentence_version", sentence.version},
                 {"memory_sentence_quality", std::string(ok ? "ok" : "fallback")},
                 {"memory_sentence_generated_at", time_or_null(sentence.generated_at)}});
  if (!artifact.parent_session_id.empty()) {
    fields.push_back({"parent_session_id", artifact.parent_session_id});
  }
  if (artifact.run) {
    add_run(*artifact.run, fields);
  }
  return fields;
}

/// Writes and hashes it, but does not name it.
Result<std::pair<base::AtomicFile, WrittenArtifact>> prepare_one(const FolderHandle& folder,
                                                                 const NewArtifact& artifact) {
  const std::string path = artifact_path(artifact.fields);
  TRY_ASSIGN(base::AtomicFile file, base::AtomicFile::create_in(folder.get(), path));
  base::Sha256 hash;
  const auto take = [&](std::string_view piece) -> Result<void> {
    hash.update(piece);
    return file.write(piece);
  };
  TRY(take(artifact_frontmatter(artifact.fields)));
  lineage::BodyHasher body;
  TRY(artifact.body([&](std::string_view piece) {
    body.update(piece);
    return take(piece);
  }));
  if (artifact.fields.content_sha256 != body.finish()) {
    // What was kept for it has changed since: a file that contradicts itself helps nobody.
    return Error{ErrorKind::damaged,
                 "the text does not have the checksum that it was kept with",
                 path,
                 "Capture the session again."};
  }
  file.begin_sync();
  return std::pair(
      std::move(file),
      WrittenArtifact{artifact.fields.kind, path, ArtifactWrite::created, hash.finish()});
}

/// What stands under the name: nothing, the same, or something else.
Result<bool> is_there_already(base::Disk& disk,
                              const std::string& workspace,
                              const WrittenArtifact& wanted) {
  const auto there = base::hash_file(disk, workspace, wanted.path);
  if (there) {
    if (*there == wanted.sha256) {
      return true;
    }
    return Error{ErrorKind::already_exists, "another file has this name", wanted.path, {}};
  }
  return there.error().kind == ErrorKind::not_found ? Result<bool>(false) : there.error();
}

/// Gives it its name, unless the same bytes have it.
Result<void> name_it(base::Disk& disk,
                     const std::string& workspace,
                     base::AtomicFile& file,
                     WrittenArtifact& artifact) {
  TRY_ASSIGN(const bool there, is_there_already(disk, workspace, artifact));
  if (!there) {
    auto done = file.commit(base::IfExists::keep, base::FolderSync::left_to_caller);
    if (done || done.error().kind != ErrorKind::already_exists) {
      return done;
    }
    // Somebody was quicker by a moment.
    TRY(is_there_already(disk, workspace, artifact));
  }
  artifact.write = ArtifactWrite::already_there;
  return {};
}

}  // namespace

std::string artifact_path(const lineage::Artifact& artifact) {
  const lineage::SessionFields& session = artifact.session;
  const auto token = lineage::SessionToken::derive(
      session.agent_id, lineage::session_identity(session.session_key, session.session_id));
  return std::string(kMemory).append("/").append(
      to_string(lineage::ArtifactName{token, session.captured_at, artifact.kind}));
}

std::string artifact_frontmatter(const lineage::Artifact& artifact) {
  std::string text = "---\n";
  for (const FieldChange& field : fields_of(artifact)) {
    text.append(yaml_field(field.key, field.value, "\n"));
  }
  return text.append("---\n");
}

Result<ArtifactSet> ArtifactSet::prepare(base::Disk& disk,
                                         const std::string& workspace,
                                         std::span<const NewArtifact> artifacts) {
  TRY_ASSIGN(FolderHandle folder, open_folder(workspace, kMemory));
  ArtifactSet set(disk, workspace, std::move(folder));
  for (const NewArtifact& artifact : artifacts) {
    TRY_ASSIGN(auto one, prepare_one(set.folder_, artifact));
    // Before any has its name: a set that cannot be whole is not begun.
    TRY(is_there_already(disk, workspace, one.second));
    set.files_.push_back(std::move(one.first));
    set.artifacts_.push_back(std::move(one.second));
  }
  return set;
}

Result<void> ArtifactSet::name_all(const ArtifactStep& named) {
  for (base::AtomicFile& file : files_) {
    TRY(file.sync());
  }
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (auto done = name_it(disk_, workspace_, files_[i], artifacts_[i]); !done) {
      if (done.error().kind == ErrorKind::already_exists) {
        unname(i);  // the whole set gets other names then
      }
      return done;
    }
    TRY(named(artifacts_[i]));
  }
  return {};
}

void ArtifactSet::unname(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (artifacts_[i].write == ArtifactWrite::created) {
      ::unlinkat(folder_.get(), split_path(artifacts_[i].path).name.c_str(), 0);
    }
  }
}

}  // namespace daybook::canon
