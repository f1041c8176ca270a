// SPDX-License-Identifier: MIT
#include "cli/pass.hpp"

#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "daybook/base/printable.hpp"

#include <algorithm>

namespace daybook::cli {

Result<CommandPass> run_pass(const Vault& vault,
                             const service::PassRequest& request,
                             const Settings& settings) {
  service::WorkProgress progress;
  const InterruptFlag interrupt(progress.cancelled);
  auto report = [&] {
    const ProgressBar bar(progress, settings);
    return service::Pipeline(base::real_disk(), vault.state, *vault.clock).run(request, progress);
  }();
  if (!report) {
    return std::move(report).error();
  }
  CommandPass pass{std::move(report).value(), progress.cancelled};
  for (const std::string& notice : pass.report.notices) {
    print(stderr, "daybook: " + base::printable(notice) + "\n");
  }
  if (pass.interrupted) {
    print(stderr, "daybook: stopped; nothing is lost, run it again to go on\n");
  }
  return pass;
}

Result<int> follow_up(const Vault& vault,
                      const char* command,
                      const Settings& settings,
                      const std::vector<std::string>& agents) {
  service::PassRequest request;
  request.command = command;
  return follow_up(vault, request, settings, agents);
}

Result<int> follow_up(const Vault& vault,
                      const service::PassRequest& request,
                      const Settings& settings,
                      const std::vector<std::string>& agents) {
  TRY_ASSIGN(const CommandPass pass, run_pass(vault, request, settings));
  if (pass.interrupted) {
    return Error{ErrorKind::busy,
                 "stopped before the index was brought up to date",
                 {},
                 "Run 'daybook reindex'; it finishes the work."};
  }
  return service::may_show_what_is_gone(pass.report, agents) ? kProblemsFound : kDone;
}

bool was_withheld(const service::PassReport& report) {
  return std::any_of(report.projections.begin(),
                     report.projections.end(),
                     [](const auto& projection) { return projection.withheld; });
}

std::string describe(const service::PublishedProjection& projection, const Palette& colors) {
  const char* deed = projection.written    ? "Wrote "
                     : projection.withheld ? "Not published: "
                                           : "Unchanged ";
  std::string text(projection.written ? colors.green : colors.dim);
  text.append(deed).append(colors.reset).append(base::printable(projection.path)).append(": ");
  text.append(counted(projection.rows, "row")).append(", ");
  text.append(grouped(projection.bytes)).append(" bytes");
  if (projection.clipped > 0) {
    text.append(", ").append(grouped(projection.clipped)).append(" older ones clipped");
  }
  return text.append("\n");
}

}  // namespace daybook::cli
