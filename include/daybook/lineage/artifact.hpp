// SPDX-License-Identifier: MIT
//
// Canonical files as values: what the frontmatter of each kind says, once the rules have read it.
// Plain data; optional fields are those that the contract lets be null.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::lineage {

/// A path field and where it stands, so that a finding can name its line.
struct PathField {
  std::string path;
  std::uint32_t line = 0;
};

/// Who a session is; every kind but the tombstone carries it.
struct SessionFields {
  std::string agent_id;
  std::string session_id;
  std::string session_key;  ///< empty when null
  std::string project;      ///< empty when null
  std::string harness;      ///< empty when null
  Timestamp captured_at;
};

enum class SentenceQuality : std::uint8_t { ok, fallback };

struct MemorySentence {
  std::string text;  ///< empty when missing
  std::string version;
  SentenceQuality quality = SentenceQuality::ok;
  std::optional<Timestamp> generated_at;
};

enum class RunStatus : std::uint8_t { completed, failed, interrupted, cancelled };

inline constexpr std::array<std::string_view, 4> kRunStatusNames{
    "completed", "failed", "interrupted", "cancelled"};

inline std::string_view to_string(RunStatus status) {
  return kRunStatusNames[static_cast<std::size_t>(status)];
}

inline std::optional<RunStatus> run_status_from_string(std::string_view name) {
  for (std::size_t i = 0; i < kRunStatusNames.size(); ++i) {
    if (kRunStatusNames[i] == name) {
      return static_cast<RunStatus>(i);
    }
  }
  return std::nullopt;
}

/// How a session ended, in a few words that were redacted before they were cut. Only of summaries.
struct RunRecord {
  RunStatus status = RunStatus::completed;
  std::string request_preview;
  std::string outcome_preview;
  std::vector<std::string> failure_markers;
  std::string summary;
  bool operator==(const RunRecord&) const = default;
};

/// Summary, transcript or compaction: immutable.
struct Artifact {
  Kind kind = Kind::summary;
  SessionFields session;
  std::optional<Timestamp> started_at;
  std::optional<Timestamp> ended_at;
  PathField manifest_path;
  std::string source_node_id;
  std::optional<base::Digest> content_sha256;
  std::uint32_t content_sha256_line = 0;
  std::string sanitizer_version;
  MemorySentence sentence;
  std::uint32_t sentence_line = 0;
  std::optional<RunRecord> run;
  std::string parent_session_id;  ///< of a sub-agent's session; else empty

  /// When the session counts as having happened.
  Timestamp membership() const { return ended_at.value_or(session.captured_at); }
};

/// What a manifest says of one artifact kind: the newest file's path and, if Daybook wrote the
/// manifest, the seal of that file.
struct ManifestEntry {
  std::optional<PathField> path;
  std::optional<base::Digest> seal;
};

/// A session may be compacted for ever, and frontmatter has a limit: a manifest lists so many of
/// its earlier files. Those before them still name the manifest.
inline constexpr std::size_t kMostEarlierPaths = 400;

/// No revision is above it: 2^53 - 1, which SQLite and every reader of JSON keep exactly.
inline constexpr std::uint64_t kMostRevision = 9'007'199'254'740'991;

/// The one mutable file of a session.
struct Manifest {
  SessionFields session;
  ManifestEntry summary;
  ManifestEntry transcript;
  ManifestEntry compaction;
  std::vector<PathField> earlier_paths;  ///< the newest kMostEarlierPaths
  std::vector<std::string> memory_md_refs;
  std::optional<Timestamp> updated_at;
  std::uint64_t revision = 0;
  std::string device;

  ManifestEntry& entry(Kind kind) {
    return kind == Kind::summary ? summary : kind == Kind::transcript ? transcript : compaction;
  }
  const ManifestEntry& entry(Kind kind) const { return const_cast<Manifest*>(this)->entry(kind); }
};

enum class TombstoneScope : std::uint8_t {
  session,
  paths,
  learning,    ///< forgotten: its note is unlinked and never comes back
  revocation,  ///< its note stays, with status revoked; a copy that says anything else is left out
};

inline constexpr std::array<std::string_view, 4> kTombstoneScopeNames{
    "session", "paths", "learning", "revocation"};

inline std::string_view to_string(TombstoneScope scope) {
  return kTombstoneScopeNames[static_cast<std::size_t>(scope)];
}

inline bool is_of_learning(TombstoneScope scope) {
  return scope == TombstoneScope::learning || scope == TombstoneScope::revocation;
}

/// A removal that lives in the vault.
struct Tombstone {
  std::string agent_id;
  SessionToken token;  ///< of something learned: learning_token()
  std::optional<std::uint64_t> learning_id;
  std::vector<SessionToken> also_tokens;
  std::optional<Timestamp> removed_at;
  std::optional<Timestamp> lifted_at;
  std::string reason;
  TombstoneScope scope = TombstoneScope::session;
  std::vector<std::string> removed_paths;
  std::vector<base::Digest> removed_sha256;
  bool operator==(const Tombstone&) const = default;
};

}  // namespace daybook::lineage
