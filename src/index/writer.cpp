// SPDX-License-Identifier: MIT
#include "daybook/index/writer.hpp"

#include "daybook/index/session_rows.hpp"
#include "daybook/index/text_months.hpp"
#include "index/file_columns.hpp"
#include "index/link_columns.hpp"

#include <functional>
#include <unordered_map>

namespace daybook::index {
namespace {

using store::Blob;
using store::Row;
using store::Statement;

std::optional<std::int64_t> ms(const std::optional<lineage::Timestamp>& time) {
  return time ? std::optional(time->ms) : std::nullopt;
}

std::optional<Blob> blob(const std::optional<base::Digest>& digest) {
  return digest ? std::optional(store::as_blob(*digest)) : std::nullopt;
}

/// Empty texts are kept as NULL: a byte less each, and "no value" reads the same everywhere.
const std::string* text(const std::string& value) { return value.empty() ? nullptr : &value; }

/// Kept where a column says "the same as the other one", as against NULL, "none".
const std::string kSame;

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

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

constexpr const char* kPutFile =
    " INTO file(id, folder, name, status, kind, token, session, agent, session_id,"
    " session_key, project, harness, captured_at, started_at, ended_at, manifest_shared,"
    " manifest_rest, source_node_id, content_sha256, body_sha256, source_sha256, sentence, "
    "sentence_version,"
    " sentence_quality, sentence_generated_at, fallback, revision, device, memory_md_refs, size,"
    " mtime_ns, ctime_ns, inode, names_used, learning_id)"
    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

}  // namespace

struct Writer::Statements {
  store::Database& database;
  Statement add_file;
  Statement replace_file;
  Statement erase_file;
  Statement erase_links;
  Statement erase_diagnostics;
  Statement put_run;
  Statement erase_run;
  Statement put_learning;
  Statement erase_learning;
  Statement put_link;
  Statement put_diagnostic;
  Statement find_word;
  Statement put_word;
  Statement files_of_session;
  Statement put_session;
  Statement erase_session;
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> words;
};

Writer::Writer(std::unique_ptr<Statements> statements) : statements_(std::move(statements)) {}
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;
Writer::~Writer() = default;

Result<Writer> Writer::make(store::Database& db) {
  // Both, because SQLite takes a savepoint before each OR REPLACE.
  TRY_ASSIGN(auto add_file, db.prepare(std::string("INSERT").append(kPutFile)));
  TRY_ASSIGN(auto replace_file, db.prepare(std::string("INSERT OR REPLACE").append(kPutFile)));
  TRY_ASSIGN(auto erase_file, db.prepare("DELETE FROM file WHERE id = ?"));
  TRY_ASSIGN(auto erase_links, db.prepare("DELETE FROM link WHERE id BETWEEN ? AND ?"));
  TRY_ASSIGN(auto erase_diagnostics, db.prepare("DELETE FROM diagnostic WHERE file = ?"));
  TRY_ASSIGN(auto put_run, db.prepare("INSERT INTO run VALUES(?,?,?,?,?,?,?)"));
  TRY_ASSIGN(auto erase_run, db.prepare("DELETE FROM run WHERE file = ?"));
  TRY_ASSIGN(auto put_learning,
             db.prepare("INSERT INTO learning VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  TRY_ASSIGN(auto erase_learning, db.prepare("DELETE FROM learning WHERE file = ?"));
  TRY_ASSIGN(auto put_link,
             db.prepare("INSERT INTO link(id, line, origin, form, target_shared, target_rest,"
                        " target_mark, resolved) VALUES(?,?,?,?,?,?,?,?)"));
  TRY_ASSIGN(auto put_diagnostic,
             db.prepare("INSERT INTO diagnostic(file, path, agent, code, severity, line, message)"
                        " VALUES(?,?,?,?,?,?,?)"));
  TRY_ASSIGN(auto find_word, db.prepare("SELECT id FROM word WHERE text = ?"));
  TRY_ASSIGN(auto put_word, db.prepare("INSERT INTO word(text) VALUES(?)"));
  TRY_ASSIGN(auto files_of_session, db.prepare(std::string(kSelectFiles) + " WHERE session = ?"));
  TRY_ASSIGN(auto put_session,
             db.prepare("INSERT INTO session(token, agent, session_id, session_key,"
                        " project, harness, membership, started_at, source, changed,"
                        " summary, transcript, compaction, manifest)"
                        " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
                        " ON CONFLICT(token) DO NOTHING"));
  TRY_ASSIGN(auto erase_session, db.prepare("DELETE FROM session WHERE token = ?"));
  return Writer(std::unique_ptr<Statements>(new Statements{db,
                                                           std::move(add_file),
                                                           std::move(replace_file),
                                                           std::move(erase_file),
                                                           std::move(erase_links),
                                                           std::move(erase_diagnostics),
                                                           std::move(put_run),
                                                           std::move(erase_run),
                                                           std::move(put_learning),
                                                           std::move(erase_learning),
                                                           std::move(put_link),
                                                           std::move(put_diagnostic),
                                                           std::move(find_word),
                                                           std::move(put_word),
                                                           std::move(files_of_session),
                                                           std::move(put_session),
                                                           std::move(erase_session),
                                                           {}}));
}

Result<std::int64_t> Writer::word(std::string_view value) {
  constexpr std::size_t kMostRemembered = 50'000;
  Statements& s = *statements_;
  if (const auto known = s.words.find(value); known != s.words.end()) {
    return known->second;
  }
  TRY_ASSIGN(auto id, s.find_word.integer(value));
  if (!id) {
    TRY(s.put_word.run(value));
    id = s.database.last_insert_id();
  }
  if (s.words.size() < kMostRemembered) {
    s.words.emplace(value, *id);
  }
  return *id;
}

Result<std::optional<std::int64_t>> Writer::word_or_null(std::string_view value) {
  if (value.empty()) {
    return std::optional<std::int64_t>();
  }
  TRY_ASSIGN(const std::int64_t id, word(value));
  return std::optional(id);
}

Result<std::int64_t> Writer::put_file(const FileFacts& facts) {
  const FileRow& row = facts.row;
  TRY_ASSIGN(const std::int64_t folder, word(row.folder));
  TRY_ASSIGN(const auto agent, word_or_null(row.fields.agent_id));
  TRY_ASSIGN(const auto project, word_or_null(row.fields.project));
  TRY_ASSIGN(const auto harness, word_or_null(row.fields.harness));
  TRY_ASSIGN(const auto sentence_version, word_or_null(row.sentence.version));
  if (row.id != 0) {
    TRY(statements_->erase_learning.run(row.id));
    TRY(erase_links(row.id));
    TRY(statements_->erase_diagnostics.run(row.id));
    TRY(statements_->erase_run.run(row.id));
  }
  const bool has_time = row.kind && row.fields.captured_at != lineage::Timestamp{};
  const std::string refs = joined(row.memory_md_refs);
  const std::string path = row.path();
  const SharedPath manifest = shared_path(row.manifest_path, path);
  const bool same_token = row.token && row.token == row.session;
  const std::string token = same_token ? std::string() : spelled(row.token);
  const std::string session = spelled(row.session);
  const bool has_manifest = !row.manifest_path.empty();
  Statement& put = row.id != 0 ? statements_->replace_file : statements_->add_file;
  TRY(put.run(row.id != 0 ? std::optional(row.id) : std::nullopt,
              folder,
              row.name,
              row.status,
              row.kind,
              same_token ? &kSame : text(token),
              text(session),
              agent,
              text(row.fields.session_id),
              text(row.fields.session_key),
              project,
              harness,
              has_time ? std::optional(row.fields.captured_at.ms) : std::nullopt,
              ms(row.started_at),
              ms(row.ended_at),
              has_manifest ? std::optional(manifest.shared) : std::nullopt,
              has_manifest ? std::optional(manifest.rest) : std::nullopt,
              text(row.source_node_id),
              blob(row.content_sha256),
              blob(row.body_sha256 == row.content_sha256 ? std::nullopt : row.body_sha256),
              blob(row.source_sha256),
              text(row.sentence.text),
              sentence_version,
              row.sentence.quality,
              ms(row.sentence.generated_at),
              text(row.fallback),
              row.revision,
              text(row.device),
              text(refs),
              row.size,
              row.mtime_ns,
              row.ctime_ns,
              row.inode,
              row.names_used,
              row.learning_id));
  const std::int64_t id = row.id != 0 ? row.id : statements_->database.last_insert_id();
  TRY(put_links(id, path, facts.links));
  TRY(add_diagnostics(id, row.fields.agent_id, facts.diagnostics));
  if (row.run && row.status == FileStatus::valid) {
    const std::string markers = joined(row.run->failure_markers);
    TRY(statements_->put_run.run(id,
                                 row.run->status,
                                 text(row.run->request_preview),
                                 text(row.run->outcome_preview),
                                 text(markers),
                                 text(row.run->summary),
                                 text(row.parent_session_id)));
  }
  if (row.learning && (row.status == FileStatus::valid || row.status == FileStatus::duplicate)) {
    TRY(put_learning(id, *row.learning));
  }
  return id;
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

Result<void> Writer::erase_links(std::int64_t file) {
  return statements_->erase_links.run(first_link(file), first_link(file + 1) - 1);
}

Result<void> Writer::put_links(std::int64_t file,
                               std::string_view path,
                               const std::vector<LinkRow>& links) {
  if (links.size() > kMostLinksOfFile) {
    return Error{ErrorKind::usage, "the file has more links than the index can hold", {}, {}};
  }
  std::int64_t number = 0;
  for (const LinkRow& link : links) {
    const SharedPath target = shared_path(link.target, path);
    TRY(statements_->put_link.run(first_link(file) + ++number,
                                  link.line,
                                  link.origin,
                                  link.form,
                                  target.shared,
                                  target.rest,
                                  target_mark(link.target),
                                  // A link that leads where it says needs that said once.
                                  link.resolved == link.target ? &kSame : text(link.resolved)));
  }
  return {};
}

Result<void> Writer::put_diagnostics(std::int64_t file,
                                     std::string_view agent_id,
                                     std::span<const lineage::Diagnostic> diagnostics) {
  TRY(statements_->erase_diagnostics.run(file));
  return add_diagnostics(file, agent_id, diagnostics);
}

Result<void> Writer::add_diagnostics(std::int64_t file,
                                     std::string_view agent_id,
                                     std::span<const lineage::Diagnostic> diagnostics) {
  if (diagnostics.empty()) {
    return {};
  }
  TRY_ASSIGN(const auto agent,
             word_or_null(lineage::is_valid_agent_id(agent_id) ? agent_id : std::string_view()));
  for (const lineage::Diagnostic& found : diagnostics) {
    const lineage::CodeInfo& info = lineage::info(found.code);
    TRY(statements_->put_diagnostic.run(
        file, nullptr, agent, info.name, info.severity, found.line, found.sentence()));
  }
  return {};
}

Result<void> Writer::put_other_diagnostics(
    std::span<const std::pair<std::string, lineage::Diagnostic>> diagnostics) {
  TRY(statements_->database.execute("DELETE FROM diagnostic WHERE file IS NULL"));
  for (const auto& [path, found] : diagnostics) {
    const lineage::CodeInfo& info = lineage::info(found.code);
    TRY(statements_->put_diagnostic.run(
        nullptr, path, nullptr, info.name, info.severity, found.line, found.sentence()));
  }
  return {};
}

Result<void> Writer::erase_file(std::int64_t id) {
  TRY(erase_links(id));
  TRY(statements_->erase_diagnostics.run(id));
  TRY(statements_->erase_run.run(id));
  TRY(statements_->erase_learning.run(id));
  return statements_->erase_file.run(id);
}

Result<void> Writer::put_session(const SessionRow& row) {
  TRY_ASSIGN(const std::int64_t agent, word(row.agent_id));
  TRY_ASSIGN(const auto project, word_or_null(row.project));
  TRY_ASSIGN(const auto harness, word_or_null(row.harness));
  const auto file = [&row](lineage::Kind kind) {
    return row.file(kind) != 0 ? std::optional(row.file(kind)) : std::nullopt;
  };
  const std::string token = row.token.to_string();
  const auto put = [&] {
    return statements_->put_session.run(token,
                                        agent,
                                        text(row.session_id),
                                        text(row.session_key),
                                        project,
                                        harness,
                                        row.membership.ms,
                                        ms(row.started_at),
                                        row.source,
                                        row.changed_since_sealed,
                                        file(lineage::Kind::summary),
                                        file(lineage::Kind::transcript),
                                        file(lineage::Kind::compaction),
                                        file(lineage::Kind::manifest));
  };
  TRY(put());
  if (statements_->database.changes() > 0) {
    return {};
  }
  // It was there. Not OR REPLACE, whose deletion triggers do not see.
  TRY(statements_->erase_session.run(token));
  return put();
}

Result<void> Writer::renew_session(lineage::SessionToken token) {
  std::vector<FileRow> rows;
  TRY(statements_->files_of_session.each([&rows](const Row& row) { rows.push_back(file_row(row)); },
                                         token.to_string()));
  std::vector<const FileRow*> files;
  files.reserve(rows.size());
  for (const FileRow& row : rows) {
    files.push_back(&row);
  }
  if (const auto row = session_row(files)) {
    return put_session(*row);
  }
  return statements_->erase_session.run(token.to_string());
}

Result<void> Writer::put_tombstones(std::span<const lineage::Tombstone> tombstones) {
  TRY(statements_->database.execute("DELETE FROM tombstone"));
  TRY_ASSIGN(auto put,
             statements_->database.prepare("INSERT INTO tombstone(token, agent_id, removed_at,"
                                           " lifted_at, scope, reason, learning_id, path)"
                                           " VALUES(?,?,?,?,?,?,?,?)"));
  for (const lineage::Tombstone& tombstone : tombstones) {
    const auto put_path = [&](std::optional<std::string_view> path) {
      return put.run(tombstone.token.to_string(),
                     tombstone.agent_id,
                     ms(tombstone.removed_at),
                     ms(tombstone.lifted_at),
                     tombstone.scope,
                     tombstone.reason,
                     tombstone.learning_id,
                     path);
    };
    if (tombstone.removed_paths.empty()) {
      TRY(put_path(std::nullopt));
    }
    for (const std::string& path : tombstone.removed_paths) {
      TRY(put_path(path));
    }
  }
  return {};
}

Result<void> Writer::mark_month(std::int64_t month) {
  return TextMonths(statements_->database).mark(month);
}

Result<void> drop_unused_words(store::Database& database) {
  return database.execute(
      "DELETE FROM word WHERE id NOT IN (SELECT folder FROM file"
      " UNION SELECT agent FROM file WHERE agent IS NOT NULL"
      " UNION SELECT project FROM file WHERE project IS NOT NULL"
      " UNION SELECT harness FROM file WHERE harness IS NOT NULL"
      " UNION SELECT sentence_version FROM file WHERE sentence_version IS NOT NULL"
      " UNION SELECT agent FROM learning"
      " UNION SELECT agent FROM session"
      " UNION SELECT project FROM session WHERE project IS NOT NULL"
      " UNION SELECT harness FROM session WHERE harness IS NOT NULL"
      " UNION SELECT agent FROM diagnostic WHERE agent IS NOT NULL)");
}

}  // namespace daybook::index
