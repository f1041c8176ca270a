// SPDX-License-Identifier: MIT
//
// What a generated vault is to look like. A plain value; the same plan gives the same bytes.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <cstdint>
#include <string>

namespace daybook::bench {

enum class VaultForm : std::uint8_t {
  daybook,  ///< as Daybook writes: tokens from session_key, seals in the manifest
  signet,   ///< as Signet writes: everything quoted, tokens from session_id, more manifest fields
};

struct VaultPlan {
  std::uint32_t sessions = 10'000;
  std::uint32_t days = 45;   ///< over which they are spread, ending at `now`
  std::uint32_t agents = 1;  ///< `default`, then `agent-2` and so on

  // Shares of the sessions, 0 to 1.
  double compactions = 0.10;
  double resumed = 0.02;  ///< ended a second time: new files, the same token and manifest
  double noise = 0.03;    ///< of projects in a temp folder
  double linked = 0.10;   ///< whose summary links to earlier ones
  double sealed = 1.0;    ///< whose manifest holds seals; Daybook's form only

  std::uint32_t transcript_bytes = 6'800;     ///< on average, without frontmatter
  lineage::Timestamp now{1'774'785'600'000};  ///< 2026-03-29T12:00:00.000Z
  std::uint64_t seed = 1;
  VaultForm form = VaultForm::daybook;
};

/// ErrorKind::usage for a plan that makes no sense.
Result<void> validate(const VaultPlan& plan);

/// `default`, `agent-2`, …
std::string agent_name(std::uint32_t index);

}  // namespace daybook::bench
