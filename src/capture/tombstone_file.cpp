// SPDX-License-Identifier: MIT
#include "daybook/capture/tombstone_file.hpp"

#include "daybook/base/file_stream.hpp"
#include "daybook/base/path.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace daybook::capture {
namespace {

constexpr std::uint64_t kLargestTombstone = 1ULL << 20U;

}  // namespace

Result<void> add_tombstone_file(base::Disk& disk,
                                const std::string& workspace,
                                const std::string& path,
                                const lineage::ArtifactName& name,
                                lineage::TombstoneSet& removals) {
  const auto bytes = base::read_file(disk, workspace, path, kLargestTombstone);
  if (!bytes && bytes.error().kind == ErrorKind::not_found) {
    return {};
  }
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> findings;
  if (bytes) {
    const parse::FileParts parts = parse::split_file(*bytes);
    if (parts.bounds == parse::FrontmatterBounds::found && base::is_valid_utf8(parts.yaml) &&
        parse::read_frontmatter(parts.yaml, fields, findings)) {
      const auto reading = lineage::read_artifact_name(base::file_name_of(path));
      const auto record = parse::read_record(fields, reading, findings);
      if (const auto* tombstone = std::get_if<lineage::Tombstone>(&record)) {
        removals.add(*tombstone);
        return {};
      }
    }
  }
  removals.add_token(name.token);
  return {};
}

}  // namespace daybook::capture
