// SPDX-License-Identifier: MIT
//
// Configuration -> what a capture works with: which text is to be redacted, and the model, if there
// is one. A list of literals that is configured and cannot be read is an error: without it text
// would be stored that was to be kept out. Nothing is sent anywhere by this.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/model/model.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/redact/sanitizer.hpp"

#include <memory>
#include <string>

namespace daybook::service {

struct CaptureTools {
  redact::Policy policy;
  std::unique_ptr<model::Model> model;  ///< may be null
};

/// What is redacted, alone.
Result<redact::Policy> redaction_policy(base::Disk& disk,
                                        const std::string& workspace,
                                        const parse::Config& config);

Result<CaptureTools> capture_tools(base::Disk& disk,
                                   const std::string& workspace,
                                   const parse::Config& config);

}  // namespace daybook::service
