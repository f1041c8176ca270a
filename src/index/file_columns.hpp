// SPDX-License-Identifier: MIT
//
// The columns of `file`, as they are written, and those that make a FileRow again and how they are
// read. Shared by writer (which works out sessions) and reader.
#pragma once

#include "daybook/index/rows.hpp"
#include "daybook/store/database.hpp"

namespace daybook::index {

/// To be followed by WHERE; columns in the order that file_row() expects.
inline constexpr const char* kSelectFiles = R"sql(
SELECT file.id, folder.text, name, status, kind, token, session, agent.text, session_id,
       session_key, project.text, harness.text, captured_at, started_at, ended_at,
       manifest_shared, manifest_rest, source_node_id, content_sha256, body_sha256, source_sha256, sentence, version.text,
       sentence_quality, sentence_generated_at, fallback, revision, device, memory_md_refs, size,
       mtime_ns, ctime_ns, inode, names_used, learning_id
FROM file JOIN word AS folder ON folder.id = file.folder
LEFT JOIN word AS agent ON agent.id = file.agent
LEFT JOIN word AS project ON project.id = file.project
LEFT JOIN word AS harness ON harness.id = file.harness
LEFT JOIN word AS version ON version.id = file.sentence_version
)sql";

/// After INSERT, with a line for each of the groups of columns in writer_files.
inline constexpr const char* kPutFile =
    " INTO file(id, folder, name, status, kind,"
    " token, session, agent, session_id, session_key, project, harness,"
    " captured_at, started_at, ended_at,"
    " manifest_shared, manifest_rest, source_node_id, content_sha256, body_sha256, source_sha256,"
    " sentence, sentence_version, sentence_quality, sentence_generated_at, fallback,"
    " revision, device, memory_md_refs,"
    " size, mtime_ns, ctime_ns, inode,"
    " names_used, learning_id)"
    " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

FileRow file_row(const store::Row& row);

/// A list as it stands in one column.
std::vector<std::string> lines_of(std::string_view text);

}  // namespace daybook::index
