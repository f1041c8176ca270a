// SPDX-License-Identifier: MIT
#include "daybook/service/capture_tools.hpp"

#include "daybook/capture/configured_model.hpp"
#include "daybook/redact/literals.hpp"

#include <utility>

namespace daybook::service {
Result<CaptureTools> capture_tools(base::Disk& disk,
                                   const std::string& workspace,
                                   const parse::Config& config) {
  CaptureTools tools;
  tools.policy.pii = config.capture.redact_pii ? redact::Pii::redacted : redact::Pii::kept;
  if (!config.capture.literals_file.empty()) {
    auto literals = redact::read_literals(disk, capture::literals_path(config.capture, workspace));
    if (!literals) {
      return std::move(literals).error().in_context(
          "nothing is captured without the list of texts to redact");
    }
    tools.policy.literals = std::move(literals).value();
  }
  tools.model = capture::configured_model(config.model);
  return tools;
}

}  // namespace daybook::service
