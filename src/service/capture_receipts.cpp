// SPDX-License-Identifier: MIT
#include "service/capture_receipts.hpp"

#include "daybook/lineage/artifact_name.hpp"

#include <algorithm>

namespace daybook::service {
namespace {

/// After that a request that comes again is known by what it left in the vault.
constexpr std::int64_t kReceiptsKeptMs = 90LL * 24 * 60 * 60 * 1000;

}  // namespace

Result<void> note_captures_indexed(state::StateDb& state,
                                   const std::vector<std::string>& paths,
                                   lineage::Timestamp pass_began) {
  std::vector<std::string> tokens;
  for (const std::string& path : paths) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const lineage::NameReading reading = lineage::read_artifact_name(name);
    if (reading.form == lineage::NameForm::artifact) {
      tokens.push_back(reading.name.token.to_string());
    }
  }
  if (tokens.empty() && !paths.empty()) {
    return {};
  }
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  const state::StateDb::Relaxed relaxed(state);
  return state.flows().captures_indexed(pass_began, tokens, pass_began);
}

Result<void> note_captures_published(state::StateDb& state,
                                     const PassReport& report,
                                     lineage::Timestamp now) {
  for (const PublishedProjection& projection : report.projections) {
    if (projection.withheld) {
      return {};
    }
  }
  const state::StateDb::Relaxed relaxed(state);
  TRY(state.flows().captures_published(now));
  return state.flows().forget_before({now.ms - kReceiptsKeptMs});
}

}  // namespace daybook::service
