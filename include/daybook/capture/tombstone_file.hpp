// SPDX-License-Identifier: MIT
//
// A tombstone file -> the removals that it says. One that cannot be read is honoured by the token
// in its name; one that is gone says nothing. Reads only; any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/tombstone_set.hpp"

#include <string>

namespace daybook::capture {

/// `path` is workspace-relative, and its last part says `name`.
Result<void> add_tombstone_file(base::Disk& disk,
                                const std::string& workspace,
                                const std::string& path,
                                const lineage::ArtifactName& name,
                                lineage::TombstoneSet& removals);

}  // namespace daybook::capture
