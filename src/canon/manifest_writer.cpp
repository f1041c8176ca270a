// SPDX-License-Identifier: MIT
#include "daybook/canon/manifest_writer.hpp"

#include "canon/frontmatter_edit.hpp"
#include "canon/manifest_text.hpp"
#include "canon/rewrite_file.hpp"

#include <utility>

namespace daybook::canon {

ManifestEdit& ManifestEdit::set_text(const std::string& key, std::optional<std::string> value) {
  values_[key] = std::move(value);
  return *this;
}

ManifestEdit& ManifestEdit::set_list(const std::string& key, std::vector<std::string> items) {
  values_[key] = std::move(items);
  return *this;
}

Result<ManifestOutcome> update_manifest(
    base::Disk& disk,
    const FilePlace& place,
    lineage::Timestamp now,
    const std::function<ManifestEdit(const lineage::Manifest&)>& change) {
  ManifestOutcome outcome;
  const FileEdit edit = [&](std::string_view bytes) -> Result<std::optional<std::string>> {
    TRY_ASSIGN(const lineage::Manifest manifest, read_manifest(bytes, place.path));
    outcome.revision = manifest.revision;
    std::vector<FieldChange> changes = field_changes(change(manifest));
    TRY_ASSIGN(std::string text, edit_frontmatter(bytes, changes));
    if (text == bytes) {
      return std::optional<std::string>();
    }
    TRY_ASSIGN(const std::uint64_t next, next_revision(manifest.revision));
    changes.push_back({"updated_at", to_string(now)});
    changes.push_back({"revision", next});
    TRY_ASSIGN(text, edit_frontmatter(bytes, changes));
    outcome.revision = next;
    return std::optional(std::move(text));
  };
  TRY_ASSIGN(const Rewritten rewritten, rewrite_file(disk, place, edit));
  outcome.write =
      rewritten.write == FileWrite::written ? ManifestWrite::written : ManifestWrite::unchanged;
  outcome.sha256 = rewritten.sha256;
  return outcome;
}

}  // namespace daybook::canon
