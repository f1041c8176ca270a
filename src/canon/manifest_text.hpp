// SPDX-License-Identifier: MIT
//
// The bytes of a manifest -> what it says, or why it cannot be changed; and a change of it -> the
// fields to be edited. Pure; any thread.
#pragma once

#include "canon/frontmatter_edit.hpp"
#include "daybook/base/result.hpp"
#include "daybook/canon/manifest_writer.hpp"
#include "daybook/lineage/artifact.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace daybook::canon {

/// `path` is the one under which it is to stand: its name must be a manifest's, and agree. Findings
/// that make it invalid are ErrorKind::damaged.
Result<lineage::Manifest> read_manifest(std::string_view file, std::string_view path);

/// The one after it. ErrorKind::damaged when there is none: it would begin anew at 0, and every
/// older copy would count as newer.
Result<std::uint64_t> next_revision(std::uint64_t revision);

/// When the file of that path was captured, by its name.
lineage::Timestamp captured_at(const std::string& path);

/// Only the newest kMostEarlierPaths stay, in their order.
void keep_newest(std::vector<lineage::PathField>& earlier_paths);

/// `revision` and `updated_at` are left out: they are the writer's to set.
std::vector<FieldChange> field_changes(const ManifestEdit& edit);

}  // namespace daybook::canon
