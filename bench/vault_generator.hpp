// SPDX-License-Identifier: MIT
//
// A plan -> a vault on disk, the same bytes on every machine. For benchmarks and for tests that
// need many sessions. Writes plainly, without syncing: a generated vault is remade, not recovered.
// One thread. Failure leaves the files written so far.
#pragma once

#include "daybook/base/result.hpp"
#include "vault_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace daybook::bench {

struct VaultReport {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint32_t sessions = 0;
  std::uint32_t compactions = 0;
  std::uint32_t resumed = 0;
  std::uint32_t noise = 0;
  std::vector<std::string> agents;
};

/// Fills `<workspace>/memory/`, which is made if need be. A folder that holds anything already is
/// ErrorKind::already_exists and stays untouched.
Result<VaultReport> generate_vault(const VaultPlan& plan, const std::string& workspace);

}  // namespace daybook::bench
