// SPDX-License-Identifier: MIT
//
// The files of one session -> its row: of each kind the newest file that counts; sentence, project
// and times from the summary, else the compaction, else the transcript, else (times only) the
// manifest. Pure.
#pragma once

#include "daybook/index/rows.hpp"

#include <optional>
#include <span>

namespace daybook::index {

/// Nothing when no file of the session counts.
std::optional<SessionRow> session_row(std::span<const FileRow* const> files);

}  // namespace daybook::index
