// SPDX-License-Identifier: MIT
//
// What a Writer writes of a file: its row, and what is known of the run or the learning that it
// tells of.
#include "index/link_columns.hpp"
#include "index/writer_statements.hpp"

#include <tuple>
#include <utility>

namespace daybook::index {
namespace {

using store::Blob;
using store::Statement;

std::optional<Blob> blob(const std::optional<base::Digest>& digest) {
  return digest ? std::optional(store::as_blob(*digest)) : std::nullopt;
}

std::string spelled(const std::optional<lineage::SessionToken>& token) {
  return token ? token->to_string() : std::string();
}

std::string joined(const std::vector<std::string>& lines) {
  std::string result;
  for (const std::string& line : lines) {
    result.append(result.empty() ? "" : "\n").append(line);
  }
  return result;
}

/// The numbers of a file's texts that repeat.
struct WordsOfFile {
  std::int64_t folder = 0;
  std::optional<std::int64_t> agent;
  std::optional<std::int64_t> project;
  std::optional<std::int64_t> harness;
  std::optional<std::int64_t> sentence_version;
};

// What follows are values of columns that lie side by side. They refer to what they are made of.

auto name_columns(const FileRow& row, const WordsOfFile& words) {
  return std::tuple(row.id != 0 ? std::optional(row.id) : std::nullopt,
                    words.folder,
                    &row.name,
                    row.status,
                    row.kind);
}

auto session_columns(const FileRow& row,
                     const WordsOfFile& words,
                     const std::string& token,
                     const std::string& session) {
  const bool same_token = row.token && row.token == row.session;
  return std::tuple(same_token ? &kSame : text(token),
                    text(session),
                    words.agent,
                    text(row.fields.session_id),
                    text(row.fields.session_key),
                    words.project,
                    words.harness);
}

auto time_columns(const FileRow& row) {
  const bool has_time = row.kind && row.fields.captured_at != lineage::Timestamp{};
  return std::tuple(has_time ? std::optional(row.fields.captured_at.ms) : std::nullopt,
                    ms(row.started_at),
                    ms(row.ended_at));
}

auto source_columns(const FileRow& row, const SharedPath& manifest) {
  const bool has_manifest = !row.manifest_path.empty();
  return std::tuple(has_manifest ? std::optional(manifest.shared) : std::nullopt,
                    has_manifest ? std::optional(manifest.rest) : std::nullopt,
                    text(row.source_node_id),
                    blob(row.content_sha256),
                    row.body_sha256 == row.content_sha256 ? std::nullopt : blob(row.body_sha256),
                    blob(row.source_sha256));
}

auto sentence_columns(const FileRow& row, const WordsOfFile& words) {
  return std::tuple(text(row.sentence.text),
                    words.sentence_version,
                    row.sentence.quality,
                    ms(row.sentence.generated_at),
                    text(row.fallback));
}

auto manifest_columns(const FileRow& row, const std::string& memory_md_refs) {
  return std::tuple(row.revision, text(row.device), text(memory_md_refs));
}

auto stat_columns(const FileRow& row) {
  return std::tuple(row.size, row.mtime_ns, row.ctime_ns, row.inode);
}

auto other_columns(const FileRow& row) { return std::tuple(row.names_used, row.learning_id); }

}  // namespace

Result<std::int64_t> Writer::put_file(const FileFacts& facts) {
  const FileRow& row = facts.row;
  WordsOfFile words;
  TRY_ASSIGN(words.folder, word(row.folder));
  TRY_ASSIGN(words.agent, word_or_null(row.fields.agent_id));
  TRY_ASSIGN(words.project, word_or_null(row.fields.project));
  TRY_ASSIGN(words.harness, word_or_null(row.fields.harness));
  TRY_ASSIGN(words.sentence_version, word_or_null(row.sentence.version));
  if (row.id != 0) {
    TRY(statements_->erase_learning.run(row.id));
    TRY(erase_links(row.id));
    TRY(statements_->erase_diagnostics.run(row.id));
    TRY(statements_->erase_run.run(row.id));
  }
  const std::string path = row.path();
  const std::string token = row.token == row.session ? std::string() : spelled(row.token);
  const std::string session = spelled(row.session);
  const std::string refs = joined(row.memory_md_refs);
  Statement& put = row.id != 0 ? statements_->replace_file : statements_->add_file;
  TRY(std::apply([&put](const auto&... values) { return put.run(values...); },
                 std::tuple_cat(name_columns(row, words),
                                session_columns(row, words, token, session),
                                time_columns(row),
                                source_columns(row, shared_path(row.manifest_path, path)),
                                sentence_columns(row, words),
                                manifest_columns(row, refs),
                                stat_columns(row),
                                other_columns(row))));
  const std::int64_t id = row.id != 0 ? row.id : statements_->database.last_insert_id();
  TRY(put_links(id, path, facts.links));
  TRY(add_diagnostics(id, row.fields.agent_id, facts.diagnostics));
  TRY(put_run(id, row));
  if (row.learning && (row.status == FileStatus::valid || row.status == FileStatus::duplicate)) {
    TRY(put_learning(id, *row.learning));
  }
  return id;
}

Result<void> Writer::put_run(std::int64_t file, const FileRow& row) {
  if (!row.run || row.status != FileStatus::valid) {
    return {};
  }
  const std::string markers = joined(row.run->failure_markers);
  return statements_->put_run.run(file,
                                  row.run->status,
                                  text(row.run->request_preview),
                                  text(row.run->outcome_preview),
                                  text(markers),
                                  text(row.run->summary),
                                  text(row.parent_session_id));
}

Result<void> Writer::put_learning(std::int64_t file, const lineage::Learning& learning) {
  TRY_ASSIGN(const std::int64_t agent, word(learning.agent_id));
  return statements_->put_learning.run(file,
                                       learning.id,
                                       agent,
                                       learning.kind,
                                       learning.category,
                                       learning.scope.kind,
                                       learning.scope.id,
                                       learning.status,
                                       learning.tier,
                                       learning.origin,
                                       learning.sensitivity,
                                       learning.created_at.ms,
                                       learning.updated_at.ms,
                                       ms(learning.expires_at),
                                       learning.revision,
                                       text(learning.metadata),
                                       learning.content,
                                       ms(learning.revoked_at),
                                       text(learning.revoked_reason));
}

Result<void> Writer::erase_file(std::int64_t id) {
  TRY(erase_links(id));
  TRY(statements_->erase_diagnostics.run(id));
  TRY(statements_->erase_run.run(id));
  TRY(statements_->erase_learning.run(id));
  return statements_->erase_file.run(id);
}

}  // namespace daybook::index
