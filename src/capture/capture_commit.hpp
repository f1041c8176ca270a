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

/// What has been removed, for a look before anything is written; commit_record() asks anew.
Result<lineage::TombstoneSet> removals_now(const FinishPlace& place);

CaptureResult removed_result(const SpoolRecord& record, lineage::SessionToken forbidden_by);

/// The first result, if this was captured before and the receipt is there.
Result<std::optional<CaptureResult>> known_result(const FinishPlace& place,
                                                  const SpoolRecord& record);

Result<CaptureResult> commit_record(const FinishPlace& place,
                                    SpoolRecord record,
                                    SpoolWriter spool);

}  // namespace daybook::capture
