// SPDX-License-Identifier: MIT
#include "capture/captured_before.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/path.hpp"
#include "daybook/canon/session_manifest.hpp"
#include "daybook/lineage/link_target.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace daybook::capture {
namespace {

using lineage::Kind;

bool is_same(const lineage::SessionFields& one, const lineage::SessionFields& other) {
  return one.agent_id == other.agent_id &&
         lineage::session_identity(one.session_key, one.session_id) ==
             lineage::session_identity(other.session_key, other.session_id);
}

/// What its frontmatter says; nothing of one that is gone or cannot be understood.
Result<std::optional<parse::Record>> read_note(const FinishPlace& place, const NamedFile& file) {
  TRY_ASSIGN(const auto root, place.disk.open_root(place.folder.workspace()));
  const std::string name(base::file_name_of(file.path));
  scan::FileReader reader(*root);
  const auto opened = reader.open(
      file.path.substr(0, file.path.size() - name.size() - 1), name, scan::kLargestTranscript);
  if (!opened && opened.error().kind != ErrorKind::not_found &&
      opened.error().kind != ErrorKind::not_regular) {
    return opened.error();
  }
  if (!opened || opened->too_large) {
    return std::optional<parse::Record>();
  }
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> findings;
  const parse::FileParts parts = parse::split_file(opened->first_piece);
  if (parts.bounds != parse::FrontmatterBounds::found ||
      !parse::read_frontmatter(parts.yaml, fields, findings)) {
    return std::optional<parse::Record>();
  }
  return std::optional(parse::read_record(fields, lineage::read_artifact_name(name), findings));
}

/// Nothing: it is none, or another session's.
Result<std::optional<lineage::Artifact>> read_artifact(const FinishPlace& place,
                                                       const NamedFile& file,
                                                       const lineage::SessionFields& session) {
  TRY_ASSIGN(auto record, read_note(place, file));
  auto* artifact = record ? std::get_if<lineage::Artifact>(&*record) : nullptr;
  return artifact != nullptr && is_same(artifact->session, session)
             ? std::optional(std::move(*artifact))
             : std::nullopt;
}

/// One that nobody can read is taken for that of the token in its name: no second one is made.
Result<bool> is_manifest_of(const FinishPlace& place,
                            const NamedFile& file,
                            const lineage::SessionFields& session) {
  TRY_ASSIGN(const auto record, read_note(place, file));
  const auto* manifest = record ? std::get_if<lineage::Manifest>(&*record) : nullptr;
  if (manifest != nullptr) {
    return is_same(manifest->session, session);
  }
  return file.name.token ==
         lineage::SessionToken::derive(
             session.agent_id, lineage::session_identity(session.session_key, session.session_id));
}

/// A summary that was given again must be the same; one that was made here may differ.
Result<bool> says_the_same(const FinishPlace& place,
                           const SpoolRecord& record,
                           const NamedFile& summary) {
  if (!record.text_given) {
    return true;
  }
  TRY_ASSIGN(const auto artifact, read_artifact(place, summary, record.session));
  return artifact && artifact->content_sha256 == record.text_sha256;
}

/// Makes the manifest of files that have lost theirs.
Result<void> make_manifest_again(const FinishPlace& place,
                                 const SpoolRecord& record,
                                 const CaptureResult& result) {
  std::vector<canon::WrittenArtifact> artifacts;
  for (const std::string& path : result.paths()) {
    if (path == result.manifest_path) {
      continue;
    }
    TRY_ASSIGN(const auto hash, base::hash_file(place.disk, place.folder.workspace(), path));
    artifacts.push_back({lineage::read_artifact_name(base::file_name_of(path)).name.kind,
                         path,
                         canon::ArtifactWrite::already_there,
                         hash});
  }
  lineage::SessionFields session = record.session;
  session.captured_at =
      lineage::read_artifact_name(base::file_name_of(result.manifest_path)).name.captured_at;
  TRY(canon::record_in_manifest(
      place.disk,
      {place.folder.workspace(), result.manifest_path, place.folder.file("locks")},
      {session, place.folder.device(), artifacts, place.now}));
  return {};
}

/// The manifest that a file names, if that may be one of its session's; else one named after the
/// file. What stands in a note is never trusted as a place to write to.
std::string missing_manifest_of(const lineage::Artifact& artifact, const NamedFile& file) {
  const std::string& named = artifact.manifest_path.path;
  const lineage::NameReading name = lineage::read_artifact_name(base::file_name_of(named));
  if (named.starts_with("memory/") && !lineage::escapes_workspace(named) &&
      name.form == lineage::NameForm::artifact && name.name.kind == Kind::manifest &&
      name.name.token == file.name.token) {
    return named;
  }
  return "memory/" +
         to_string(lineage::ArtifactName{file.name.token, file.name.captured_at, Kind::manifest});
}

/// The files of one moment, of which `found` is one; nothing when only half of them are there.
Result<std::optional<CaptureResult>> captured_with(const FinishPlace& place,
                                                   const SpoolRecord& record,
                                                   const SessionNames& names,
                                                   const NamedFile& found,
                                                   const lineage::Artifact& artifact) {
  CaptureResult result = record.result;
  result.flow = record.flow;
  result.session_token = found.name.token.to_string();
  result.captured_at = found.name.captured_at;
  result.sentence = artifact.sentence;
  bool has_summary = false;
  for (const NamedFile& beside : names.files) {
    const Kind kind = beside.name.kind;
    if (beside.name.captured_at != found.name.captured_at || kind == Kind::manifest ||
        beside.name.token != found.name.token) {
      continue;
    }
    if (kind == Kind::summary && !has_summary) {
      TRY_ASSIGN(has_summary, says_the_same(place, record, beside));
    }
    (kind == Kind::summary      ? result.summary_path
     : kind == Kind::transcript ? result.transcript_path
                                : result.compaction_path) = beside.path;
  }
  // A transcript alone is half of a capture, and is captured anew.
  if (record.transcript_sha256 && !has_summary) {
    return std::optional<CaptureResult>();
  }
  TRY_ASSIGN(result.manifest_path, own_manifest(place, record.session, names));
  if (result.manifest_path.empty()) {
    result.manifest_path = missing_manifest_of(artifact, found);
    TRY(make_manifest_again(place, record, result));
  }
  return std::optional(std::move(result));
}

}  // namespace

Result<bool> are_there(const FinishPlace& place, const CaptureResult& result) {
  TRY_ASSIGN(const auto root, place.disk.open_root(place.folder.workspace()));
  for (const std::string& path : result.paths()) {
    const std::string name(base::file_name_of(path));
    const auto folder = base::open_below(*root, path.substr(0, path.size() - name.size() - 1));
    const auto stat = folder ? (*folder)->stat(name) : Result<base::FileStat>(folder.error());
    if (!stat && stat.error().kind == ErrorKind::not_found) {
      return false;
    }
    if (!stat) {
      return stat.error();
    }
  }
  return true;
}

Result<std::string> own_manifest(const FinishPlace& place,
                                 const lineage::SessionFields& session,
                                 const SessionNames& names) {
  // Directly in memory/ before those in folders, then the smallest path.
  const auto rank = [](const NamedFile& file) {
    return std::tuple(std::count(file.path.begin(), file.path.end(), '/') != 1, file.path);
  };
  const NamedFile* best = nullptr;
  for (const NamedFile& file : names.files) {
    if (file.name.kind != Kind::manifest || (best != nullptr && rank(*best) < rank(file))) {
      continue;
    }
    TRY_ASSIGN(const bool own, is_manifest_of(place, file, session));
    best = own ? &file : best;
  }
  return best == nullptr ? std::string() : best->path;
}

Result<std::optional<CaptureResult>> captured_before(const FinishPlace& place,
                                                     const SpoolRecord& record,
                                                     const SessionNames& names) {
  const bool by_transcript = record.transcript_sha256.has_value();
  const Kind kind = by_transcript                           ? Kind::transcript
                    : record.kind == state::kCompactionFlow ? Kind::compaction
                                                            : Kind::summary;
  const base::Digest& wanted = by_transcript ? *record.transcript_sha256 : record.text_sha256;
  for (const NamedFile& file : names.files) {
    if (file.name.kind != kind) {
      continue;
    }
    TRY_ASSIGN(const auto artifact, read_artifact(place, file, record.session));
    if (!artifact || artifact->content_sha256 != wanted) {
      continue;
    }
    TRY_ASSIGN(auto result, captured_with(place, record, names, file, *artifact));
    if (result) {
      return result;
    }
  }
  return std::optional<CaptureResult>();
}

}  // namespace daybook::capture
