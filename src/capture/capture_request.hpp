// SPDX-License-Identifier: MIT
//
// What a harness says of a session -> the fields that its files will carry, or why they cannot be
// meant. What it leaves out the transcript may say. Pure but for what it is handed.
#pragma once

#include "capture/intake.hpp"
#include "daybook/base/result.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/capture/spool.hpp"

namespace daybook::capture {

/// Ids and names of no more than this.
inline constexpr std::size_t kLongestId = 512;
inline constexpr std::size_t kLongestProject = 4096;
inline constexpr std::size_t kLongestKey = 256;

/// usage, with the field's name.
Result<void> check_request(const CapturedSession& session);

Error no_session_id();

/// Whose session a kept file is where its name and place say more than its lines.
void settle_identity(const KeptFile& kept, harness::SessionOutline& outline);

void fill_session(const CapturedSession& given,
                  const harness::SessionOutline& outline,
                  const CapturePlace& place,
                  SpoolRecord& record,
                  IntakeCounts& counts);

}  // namespace daybook::capture
