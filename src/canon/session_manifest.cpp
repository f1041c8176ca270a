// SPDX-License-Identifier: MIT
#include "daybook/canon/session_manifest.hpp"

#include "canon/folder_handle.hpp"
#include "canon/frontmatter_edit.hpp"
#include "canon/manifest_text.hpp"
#include "canon/rewrite_file.hpp"
#include "canon/session_fields.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace daybook::canon {
namespace {

using lineage::Kind;
using lineage::Manifest;

constexpr std::array<Kind, 3> kKinds{Kind::summary, Kind::transcript, Kind::compaction};

std::string path_key(Kind kind) { return std::string(to_string(kind)).append("_path"); }
std::string seal_key(Kind kind) { return std::string(to_string(kind)).append("_sha256"); }

/// What a person sees of it in Obsidian: the links.
std::string body_of(const Manifest& manifest) {
  std::string body = "# Session manifest\n\n";
  for (const Kind kind : kKinds) {
    if (const auto& path = manifest.entry(kind).path) {
      body.append("- [[").append(path->path).append("|").append(to_string(kind)).append("]]\n");
    }
  }
  if (!manifest.earlier_paths.empty()) {
    body.append("\nEarlier:\n\n");
  }
  for (const lineage::PathField& path : manifest.earlier_paths) {
    body.append("- [[").append(path.path).append("]]\n");
  }
  return body;
}

bool lists(const std::vector<lineage::PathField>& paths, const std::string& path) {
  return std::any_of(
      paths.begin(), paths.end(), [&path](const auto& known) { return known.path == path; });
}

/// One more artifact of a kind: the newest one is named, whichever came in last.
void enter(const WrittenArtifact& artifact, Manifest& manifest) {
  lineage::ManifestEntry& entry = manifest.entry(artifact.kind);
  if (lists(manifest.earlier_paths, artifact.path)) {
    return;
  }
  if (entry.path && entry.path->path != artifact.path) {
    if (captured_at(entry.path->path) > captured_at(artifact.path)) {
      manifest.earlier_paths.push_back({artifact.path, 0});
      return;
    }
    manifest.earlier_paths.push_back(*entry.path);
  }
  entry.path = lineage::PathField{artifact.path, 0};
  entry.seal = artifact.sha256;
}

std::vector<FieldChange> entry_fields(const Manifest& manifest) {
  std::vector<FieldChange> fields;
  for (const Kind kind : kKinds) {
    const auto& path = manifest.entry(kind).path;
    fields.push_back({path_key(kind), path ? FieldValue(path->path) : FieldValue()});
  }
  for (const Kind kind : kKinds) {
    if (const auto& seal = manifest.entry(kind).seal) {
      fields.push_back({seal_key(kind), base::to_hex(*seal)});
    }
  }
  if (!manifest.earlier_paths.empty()) {
    std::vector<std::string> paths;
    for (const lineage::PathField& path : manifest.earlier_paths) {
      paths.push_back(path.path);
    }
    fields.push_back({"earlier_paths", std::move(paths)});
  }
  return fields;
}

std::string new_text(const Manifest& manifest) {
  std::vector<FieldChange> fields = session_fields(Kind::manifest, manifest.session);
  fields.insert(fields.end(),
                {{"memory_md_refs", std::vector<std::string>{}},
                 {"updated_at", to_string(*manifest.updated_at)},
                 {"revision", std::uint64_t{1}},
                 {"device", manifest.device}});
  const auto entries = entry_fields(manifest);
  fields.insert(fields.begin() + 7, entries.begin(), entries.end());
  std::string text = "---\n";
  for (const FieldChange& field : fields) {
    text.append(yaml_field(field.key, field.value, "\n"));
  }
  return text.append("---\n").append(body_of(manifest));
}

std::string first_text(const ManifestUpdate& update) {
  Manifest manifest;
  manifest.session = update.session;
  manifest.device = update.device;
  manifest.updated_at = update.now;
  for (const WrittenArtifact& artifact : update.artifacts) {
    enter(artifact, manifest);
  }
  return new_text(manifest);
}

Result<ManifestOutcome> make(base::Disk& disk,
                             const FilePlace& place,
                             const ManifestUpdate& update,
                             std::optional<ManifestDraft> draft) {
  const std::string text = first_text(update);
  const bool drafted = draft && draft->path == place.path && draft->text == text;
  TRY_ASSIGN(const Rewritten created,
             drafted ? finish_file(disk, place.workspace, place.path, text, std::move(draft->file))
                     : create_file(disk, place.workspace, place.path, text));
  return ManifestOutcome{
      created.write == FileWrite::written ? ManifestWrite::written : ManifestWrite::unchanged,
      1,
      created.sha256};
}

/// The file's text with the new entries, or nothing if it says so already.
Result<std::optional<std::string>> extended(std::string_view bytes,
                                            const std::string& path,
                                            const ManifestUpdate& update,
                                            std::uint64_t& revision) {
  TRY_ASSIGN(const Manifest before, read_manifest(bytes, path));
  Manifest after = before;
  for (const WrittenArtifact& artifact : update.artifacts) {
    enter(artifact, after);
  }
  keep_newest(after.earlier_paths);
  revision = before.revision;
  std::vector<FieldChange> changes = entry_fields(after);
  TRY_ASSIGN(std::string text, edit_frontmatter(bytes, changes));
  if (text == bytes) {
    return std::optional<std::string>();
  }
  TRY_ASSIGN(revision, next_revision(before.revision));
  changes.push_back({"updated_at", to_string(update.now)});
  changes.push_back({"revision", revision});
  TRY_ASSIGN(text, edit_frontmatter(bytes, changes));
  const parse::FileParts parts = parse::split_file(text);
  if (parts.body == body_of(before)) {
    text.resize(text.size() - parts.body.size());
    text.append(body_of(after));
  }
  return std::optional(std::move(text));
}

}  // namespace

Result<std::optional<ManifestDraft>> draft_manifest(base::Disk& disk,
                                                    const FilePlace& place,
                                                    const ManifestUpdate& update) {
  const auto [folder_path, name] = split_path(place.path);
  TRY_ASSIGN(const auto root, disk.open_root(place.workspace));
  TRY_ASSIGN(const auto folder, base::open_below(*root, folder_path));
  if (const auto there = folder->stat(name); there || there.error().kind != ErrorKind::not_found) {
    return std::optional<ManifestDraft>();  // whatever it is, it is not made but changed
  }
  std::string text = first_text(update);
  TRY_ASSIGN(base::AtomicFile file, begin_file(place.workspace, place.path, text));
  return std::optional(ManifestDraft{place.path, std::move(text), std::move(file)});
}

Result<ManifestOutcome> record_in_manifest(base::Disk& disk,
                                           const FilePlace& place,
                                           const ManifestUpdate& update,
                                           std::optional<ManifestDraft> draft) {
  ManifestOutcome outcome;
  const auto rewritten = rewrite_locked(
      disk, place, [&](std::string_view bytes) -> Result<std::optional<std::string>> {
        return extended(bytes, place.path, update, outcome.revision);
      });
  if (rewritten) {
    outcome.write =
        rewritten->write == FileWrite::written ? ManifestWrite::written : ManifestWrite::unchanged;
    outcome.sha256 = rewritten->sha256;
  } else if (rewritten.error().kind == ErrorKind::not_found) {
    TRY_ASSIGN(outcome, make(disk, place, update, std::move(draft)));
  } else {
    return rewritten.error();
  }
  // Making or changing the manifest has synced its own folder, which need not be that of the
  // artifacts; and one that was right already was not written at all.
  if (outcome.write == ManifestWrite::unchanged || split_path(place.path).folder != "memory") {
    TRY_ASSIGN(const FolderHandle memory, open_folder(place.workspace, "memory"));
    TRY(sync_folder(memory, "memory"));
  }
  return outcome;
}

}  // namespace daybook::canon
