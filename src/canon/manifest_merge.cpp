// SPDX-License-Identifier: MIT
#include "daybook/canon/manifest_merge.hpp"

#include "canon/frontmatter_edit.hpp"
#include "canon/manifest_text.hpp"
#include "canon/rewrite_file.hpp"
#include "daybook/base/path.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/link_target.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace daybook::canon {
namespace {

using lineage::Kind;
using lineage::Manifest;

constexpr std::array kNamedKinds{Kind::summary, Kind::transcript, Kind::compaction};

lineage::NameReading name_in(std::string_view path) {
  return lineage::read_artifact_name(base::file_name_of(path));
}

std::vector<std::string> paths_of(const Manifest& manifest) {
  std::vector<std::string> paths;
  for (const Kind kind : kNamedKinds) {
    if (const auto& path = manifest.entry(kind).path) {
      paths.push_back(path->path);
    }
  }
  for (const lineage::PathField& earlier : manifest.earlier_paths) {
    paths.push_back(earlier.path);
  }
  return paths;
}

/// Adds to the winner what only the other one knows.
class Union {
 public:
  Union(const Manifest& winner, const Manifest& other, std::string_view path, FileExists exists)
      : winner_(winner),
        other_(other),
        token_(name_in(path).name.token),
        exists_(std::move(exists)),
        earlier_(winner.earlier_paths) {}

  ManifestEdit edit() {
    for (const Kind kind : kNamedKinds) {
      join_newest(kind);
    }
    for (const lineage::PathField& path : other_.earlier_paths) {
      add_earlier(path.path);
    }
    keep_newest(earlier_);
    if (earlier_.size() != winner_.earlier_paths.size()) {
      std::vector<std::string> paths;
      for (const lineage::PathField& path : earlier_) {
        paths.push_back(path.path);
      }
      edit_.set_list("earlier_paths", paths);
    }
    return std::move(edit_);
  }

 private:
  /// A link to nothing, or to somebody else's file, is not worth saving.
  bool is_worth_naming(const std::string& path) const {
    const lineage::NameReading name = name_in(path);
    return path.starts_with("memory/") && !lineage::escapes_workspace(path) &&
           name.form == lineage::NameForm::artifact && name.name.token == token_ &&
           is_immutable(name.name.kind) && exists_(path);
  }

  bool is_named(const std::string& path) const {
    const auto named = paths_of(winner_);
    return std::find(named.begin(), named.end(), path) != named.end() ||
           std::any_of(earlier_.begin(), earlier_.end(), [&path](const auto& known) {
             return known.path == path;
           });
  }

  void add_earlier(const std::string& path) {
    if (!is_named(path) && is_worth_naming(path)) {
      earlier_.push_back({path, 0});
    }
  }

  /// The manifest names the newest file of each kind.
  void join_newest(Kind kind) {
    const lineage::ManifestEntry& own = winner_.entry(kind);
    const lineage::ManifestEntry& others = other_.entry(kind);
    if (!others.path || is_named(others.path->path) || !is_worth_naming(others.path->path)) {
      return;
    }
    const lineage::NameReading name = name_in(others.path->path);
    const bool newer = name.kind == kind && (!own.path || name_in(own.path->path).name.captured_at <
                                                              name.name.captured_at);
    if (!newer) {
      add_earlier(others.path->path);
      return;
    }
    const std::string word(to_string(kind));
    edit_.set_text(word + "_path", others.path->path);
    if (own.seal || others.seal) {
      edit_.set_text(word + "_sha256",
                     others.seal ? std::optional(base::to_hex(*others.seal)) : std::nullopt);
    }
    if (own.path) {
      earlier_.push_back(*own.path);
    }
  }

  const Manifest& winner_;
  const Manifest& other_;
  lineage::SessionToken token_;
  FileExists exists_;
  std::vector<lineage::PathField> earlier_;
  ManifestEdit edit_;
};

MergeWinner winner_of(const Manifest& original, const Manifest& copy, const FileExists& exists) {
  if (original.revision != copy.revision) {
    return original.revision > copy.revision ? MergeWinner::original : MergeWinner::copy;
  }
  const auto existing = [&exists](const Manifest& manifest) {
    const auto paths = paths_of(manifest);
    return std::count_if(paths.begin(), paths.end(), [&exists](const std::string& path) {
      return path.starts_with("memory/") && !lineage::escapes_workspace(path) && exists(path);
    });
  };
  return existing(original) >= existing(copy) ? MergeWinner::original : MergeWinner::copy;
}

Result<Manifest> read_side(std::string_view bytes, std::string_view path, std::string_view side) {
  if (!base::is_valid_utf8(bytes)) {
    return Error{ErrorKind::damaged,
                 std::string(side).append(" is not valid UTF-8"),
                 std::string(path),
                 "Mend the file, or move it away."};
  }
  return read_manifest(bytes, path).in_context(side);
}

}  // namespace

Result<MergedManifest> merged_manifest(std::string_view original,
                                       std::string_view copy,
                                       std::string_view path,
                                       const FileExists& exists,
                                       lineage::Timestamp now) {
  TRY_ASSIGN(const Manifest ours, read_side(original, path, "the original"));
  TRY_ASSIGN(const Manifest theirs, read_side(copy, path, "the copy"));
  MergedManifest merged{
      winner_of(ours, theirs, exists), ours.revision, theirs.revision, std::nullopt};
  const bool copy_wins = merged.winner == MergeWinner::copy;
  const std::string_view base_text = copy_wins ? copy : original;
  Union both(copy_wins ? theirs : ours, copy_wins ? ours : theirs, path, exists);
  std::vector<FieldChange> changes = field_changes(both.edit());
  if (changes.empty() && !copy_wins) {
    return merged;
  }
  TRY_ASSIGN(const std::uint64_t next, next_revision(std::max(ours.revision, theirs.revision)));
  changes.push_back({"updated_at", to_string(now)});
  changes.push_back({"revision", next});
  TRY_ASSIGN(merged.text, edit_frontmatter(base_text, changes));
  return merged;
}

Result<ManifestWrite> merge_manifest(base::Disk& disk,
                                     const FilePlace& place,
                                     lineage::Timestamp now,
                                     const ManifestMerge& merge) {
  const FileEdit edit = [&](std::string_view bytes) -> Result<std::optional<std::string>> {
    if (bytes == merge.copy) {
      return std::optional<std::string>();
    }
    TRY_ASSIGN(MergedManifest merged,
               merged_manifest(bytes, merge.copy, place.path, merge.exists, now));
    if (merged.winner == MergeWinner::copy && merge.before_replacing) {
      TRY(merge.before_replacing(bytes));
    }
    return std::move(merged.text);
  };
  TRY_ASSIGN(const Rewritten rewritten, rewrite_file(disk, place, edit));
  return rewritten.write == FileWrite::written ? ManifestWrite::written : ManifestWrite::unchanged;
}

}  // namespace daybook::canon
