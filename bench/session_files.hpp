// SPDX-License-Identifier: MIT
//
// (plan, number) -> every file of one session, whole and valid under the contract: right tokens,
// hashes, seals, links and lineage. Pure; what would break the contract aborts, because a benchmark
// on a broken vault measures something else.
#pragma once

#include "session_outline.hpp"
#include "vault_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace daybook::bench {

struct GeneratedFile {
  std::string path;  ///< from the workspace's root
  std::string bytes;
};

/// Sorted by path.
std::vector<GeneratedFile> session_files(const VaultPlan& plan,
                                         std::uint32_t number,
                                         const SessionOutline& outline);

}  // namespace daybook::bench
