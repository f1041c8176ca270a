// SPDX-License-Identifier: MIT
//
// What the index holds, as plain values: one FileRow a note below memory/, its links and findings,
// and one SessionRow a session, which is worked out from the files' rows. Everything here can be
// made again from the vault.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/link_target.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::index {

enum class FileStatus : std::uint8_t {
  valid,
  invalid,    ///< an error was found: in no projection and no search result
  changed,    ///< an immutable file that differs from its seal; the row says what was sealed
  duplicate,  ///< another copy of the same name, or of the same learning_id, counts
  removed,    ///< falls under a tombstone: the row holds the path and nothing else
  note,       ///< no artifact: left alone
};

inline constexpr std::array<std::string_view, 6> kFileStatusNames{
    "valid", "invalid", "changed", "duplicate", "removed", "note"};

inline std::string_view to_string(FileStatus status) {
  return kFileStatusNames[static_cast<std::size_t>(status)];
}

/// Whether the ledger and the session's row may take something from this file.
inline bool counts(FileStatus status) {
  return status == FileStatus::valid || status == FileStatus::changed;
}

struct FileRow {
  std::int64_t id = 0;  ///< 0: not known to the index yet
  std::string folder;   ///< workspace-relative
  std::string name;
  FileStatus status = FileStatus::note;
  std::optional<lineage::Kind> kind;
  std::optional<lineage::SessionToken> token;    ///< in the name
  std::optional<lineage::SessionToken> session;  ///< derived from agent and identity
  lineage::SessionFields fields;                 ///< captured_at: 0 when there is none
  std::optional<lineage::Timestamp> started_at;
  std::optional<lineage::Timestamp> ended_at;
  std::string manifest_path;
  std::string source_node_id;
  /// As the frontmatter says; of a note with a learning_id that of its body from the first text on,
  /// by which it is known as something that was forgotten.
  std::optional<base::Digest> content_sha256;
  std::optional<base::Digest> body_sha256;    ///< as it is
  std::optional<base::Digest> source_sha256;  ///< of the whole file: BOM and CR left out
  lineage::MemorySentence sentence;
  std::string fallback;  ///< what is shown in place of a sentence that fails the gate
  /// Written with the row, if the file is valid; Reader::run_of() reads it.
  std::optional<lineage::RunRecord> run;
  std::string parent_session_id;  ///< only with a run
  /// That the note goes by, whatever else is wrong with it or wherever it lies.
  std::optional<std::uint64_t> learning_id;
  /// Of a note below memory/learnings/. Written with the row, if nothing is wrong with it;
  /// Reader::facts() reads it.
  std::optional<lineage::Learning> learning;
  // Manifests:
  std::uint64_t revision = 0;
  std::string device;
  std::vector<std::string> memory_md_refs;
  // The disk's words:
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  /// Its findings depend on which names there are in the whole workspace.
  bool names_used = false;

  std::string path() const {
    std::string path(folder);
    return path.append(1, '/').append(name);
  }
  lineage::Timestamp membership() const { return ended_at.value_or(fields.captured_at); }
  const std::string& shown_sentence() const { return fallback.empty() ? sentence.text : fallback; }
};

enum class LinkOrigin : std::uint8_t { wikilink, embed, field };

struct LinkRow {
  LinkOrigin origin = LinkOrigin::wikilink;
  lineage::LinkForm form = lineage::LinkForm::note;
  std::uint32_t line = 0;
  std::string target;    ///< as written, without label and heading; of a field its value
  std::string resolved;  ///< the workspace path it leads to; empty when it leads nowhere
};

/// The index can hold no more of one file.
inline constexpr std::size_t kMostLinksOfFile = 8191;

/// Everything that one file brings into the index.
struct FileFacts {
  FileRow row;
  std::vector<LinkRow> links;
  std::vector<lineage::Diagnostic> diagnostics;
};

struct SessionRow {
  lineage::SessionToken token;
  std::string agent_id;
  std::string session_id;
  std::string session_key;
  std::string project;
  std::string harness;
  lineage::Timestamp membership;
  std::optional<lineage::Timestamp> started_at;
  std::string sentence;                ///< of the source; filled by the reader
  std::optional<std::int64_t> source;  ///< the file whose sentence it is; a manifest has none
  bool changed_since_sealed = false;
  /// Row ids of the files that count, by kind; 0: none.
  std::array<std::int64_t, 4> files{};
  /// Their paths; filled by the reader.
  std::array<std::string, 4> paths;

  std::int64_t file(lineage::Kind kind) const { return files[static_cast<std::size_t>(kind)]; }
  const std::string& path(lineage::Kind kind) const {
    return paths[static_cast<std::size_t>(kind)];
  }
  std::string_view identity() const { return lineage::session_identity(session_key, session_id); }
};

}  // namespace daybook::index
