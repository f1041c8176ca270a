// SPDX-License-Identifier: MIT
#include "state/state_schema.hpp"

#include <array>

namespace daybook::state {
namespace {

// Step n leads from version n to n + 1. A step that has shipped never changes.
constexpr std::array<const char*, kStateDbSchema> kSteps{R"sql(
CREATE TABLE seal(
  token BLOB NOT NULL, captured_at INTEGER NOT NULL, kind INTEGER NOT NULL,
  file BLOB NOT NULL, body BLOB NOT NULL, fields BLOB NOT NULL,
  sentence TEXT NOT NULL, project TEXT NOT NULL,
  membership INTEGER NOT NULL, started INTEGER, ended INTEGER,
  accepted INTEGER NOT NULL, first_seen INTEGER NOT NULL,
  PRIMARY KEY(token, captured_at, kind)) WITHOUT ROWID;

CREATE TABLE telemetry(
  token BLOB PRIMARY KEY, agent_id TEXT NOT NULL,
  shown INTEGER NOT NULL, shown_last INTEGER,
  searched INTEGER NOT NULL, searched_last INTEGER,
  opened INTEGER NOT NULL, opened_last INTEGER,
  rank REAL NOT NULL, ranked_at INTEGER NOT NULL) WITHOUT ROWID;

-- published_at is NULL from the announcement until the file has its name.
CREATE TABLE publication(
  id INTEGER PRIMARY KEY AUTOINCREMENT, projection TEXT NOT NULL, generation INTEGER NOT NULL,
  fence INTEGER NOT NULL, sha256 BLOB NOT NULL, bytes INTEGER NOT NULL, published_at INTEGER);
CREATE INDEX publication_by_projection ON publication(projection, sha256);
CREATE TABLE highest(
  id INTEGER PRIMARY KEY CHECK(id = 1), generation INTEGER NOT NULL, fence INTEGER NOT NULL);
INSERT INTO highest VALUES(1, 0, 0);
CREATE TABLE replacement(
  projection TEXT NOT NULL, publication INTEGER NOT NULL, time INTEGER NOT NULL,
  PRIMARY KEY(projection, publication)) WITHOUT ROWID;
CREATE TABLE contested(projection TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE tombstone(
  token BLOB NOT NULL, removed_at INTEGER NOT NULL, scope INTEGER NOT NULL,
  agent_id TEXT NOT NULL, reason TEXT NOT NULL, lifted_at INTEGER,
  also_tokens BLOB NOT NULL, removed_paths BLOB NOT NULL, removed_sha256 BLOB NOT NULL,
  PRIMARY KEY(token, removed_at, scope)) WITHOUT ROWID;

CREATE TABLE audit(
  id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, action TEXT NOT NULL,
  subject TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL);
CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_is_append_only_delete BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TABLE flow(
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, step TEXT NOT NULL,
  payload TEXT NOT NULL, started_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  finished_at INTEGER);

CREATE TABLE manifest_revision(
  token BLOB PRIMARY KEY, revision INTEGER NOT NULL, sha256 BLOB NOT NULL) WITHOUT ROWID;
)sql",
                                                         R"sql(
-- Receipts stay; every pass asks which flows are not finished.
CREATE INDEX flow_unfinished ON flow(started_at) WHERE finished_at IS NULL;
CREATE INDEX flow_finished ON flow(finished_at) WHERE finished_at IS NOT NULL;
-- What an import has read: a file of that size and time need not be read again. The path of a
-- session file is kept as its hash.
CREATE TABLE imported(
  source BLOB PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  token BLOB NOT NULL, outcome INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX imported_token ON imported(token);
)sql",
                                                         R"sql(
-- Of tombstones of what was learned.
ALTER TABLE tombstone ADD COLUMN learning_id INTEGER;
)sql",
                                                         R"sql(
-- The runs that the policy keeps, by the names of the summaries that tell of them.
CREATE TABLE tracked_run(
  token BLOB NOT NULL, captured_at INTEGER NOT NULL, recorded_at INTEGER NOT NULL,
  PRIMARY KEY(token, captured_at)) WITHOUT ROWID;
CREATE TABLE run_maintenance(
  id INTEGER PRIMARY KEY CHECK(id = 1), source TEXT NOT NULL, checked_at INTEGER NOT NULL,
  index_rebuilt INTEGER NOT NULL, pruned_ttl INTEGER NOT NULL, pruned_overflow INTEGER NOT NULL,
  pruned_orphans INTEGER NOT NULL, scan_errors INTEGER NOT NULL, prune_errors INTEGER NOT NULL,
  index_state TEXT NOT NULL, next_due INTEGER);
CREATE TABLE run_maintenance_finding(
  id INTEGER PRIMARY KEY, action TEXT NOT NULL, reason TEXT NOT NULL, path TEXT NOT NULL,
  session TEXT NOT NULL, message TEXT NOT NULL);
)sql"};

}  // namespace

Result<void> bring_state_forward(store::Database& database, std::int64_t version) {
  for (auto step = static_cast<std::size_t>(version); step < kSteps.size(); ++step) {
    TRY(database.execute(kSteps[step]));
  }
  return {};
}

}  // namespace daybook::state
