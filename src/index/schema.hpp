// SPDX-License-Identifier: MIT
//
// The tables of index.db. A change here, or of what may stand in them, is a new kSchemaVersion: the
// index is then made again, never migrated, because everything in it comes from the vault. Times
// are UTC milliseconds, hashes are blobs, texts that repeat (folders, agents, projects, harnesses)
// are words with a number, and paths are kept without what they share with the note that names
// them; the views say it all in plain text for people and for other programs.
#pragma once

namespace daybook::index {

inline constexpr int kSchemaVersion = 13;
/// "Dybk": tells our databases from those of other programs.
inline constexpr int kApplicationId = 0x4479626B;

/// With a rowid: one value has megabytes, and without one looking for another key reads all of it.
inline constexpr const char* kMetaTable = "CREATE TABLE meta(key TEXT PRIMARY KEY, value)";

inline constexpr const char* kTables = R"sql(
CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE file(
  id INTEGER PRIMARY KEY,
  folder INTEGER NOT NULL REFERENCES word(id),
  name TEXT NOT NULL,
  status INTEGER NOT NULL,
  kind INTEGER,
  token TEXT,  -- NULL: none; empty: the session's
  session TEXT,
  agent INTEGER REFERENCES word(id),
  session_id TEXT,
  session_key TEXT,
  project INTEGER REFERENCES word(id),
  harness INTEGER REFERENCES word(id),
  captured_at INTEGER,
  started_at INTEGER,
  ended_at INTEGER,
  manifest_shared INTEGER,
  manifest_rest TEXT,
  source_node_id TEXT,
  content_sha256 BLOB,
  body_sha256 BLOB,
  source_sha256 BLOB,
  sentence TEXT,
  sentence_version INTEGER REFERENCES word(id),
  sentence_quality INTEGER,
  sentence_generated_at INTEGER,
  fallback TEXT,
  revision INTEGER,
  device TEXT,
  memory_md_refs TEXT,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  names_used INTEGER NOT NULL,
  learning_id INTEGER);  -- that the note goes by, whatever else it is
CREATE INDEX file_session ON file(session) WHERE session IS NOT NULL;
CREATE INDEX file_token ON file(token) WHERE token <> '';
CREATE INDEX file_note ON file(name) WHERE token IS NULL;
CREATE INDEX file_status ON file(status) WHERE status <> 0;
CREATE INDEX file_shown ON file(device) WHERE device IS NOT NULL AND memory_md_refs IS NOT NULL;
CREATE INDEX file_learning ON file(learning_id) WHERE learning_id IS NOT NULL;
CREATE INDEX file_names_used ON file(id) WHERE names_used = 1;
-- How a session ended, in a few words; only of summaries that say so.
CREATE TABLE run(
  file INTEGER PRIMARY KEY,
  status INTEGER NOT NULL,
  request_preview TEXT,
  outcome_preview TEXT,
  failure_markers TEXT,
  summary TEXT,
  parent_session_id TEXT);
-- What was learned: of notes below memory/learnings/ without an error. It holds the text, so that
-- an answer needs no list of files.
CREATE TABLE learning(
  file INTEGER PRIMARY KEY,
  id INTEGER NOT NULL,
  agent INTEGER NOT NULL REFERENCES word(id),
  kind INTEGER NOT NULL,
  category TEXT NOT NULL,
  scope INTEGER NOT NULL,
  scope_id TEXT NOT NULL,
  status INTEGER NOT NULL,
  tier INTEGER NOT NULL,
  origin INTEGER NOT NULL,
  sensitivity INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  revision INTEGER NOT NULL,
  metadata TEXT,
  content TEXT NOT NULL,
  revoked_at INTEGER,
  revoked_reason TEXT);
CREATE INDEX learning_id ON learning(id);
CREATE INDEX learning_time ON learning(created_at, id);
CREATE TABLE session(
  token TEXT PRIMARY KEY,
  agent INTEGER NOT NULL REFERENCES word(id),
  session_id TEXT,
  session_key TEXT,
  project INTEGER REFERENCES word(id),
  harness INTEGER REFERENCES word(id),
  membership INTEGER NOT NULL,
  started_at INTEGER,
  source INTEGER,  -- the file whose sentence is the session's
  changed INTEGER NOT NULL,
  summary INTEGER,
  transcript INTEGER,
  compaction INTEGER,
  manifest INTEGER) WITHOUT ROWID;
CREATE TABLE link(
  id INTEGER PRIMARY KEY,  -- file * 8192 + place
  file INTEGER AS (id / 8192),
  line INTEGER NOT NULL,
  origin INTEGER NOT NULL,
  form INTEGER NOT NULL,
  target_shared INTEGER NOT NULL,
  target_rest TEXT NOT NULL,
  target_mark INTEGER NOT NULL,
  resolved TEXT);  -- NULL: nowhere; empty: as written
CREATE INDEX link_resolved ON link(resolved) WHERE resolved IS NOT NULL AND resolved <> '';
CREATE TABLE diagnostic(
  file INTEGER REFERENCES file(id) ON DELETE CASCADE,
  path TEXT,
  agent INTEGER REFERENCES word(id),
  code TEXT NOT NULL,
  severity INTEGER NOT NULL,
  line INTEGER NOT NULL,
  message TEXT NOT NULL);
CREATE TABLE tombstone(
  token TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  removed_at INTEGER,
  lifted_at INTEGER,
  scope INTEGER NOT NULL,
  reason TEXT NOT NULL,
  learning_id INTEGER,
  path TEXT);
-- `marks` tells whether a month was marked again while its text was made.
CREATE TABLE text_month(month INTEGER PRIMARY KEY, marks INTEGER NOT NULL);
-- What stat said of a month's files when they were last written.
CREATE TABLE text_file(month INTEGER PRIMARY KEY, mark INTEGER NOT NULL);
-- Of files that changed since the blob of all fingerprints was written; file 0: gone.
CREATE TABLE newer_fingerprint(path INTEGER PRIMARY KEY, stat INTEGER NOT NULL, file INTEGER NOT NULL);
-- What the embedding model made of passages of a file that says just that: 4-byte floats of length
-- 1, in the machine's byte order. The numbers are the file's own, so that a question that is for
-- some files only need not look at their rows.
CREATE TABLE vector(
  id INTEGER PRIMARY KEY,  -- file * 8 + passage
  source_sha256 BLOB NOT NULL,
  agent INTEGER NOT NULL,
  project INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  time INTEGER NOT NULL,
  value BLOB NOT NULL);
-- What the embedding model refused of a file that says just that: it would refuse it again.
CREATE TABLE refused_file(
  file INTEGER PRIMARY KEY,
  source_sha256 BLOB NOT NULL,
  model TEXT NOT NULL);
)sql";

/// Made after the rows when the index is new: where rows come in no order, sorting once is cheaper
/// than keeping order.
inline constexpr const char* kIndexes = R"sql(
CREATE INDEX file_month ON file(captured_at) WHERE kind < 3;
CREATE INDEX session_time ON session(membership);
CREATE INDEX session_agent ON session(agent, membership, project);
CREATE INDEX link_target ON link(target_mark);
CREATE INDEX diagnostic_file ON diagnostic(file);
)sql";

/// How many sessions a day and project have: MEMORY.md counts those without a row, and would count
/// most of a month at each change. Triggers keep the counts from the moment the index is complete;
/// a session that changes goes and comes. They also number the changes of a day, so that whoever
/// has summed one up knows whether that still holds; a day without a number has number 0.
inline constexpr const char* kDayCounts = R"sql(
CREATE TABLE session_day(
  agent INTEGER NOT NULL,
  day INTEGER NOT NULL,  -- since 1970
  project INTEGER NOT NULL,  -- 0: none
  sessions INTEGER NOT NULL,
  PRIMARY KEY(agent, day, project)) WITHOUT ROWID;
INSERT INTO session_day
  SELECT agent, membership / 86400000 - (membership % 86400000 < 0), ifnull(project, 0), count(*)
  FROM session GROUP BY 1, 2, 3;
CREATE TABLE day_change(
  agent INTEGER NOT NULL,
  day INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY(agent, day)) WITHOUT ROWID;
CREATE TRIGGER session_comes AFTER INSERT ON session BEGIN
  INSERT INTO day_change VALUES(
    new.agent, new.membership / 86400000 - (new.membership % 86400000 < 0), 1)
  ON CONFLICT DO UPDATE SET number = number + 1;
  INSERT INTO session_day VALUES(
    new.agent, new.membership / 86400000 - (new.membership % 86400000 < 0),
    ifnull(new.project, 0), 1)
  ON CONFLICT DO UPDATE SET sessions = sessions + 1;
END;
CREATE TRIGGER session_goes AFTER DELETE ON session BEGIN
  INSERT INTO day_change VALUES(
    old.agent, old.membership / 86400000 - (old.membership % 86400000 < 0), 1)
  ON CONFLICT DO UPDATE SET number = number + 1;
  UPDATE session_day SET sessions = sessions - 1
  WHERE agent = old.agent AND project = ifnull(old.project, 0)
    AND day = old.membership / 86400000 - (old.membership % 86400000 < 0);
  DELETE FROM session_day
  WHERE agent = old.agent AND project = ifnull(old.project, 0)
    AND day = old.membership / 86400000 - (old.membership % 86400000 < 0) AND sessions = 0;
END;
)sql";

/// A vector, or that there can be none, goes in the moment in which its file goes, is no longer
/// valid or says something else.
inline constexpr const char* kVectorTriggers = R"sql(
CREATE TRIGGER file_goes AFTER DELETE ON file BEGIN
  DELETE FROM vector WHERE id >= old.id * 8 AND id < old.id * 8 + 8;
  DELETE FROM refused_file WHERE file = old.id;
END;
CREATE TRIGGER file_comes AFTER INSERT ON file BEGIN
  DELETE FROM vector WHERE id >= new.id * 8 AND id < new.id * 8 + 8
    AND (new.status <> 0 OR source_sha256 IS NOT new.source_sha256);
  DELETE FROM refused_file WHERE file = new.id
    AND (new.status <> 0 OR source_sha256 IS NOT new.source_sha256);
END;
CREATE TRIGGER file_is_judged AFTER UPDATE OF status ON file WHEN new.status <> 0 BEGIN
  DELETE FROM vector WHERE id >= new.id * 8 AND id < new.id * 8 + 8;
  DELETE FROM refused_file WHERE file = new.id;
END;
)sql";

inline constexpr const char* kViews = R"sql(
CREATE VIEW artifacts AS SELECT
  folder.text || '/' || file.name AS source_path,
  lower(hex(source_sha256)) AS source_sha256,
  CASE kind WHEN 0 THEN 'summary' WHEN 1 THEN 'transcript' WHEN 2 THEN 'compaction'
            WHEN 3 THEN 'manifest' WHEN 4 THEN 'tombstone' END AS source_kind,
  agent.text AS agent_id,
  CASE token WHEN '' THEN session ELSE token END AS session_token,
  session_id,
  session_key,
  project.text AS project,
  harness.text AS harness,
  strftime('%Y-%m-%dT%H:%M:%fZ', captured_at / 1000.0, 'unixepoch') AS captured_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000.0, 'unixepoch') AS started_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', ended_at / 1000.0, 'unixepoch') AS ended_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(ended_at, captured_at) / 1000.0, 'unixepoch')
    AS membership_ts,
  substr(folder.text || '/' || file.name, 1, manifest_shared) || manifest_rest AS manifest_path,
  source_node_id,
  lower(hex(content_sha256)) AS content_sha256,
  sentence AS memory_sentence,
  version.text AS memory_sentence_version,
  CASE sentence_quality WHEN 0 THEN 'ok' WHEN 1 THEN 'fallback' END AS memory_sentence_quality,
  strftime('%Y-%m-%dT%H:%M:%fZ', sentence_generated_at / 1000.0, 'unixepoch')
    AS memory_sentence_generated_at,
  fallback AS fallback_sentence,
  CASE file.status WHEN 0 THEN 'valid' WHEN 1 THEN 'invalid' WHEN 2 THEN 'changed'
              WHEN 3 THEN 'duplicate' WHEN 4 THEN 'removed' ELSE 'note' END AS validity,
  CASE run.status WHEN 0 THEN 'completed' WHEN 1 THEN 'failed' WHEN 2 THEN 'interrupted'
                  WHEN 3 THEN 'cancelled' END AS run_status,
  run.request_preview, run.outcome_preview, run.failure_markers, run.summary AS run_summary,
  run.parent_session_id,
  size, mtime_ns, ctime_ns, inode
FROM file
LEFT JOIN run ON run.file = file.id
JOIN word AS folder ON folder.id = file.folder
LEFT JOIN word AS agent ON agent.id = file.agent
LEFT JOIN word AS project ON project.id = file.project
LEFT JOIN word AS harness ON harness.id = file.harness
LEFT JOIN word AS version ON version.id = file.sentence_version
WHERE kind IS NOT NULL;
CREATE VIEW sessions AS SELECT
  session.token AS session_token, agent.text AS agent_id, session.session_id, session.session_key,
  project.text AS project, harness.text AS harness,
  strftime('%Y-%m-%dT%H:%M:%fZ', session.started_at / 1000.0, 'unixepoch') AS started_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', membership / 1000.0, 'unixepoch') AS membership_ts,
  coalesce(source.fallback, source.sentence, '') AS sentence,
  changed AS changed_since_sealed, summary, transcript, compaction, manifest
FROM session
JOIN word AS agent ON agent.id = session.agent
LEFT JOIN word AS project ON project.id = session.project
LEFT JOIN word AS harness ON harness.id = session.harness
LEFT JOIN file AS source ON source.id = session.source;
CREATE VIEW links AS SELECT
  folder.text || '/' || file.name AS source_path, line,
  CASE origin WHEN 0 THEN 'wikilink' WHEN 1 THEN 'embed' ELSE 'field' END AS origin,
  substr(folder.text || '/' || file.name, 1, target_shared) || target_rest AS target,
  CASE resolved
    WHEN '' THEN substr(folder.text || '/' || file.name, 1, target_shared) || target_rest
    ELSE resolved END AS resolved
FROM link JOIN file ON file.id = link.file JOIN word AS folder ON folder.id = file.folder;
CREATE VIEW diagnostics AS SELECT
  coalesce(path, folder.text || '/' || file.name) AS path, line, code,
  CASE severity WHEN 2 THEN 'error' WHEN 1 THEN 'warning' ELSE 'info' END AS severity,
  message, agent.text AS agent_id
FROM diagnostic LEFT JOIN file ON file.id = diagnostic.file
LEFT JOIN word AS folder ON folder.id = file.folder
LEFT JOIN word AS agent ON agent.id = diagnostic.agent;
CREATE VIEW tombstones AS SELECT token AS session_token, agent_id, removed_at, lifted_at,
  CASE scope WHEN 0 THEN 'session' WHEN 1 THEN 'paths' WHEN 2 THEN 'learning'
             ELSE 'revocation' END AS scope, reason, learning_id, path FROM tombstone;
CREATE VIEW learnings AS SELECT
  folder.text || '/' || file.name AS source_path,
  lower(hex(file.source_sha256)) AS source_sha256,
  learning.id AS learning_id,
  agent.text AS agent_id,
  CASE learning.kind WHEN 0 THEN 'fact' WHEN 1 THEN 'preference' WHEN 2 THEN 'decision'
                     WHEN 3 THEN 'procedure' ELSE 'episode' END AS learning_kind,
  category,
  CASE learning.scope WHEN 0 THEN 'session' WHEN 1 THEN 'project' ELSE 'workspace' END
    || ':' || scope_id AS scope,
  CASE learning.status WHEN 0 THEN 'active' WHEN 1 THEN 'provisional' WHEN 2 THEN 'superseded'
                       WHEN 3 THEN 'revoked' ELSE 'archived' END AS status,
  CASE tier WHEN 0 THEN 'active' ELSE 'provisional' END AS publish_tier,
  CASE origin WHEN 0 THEN 'operator' WHEN 1 THEN 'api' ELSE 'daemon' END AS origin,
  CASE sensitivity WHEN 0 THEN 'scoped' ELSE 'sensitive' END AS sensitivity,
  strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000.0, 'unixepoch') AS created_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch') AS updated_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', expires_at / 1000.0, 'unixepoch') AS expires_at,
  learning.revision, metadata, content,
  strftime('%Y-%m-%dT%H:%M:%fZ', revoked_at / 1000.0, 'unixepoch') AS revoked_at,
  revoked_reason,
  CASE file.status WHEN 0 THEN 'valid' ELSE 'duplicate' END AS validity
FROM learning JOIN file ON file.id = learning.file
JOIN word AS folder ON folder.id = file.folder
JOIN word AS agent ON agent.id = learning.agent;
)sql";

}  // namespace daybook::index
