// SPDX-License-Identifier: MIT
#include "capture/removals_in_force.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/path.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"

#include <set>
#include <utility>

namespace daybook::capture {
namespace {

constexpr std::uint64_t kLargestTombstone = 1ULL << 20U;

Result<void> add_from_file(base::Disk& disk,
                           const std::string& workspace,
                           const NamedFile& file,
                           lineage::TombstoneSet& removals) {
  const auto bytes = base::read_file(disk, workspace, file.path, kLargestTombstone);
  if (!bytes && bytes.error().kind == ErrorKind::not_found) {
    return {};
  }
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> findings;
  if (bytes) {
    const parse::FileParts parts = parse::split_file(*bytes);
    if (parts.bounds == parse::FrontmatterBounds::found && base::is_valid_utf8(parts.yaml) &&
        parse::read_frontmatter(parts.yaml, fields, findings)) {
      const auto name = lineage::read_artifact_name(base::file_name_of(file.path));
      const auto record = parse::read_record(fields, name, findings);
      if (const auto* tombstone = std::get_if<lineage::Tombstone>(&record)) {
        removals.add(*tombstone);
        return {};
      }
    }
  }
  removals.add_token(file.name.token);
  return {};
}

}  // namespace

Result<lineage::TombstoneSet> removals_in_force(base::Disk& disk,
                                                const std::string& workspace,
                                                const SessionNames& names,
                                                state::StateDb& state) {
  lineage::TombstoneSet removals;
  std::set<std::pair<lineage::SessionToken, std::int64_t>> known;
  TRY_ASSIGN(const auto copies, state.tombstones().all());
  for (const lineage::Tombstone& tombstone : copies) {
    removals.add(tombstone);
    if (tombstone.removed_at) {
      known.emplace(tombstone.token, tombstone.removed_at->ms);
    }
  }
  for (const NamedFile& file : names.tombstones) {
    if (!known.contains({file.name.token, file.name.captured_at.ms})) {
      TRY(add_from_file(disk, workspace, file, removals));
    }
  }
  return removals;
}

Result<lineage::TombstoneSet> removals_in_vault(base::Disk& disk,
                                                const std::string& workspace,
                                                const SessionNames& names) {
  lineage::TombstoneSet removals;
  for (const NamedFile& file : names.tombstones) {
    TRY(add_from_file(disk, workspace, file, removals));
  }
  return removals;
}

}  // namespace daybook::capture
