// SPDX-License-Identifier: MIT
//
// A complete record, whose transcript stands in the spool without a name -> the result of the
// capture: under the session's lock it is asked once more whether this was captured before or is
// forbidden, then the record gets its name in the spool and is finished. What need not be written
// leaves no byte behind.
#pragma once

#include "capture/capture_finish.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/capture/spool.hpp"

#include <optional>
#include <string>

namespace daybook::capture {

/// Which flow a request is: the key that was given, else what it is about and holds.
std::string flow_id_of(const SpoolRecord& record, const std::string& idempotency_key);

/// Whether tombstones forbid it, before anything of it is written anywhere.
Result<bool> is_removed(const FinishPlace& place, const lineage::SessionFields& session);

CaptureResult removed_result(const SpoolRecord& record);

/// The first result, if this was captured before and the receipt is there.
Result<std::optional<CaptureResult>> known_result(const FinishPlace& place,
                                                  const SpoolRecord& record);

Result<CaptureResult> commit_record(const FinishPlace& place,
                                    SpoolRecord record,
                                    SpoolWriter spool);

}  // namespace daybook::capture
