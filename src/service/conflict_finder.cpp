// SPDX-License-Identifier: MIT
#include "service/conflict_finder.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/canon/manifest_merge.hpp"
#include "daybook/capture/removed_content.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/projection/memory_md.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "service/unit_worker.hpp"

#include <algorithm>

namespace daybook::service {
namespace {

using lineage::MemoryMdCopy;
using lineage::NameForm;

constexpr std::string_view kAgentsFolder = "agents";

struct PathParts {
  std::string folder;
  std::string name;
};

PathParts split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? PathParts{{}, path}
                                    : PathParts{path.substr(0, slash), path.substr(slash + 1)};
}

std::string joined(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

ConflictKind kind_of(const lineage::NameReading& name) {
  return name.form == NameForm::conflict_copy ? static_cast<ConflictKind>(*name.kind)
                                              : ConflictKind::note;
}

/// What the frontmatter says of whose file it is.
struct Claims {
  std::string agent_id{lineage::kDefaultAgent};
  std::optional<lineage::Kind> kind;
  std::vector<lineage::SessionToken> tokens;
};

Claims claims_of(base::Folder& workspace, const std::string& path) {
  Claims claims;
  scan::FileReader reader(workspace);
  const PathParts parts = split(path);
  const auto opened = reader.open(parts.folder, parts.name, scan::kLargestTranscript);
  if (!opened || opened->too_large) {
    return claims;
  }
  const parse::FileParts file = parse::split_file(opened->first_piece);
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> not_reported;
  if (file.bounds != parse::FrontmatterBounds::found || !base::is_valid_utf8(file.yaml) ||
      !parse::read_frontmatter(file.yaml, fields, not_reported)) {
    return claims;
  }
  if (const auto agent = parse::agent_id_of(fields); lineage::is_valid_agent_id(agent)) {
    claims.agent_id = agent;
  }
  if (const auto* kind = fields.find("kind"); kind != nullptr && !kind->is_list) {
    claims.kind = lineage::kind_from_string(kind->scalar.text);
  }
  claims.tokens = parse::session_tokens_of(fields);
  return claims;
}

std::string revisions(const canon::MergedManifest& merged) {
  const bool copy_wins = merged.winner == canon::MergeWinner::copy;
  const std::string winner = copy_wins ? "the copy" : "the original";
  if (merged.original_revision == merged.copy_revision) {
    return "both have revision " + std::to_string(merged.copy_revision) + "; " + winner +
           (copy_wins ? " names more files that are there" : " counts");
  }
  const auto [low, high] = std::minmax(merged.original_revision, merged.copy_revision);
  return winner + " has the higher revision, " + std::to_string(high) + " against " +
         std::to_string(low);
}

void add_memory_md_copies(base::Folder& folder,
                          const std::string& path,
                          std::vector<std::string>& found) {
  // A folder that cannot be listed has no copies that could be resolved.
  (void)folder.list([&](std::string_view name, base::EntryType type) {
    if (type == base::EntryType::file && lineage::read_memory_md_copy(name) != MemoryMdCopy::no) {
      found.push_back(joined(path, name));
    }
  });
}

}  // namespace

Result<lineage::TombstoneSet> gather_removals(base::Disk& disk,
                                              const std::string& workspace,
                                              const scan::VaultListing& listing,
                                              const std::vector<lineage::Tombstone>& known) {
  lineage::TombstoneSet removals;
  for (const lineage::Tombstone& tombstone : known) {
    removals.add(tombstone);
  }
  const lineage::TombstoneSet none;
  LazyNoteNames names;
  TRY_ASSIGN(auto worker,
             UnitWorker::make(disk, workspace, listing, none, names, Detail::findings));
  for (scan::VaultListing::Index file = 0; file < listing.entries().size(); ++file) {
    if (is_tombstone(listing, file)) {
      honour(worker->examine(file), listing.file_name(file), removals);
    }
  }
  return removals;
}

Result<std::vector<std::string>> conflict_candidates(base::Folder& workspace,
                                                     const scan::VaultListing& listing) {
  std::vector<std::string> found;
  for (scan::VaultListing::Index file = 0; file < listing.entries().size(); ++file) {
    if (listing.entries()[file].belongs_to_session()) {
      continue;
    }
    const std::string name = listing.file_name(file);
    if (lineage::conflict_copy_of(name) || lineage::numbered_copy_of(name)) {
      found.push_back(listing.path(file));
    }
  }
  add_memory_md_copies(workspace, {}, found);
  if (auto agents = workspace.open_folder(std::string(kAgentsFolder))) {
    std::vector<std::string> ids;
    TRY((*agents)->list([&ids](std::string_view name, base::EntryType type) {
      if (type == base::EntryType::folder && lineage::is_valid_agent_id(name)) {
        ids.emplace_back(name);
      }
    }));
    for (const std::string& id : ids) {
      if (auto folder = (*agents)->open_folder(id)) {
        add_memory_md_copies(**folder, joined(std::string(kAgentsFolder), id), found);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::optional<Conflict>> ConflictFinder::judge(const std::string& path) {
  return path.starts_with(std::string(scan::kMemoryFolder) + "/") ? judge_note(path)
                                                                  : judge_memory_md(path);
}

Result<base::FileStat> ConflictFinder::stat(const std::string& path) {
  const PathParts parts = split(path);
  TRY_ASSIGN(const auto root, disk_.open_root(workspace_));
  TRY_ASSIGN(const auto folder, base::open_below(*root, parts.folder));
  TRY_ASSIGN(const auto found, folder->stat(parts.name));
  if (found.type != base::EntryType::file) {
    return Error{ErrorKind::not_regular, "this is no regular file", path, {}};
  }
  return found;
}

bool ConflictFinder::exists(const std::string& path) { return stat(path).ok(); }

Result<std::optional<Conflict>> ConflictFinder::judge_note(const std::string& path) {
  const PathParts parts = split(path);
  const lineage::NameReading name = lineage::read_artifact_name(parts.name);
  auto stem = lineage::conflict_copy_of(parts.name);
  const bool is_certain = stem.has_value() && name.form != NameForm::artifact;
  stem = is_certain ? stem : lineage::numbered_copy_of(parts.name);
  const auto copy = stat(path);
  if (!stem || !copy) {
    return std::optional<Conflict>();
  }
  Conflict conflict;
  conflict.path = path;
  conflict.original = joined(parts.folder, std::string(*stem).append(scan::kNoteExtension));
  conflict.kind = kind_of(name);
  const auto original = stat(conflict.original);
  if (!is_certain) {
    // A number proves nothing, and short notes are alike by chance: Obsidian calls new ones so.
    const bool may_be =
        original && original->size == copy->size && copy->size >= lineage::kLeastNamedBody;
    if (!may_be) {
      return std::optional<Conflict>();
    }
  }
  TRY_ASSIGN(const auto root, disk_.open_root(workspace_));
  conflict.agent_id = claims_of(*root, path).agent_id;
  TRY_ASSIGN(const bool removed,
             capture::holds_removed_content(disk_, workspace_, path, removals_));
  if (removed) {
    conflict.verdict = ConflictVerdict::removed_content;
    conflict.reason = "it holds removed text; 'daybook remove --purge' deletes it";
  } else if (!original) {
    const bool missing = original.error().kind == ErrorKind::not_found;
    conflict.verdict = missing ? ConflictVerdict::no_original : ConflictVerdict::unreadable;
    conflict.reason = missing ? "its original is not there"
                              : "its original cannot be read: " + original.error().message;
  } else if (original->size != copy->size) {
    explain_difference(name, conflict);
  } else {
    TRY(compare(name, conflict));
  }
  const bool counts = is_certain || conflict.verdict == ConflictVerdict::same_bytes;
  return counts ? std::optional(std::move(conflict)) : std::nullopt;
}

/// Of equal size: only their bytes tell.
Result<void> ConflictFinder::compare(const lineage::NameReading& name, Conflict& conflict) {
  const auto copy = base::hash_file(disk_, workspace_, conflict.path);
  const auto original = base::hash_file(disk_, workspace_, conflict.original);
  for (const auto* hash : {&copy, &original}) {
    if (!*hash) {
      conflict.verdict = ConflictVerdict::unreadable;
      conflict.reason = "it cannot be compared: " + hash->error().message;
      return {};
    }
  }
  if (*copy == *original) {
    conflict.verdict = ConflictVerdict::same_bytes;
    conflict.reason = "the same bytes as its original";
    return {};
  }
  explain_difference(name, conflict);
  return {};
}

void ConflictFinder::explain_difference(const lineage::NameReading& name, Conflict& conflict) {
  conflict.verdict = ConflictVerdict::differs;
  if (conflict.kind == ConflictKind::manifest) {
    judge_manifest(conflict);
    return;
  }
  if (conflict.kind == ConflictKind::note || conflict.kind == ConflictKind::tombstone) {
    conflict.reason = "it differs from its original; only a person can tell which is right";
    return;
  }
  const auto root = disk_.open_root(workspace_);
  const Claims claims = root ? claims_of(**root, conflict.path) : Claims{};
  const bool same_session =
      claims.kind == name.kind &&
      std::find(claims.tokens.begin(), claims.tokens.end(), name.name.token) != claims.tokens.end();
  conflict.reason = same_session
                        ? "it differs from its original, and neither may change: both are kept"
                        : "its frontmatter is not that of the file it is named after";
}

void ConflictFinder::judge_manifest(Conflict& conflict) {
  const auto original = base::read_file(disk_, workspace_, conflict.original, scan::kLargestNote);
  const auto copy = base::read_file(disk_, workspace_, conflict.path, scan::kLargestNote);
  const auto merged =
      !original ? Result<canon::MergedManifest>(original.error())
      : !copy   ? Result<canon::MergedManifest>(copy.error())
                : canon::merged_manifest(*original,
                                       *copy,
                                       conflict.original,
                                       [this](const std::string& path) { return exists(path); },
                                       {});
  if (merged) {
    conflict.verdict = ConflictVerdict::mergeable;
    conflict.reason = revisions(*merged);
  } else {
    conflict.reason = "they cannot be merged: " + merged.error().message;
  }
}

Result<std::optional<Conflict>> ConflictFinder::judge_memory_md(const std::string& path) {
  const PathParts parts = split(path);
  const MemoryMdCopy copy = lineage::read_memory_md_copy(parts.name);
  const auto text = base::read_file(disk_, workspace_, path, scan::kLargestNote);
  if (copy == MemoryMdCopy::no || (!text && text.error().kind == ErrorKind::not_found)) {
    return std::optional<Conflict>();
  }
  const bool is_ours = text && projection::is_intact_memory_md(*text);
  if (copy == MemoryMdCopy::possible && !is_ours) {
    return std::optional<Conflict>();  // a note that a person gave such a name
  }
  Conflict conflict;
  conflict.path = path;
  conflict.original = joined(parts.folder, "MEMORY.md");
  conflict.agent_id = parts.folder.empty() ? std::string(lineage::kDefaultAgent)
                                           : parts.folder.substr(kAgentsFolder.size() + 1);
  conflict.kind = ConflictKind::memory_md;
  if (!text) {
    conflict.verdict = ConflictVerdict::unreadable;
    conflict.reason = "it cannot be read: " + text.error().message;
  } else if (capture::links_to_removed(*text, removals_)) {
    conflict.verdict = ConflictVerdict::derived_removed;
    conflict.reason = "MEMORY.md is derived; this copy names a removed session and is not kept";
  } else {
    conflict.verdict = ConflictVerdict::derived;
    conflict.reason = is_ours ? "MEMORY.md is derived"
                              : "MEMORY.md is derived; somebody has edited this copy of it";
  }
  return std::optional(std::move(conflict));
}

}  // namespace daybook::service
