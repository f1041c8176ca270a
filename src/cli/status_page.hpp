// SPDX-License-Identifier: MIT
//
// What status found -> a page for people: a line a matter, what is wrong in colour. Any thread;
// prints to stdout.
#pragma once

#include "cli/settings.hpp"
#include "daybook/daemon/health.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/status.hpp"
#include "daybook/state/service_lock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace daybook::cli {

/// Where the report was made; without a state folder the workspace was never indexed.
struct StatusPlace {
  std::string workspace;
  std::string state_dir;
  std::string device;
  bool indexed = true;
  parse::Config config;
  std::optional<state::ServiceHolder> holder;  ///< of the service's lock
  std::optional<daemon::Health> health;        ///< what it answers
};

/// Among the reasons for being degraded: nobody but the command can know it.
inline constexpr std::string_view kNoAnswer = "service-silent";

/// The service sweeps more often than it has a reason to write so into the index.
std::optional<lineage::Timestamp> last_sweep(const service::StatusReport& report,
                                             const StatusPlace& place);

void print_status_page(const service::StatusReport& report,
                       const StatusPlace& place,
                       const Settings& settings);

}  // namespace daybook::cli
