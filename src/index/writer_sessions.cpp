// SPDX-License-Identifier: MIT
//
// What a Writer writes of sessions, and of removals.
#include "daybook/index/session_rows.hpp"
#include "index/file_columns.hpp"
#include "index/writer_statements.hpp"

namespace daybook::index {

using store::Row;

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

}  // namespace daybook::index
