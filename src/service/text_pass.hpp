// SPDX-License-Identifier: MIT
//
// Rows -> full text, behind the ledger: the months that the index pass has marked are brought up to
// date, several at a time. Called by the holder of the pipeline lock; another thread of his may
// write rows meanwhile. A month that is done is unmarked at once, so that a pass that is cut off
// goes on where it stopped.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/service/work_progress.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <string>

namespace daybook::service {

inline constexpr const char* kTextFolder = "text";

struct TextPassReport {
  std::uint64_t months = 0;
  std::uint64_t documents_added = 0;
};

Result<TextPassReport> run_text_pass(base::Disk& disk,
                                     const state::StateFolder& folder,
                                     unsigned threads,
                                     WorkProgress& progress);

}  // namespace daybook::service
