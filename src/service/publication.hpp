// SPDX-License-Identifier: MIT
//
// Index -> every agent's MEMORY.md in the vault, under the lease, and then the manifests of this
// device that say where their session is shown. A projection that cannot be published does not keep
// the others from it; the first error is told at the end.
#pragma once

#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "service/kept_databases.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daybook::service {

struct PublicationReport {
  std::vector<PublishedProjection> projections;
  std::vector<std::string> notices;
  std::vector<std::string> manifests_updated;  ///< paths, whose rows are behind now: they follow
                                               ///< at once, and nothing that is shown needs them
  std::optional<Error> problem;                ///< of the first projection that failed
  index::IndexMeta rows;                       ///< what MEMORY.md was made from
};

Result<PublicationReport> publish_ledgers(base::Disk& disk,
                                          const state::StateFolder& folder,
                                          KeptDatabases& databases,
                                          state::StateDb& state,
                                          const parse::Config& config,
                                          const base::Clock& clock,
                                          const PassRequest& request);

}  // namespace daybook::service
