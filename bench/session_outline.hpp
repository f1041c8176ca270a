// SPDX-License-Identifier: MIT
//
// (plan, number) -> who a session is, when it was captured and which files it has; no text yet. A
// pure function, so that a later session can link to an earlier one without anybody remembering it.
#pragma once

#include "daybook/lineage/artifact.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "vault_plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::bench {

/// One writing of artifacts.
struct Capture {
  std::optional<lineage::Timestamp> started_at;
  std::optional<lineage::Timestamp> ended_at;
  lineage::Timestamp captured_at;
};

struct SessionOutline {
  lineage::SessionFields session;  ///< captured_at is the first capture's, which names the manifest
  lineage::SessionToken token;
  std::vector<Capture> endings;  ///< one, or two if it was resumed
  std::optional<Capture> compaction;
  lineage::Timestamp updated_at;
  std::uint32_t revision = 1;
  bool noise = false;
  bool sealed = false;

  /// `memory/….md`
  std::string path(lineage::Kind kind, lineage::Timestamp captured_at) const;
  std::string manifest_path() const { return path(lineage::Kind::manifest, session.captured_at); }
  /// The last component of the project's path.
  std::string project_name() const;
};

SessionOutline outline_session(const VaultPlan& plan, std::uint32_t number);

/// Random numbers for one use of one session, independent of every other use.
enum class Use : std::uint8_t { outline, text, links };
std::uint64_t stream_of(std::uint32_t number, Use use);

}  // namespace daybook::bench
