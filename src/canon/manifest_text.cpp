// SPDX-License-Identifier: MIT
#include "canon/manifest_text.hpp"

#include "daybook/base/path.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"

#include <algorithm>
#include <utility>

namespace daybook::canon {
namespace {

Error damaged(std::string_view why) {
  return {ErrorKind::damaged,
          std::string("the manifest cannot be updated: ").append(why),
          {},
          "mend the file; daybook check says more about it"};
}

}  // namespace

Result<lineage::Manifest> read_manifest(std::string_view file, std::string_view path) {
  const parse::FileParts parts = parse::split_file(file);
  const lineage::NameReading name = lineage::read_artifact_name(base::file_name_of(path));
  if (name.kind != lineage::Kind::manifest) {
    return Error{ErrorKind::usage, "only a manifest may be changed", std::string(path), {}};
  }
  if (parts.bounds != parse::FrontmatterBounds::found || !base::is_valid_utf8(parts.yaml)) {
    return damaged("it has no frontmatter");
  }
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> diagnostics;
  parse::Record record;
  if (parse::read_frontmatter(parts.yaml, fields, diagnostics)) {
    record = parse::read_record(fields, name, diagnostics);
  }
  for (const lineage::Diagnostic& diagnostic : diagnostics) {
    if (lineage::info(diagnostic.code).invalidates == lineage::Invalidates::yes) {
      return damaged(diagnostic.sentence());
    }
  }
  if (auto* manifest = std::get_if<lineage::Manifest>(&record)) {
    return std::move(*manifest);
  }
  return damaged("its frontmatter is not that of a manifest");
}

std::vector<FieldChange> field_changes(const ManifestEdit& edit) {
  std::vector<FieldChange> changes;
  changes.reserve(edit.values().size() + 2);
  for (const auto& [key, value] : edit.values()) {
    if (key == "revision" || key == "updated_at") {
      continue;
    }
    FieldValue field;
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
      field = *list;
    } else if (const auto& text = std::get<std::optional<std::string>>(value)) {
      field = *text;
    }
    changes.push_back({key, std::move(field)});
  }
  return changes;
}

Result<std::uint64_t> next_revision(std::uint64_t revision) {
  if (revision >= lineage::kMostRevision) {
    return damaged("its revision is the highest that there is");
  }
  return revision + 1;
}

lineage::Timestamp captured_at(const std::string& path) {
  return lineage::read_artifact_name(base::file_name_of(path)).name.captured_at;
}

void keep_newest(std::vector<lineage::PathField>& earlier_paths) {
  while (earlier_paths.size() > lineage::kMostEarlierPaths) {
    earlier_paths.erase(std::min_element(
        earlier_paths.begin(), earlier_paths.end(), [](const auto& left, const auto& right) {
          return captured_at(left.path) < captured_at(right.path);
        }));
  }
}

}  // namespace daybook::canon
