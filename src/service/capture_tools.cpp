// SPDX-License-Identifier: MIT
#include "daybook/service/capture_tools.hpp"

#include "daybook/capture/configured_model.hpp"
#include "daybook/redact/literals.hpp"

#include <utility>

namespace daybook::service {

Result<redact::Policy> redaction_policy(base::Disk& disk,
                                        const std::string& workspace,
                                        const parse::Config& config) {
  redact::Policy policy;
  policy.pii = config.capture.redact_pii ? redact::Pii::redacted : redact::Pii::kept;
  if (!config.capture.literals_file.empty()) {
    TRY_ASSIGN(policy.literals,
               redact::read_literals(disk, capture::literals_path(config.capture, workspace)));
  }
  return policy;
}

Result<CaptureTools> capture_tools(base::Disk& disk,
                                   const std::string& workspace,
                                   const parse::Config& config) {
  CaptureTools tools;
  auto policy = redaction_policy(disk, workspace, config);
  if (!policy) {
    return std::move(policy).error().in_context(
        "nothing is captured without the list of texts to redact");
  }
  tools.policy = std::move(policy).value();
  tools.model = capture::configured_model(config.model);
  return tools;
}

}  // namespace daybook::service
