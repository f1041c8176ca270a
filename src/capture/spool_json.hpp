// SPDX-License-Identifier: MIT
//
// A spooled record, a spooled hook, or the result of a capture, <-> JSON. The spool and state.db
// keep them so. Text that cannot be understood is ErrorKind::damaged. Pure; any thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/capture/hook_spool.hpp"
#include "daybook/capture/spool.hpp"

#include <string>
#include <string_view>

namespace daybook::capture {

std::string record_to_json(const SpoolRecord& record);
Result<SpoolRecord> record_from_json(std::string_view text);

/// What a flow keeps: which request it belongs to, and its result once there is one.
struct Receipt {
  std::string fingerprint;
  CaptureResult result;
};

std::string receipt_to_json(const Receipt& receipt);
Result<Receipt> receipt_from_json(std::string_view text);

std::string hook_to_json(const SpooledHook& hook);
/// Without its name, which is that of its file.
Result<SpooledHook> hook_from_json(std::string_view text);

}  // namespace daybook::capture
