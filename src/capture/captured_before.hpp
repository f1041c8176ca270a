// SPDX-License-Identifier: MIT
//
// The files of a session in the vault -> which manifest is its own, and whether a capture stands
// there already: what a capture asks when no receipt knows of it. Called by the holder of the
// session's locks. What cannot be read is an error, never an absence.
#pragma once

#include "capture/capture_finish.hpp"
#include "capture/session_names.hpp"
#include "daybook/base/result.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/capture/spool.hpp"

#include <optional>
#include <string>

namespace daybook::capture {

/// Whether all files that a result speaks of are there.
Result<bool> are_there(const FinishPlace& place, const CaptureResult& result);

/// The manifest of this very session, workspace-relative: another one may bear the token of its
/// session id. Empty: there is none.
Result<std::string> own_manifest(const FinishPlace& place,
                                 const lineage::SessionFields& session,
                                 const SessionNames& names);

/// The first result of such a capture, as the vault tells it; its manifest is made again if it is
/// missing.
Result<std::optional<CaptureResult>> captured_before(const FinishPlace& place,
                                                     const SpoolRecord& record,
                                                     const SessionNames& names);

}  // namespace daybook::capture
