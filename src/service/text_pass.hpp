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
#include <vector>

namespace daybook::service {

enum class TextWork : std::uint8_t {
  catch_up,  ///< all months that are marked
  erase,  ///< anew, those in whose files text may be that is not to be found any more; the marked
          ///< ones that have no file yet can wait
};

struct TextPassRequest {
  TextWork work = TextWork::catch_up;
  unsigned threads = 0;
  std::vector<std::int64_t> months;  ///< only those of them that are marked; none: all
};

struct TextPassReport {
  std::uint64_t months = 0;
  std::uint64_t documents_added = 0;
  std::uint64_t left_out =
      0;  ///< documents that had changed since, so that their month stays marked
};

Result<TextPassReport> run_text_pass(base::Disk& disk,
                                     const state::StateFolder& folder,
                                     const TextPassRequest& request,
                                     WorkProgress& progress);

/// Marks the months whose files somebody else has altered, cut, replaced or deleted since they were
/// written, and removes what is there of them. Not while full text is being made.
Result<void> forget_altered_months(const state::StateFolder& folder);

/// Those that are marked, newest first.
Result<std::vector<std::int64_t>> marked_months(const state::StateFolder& folder);

}  // namespace daybook::service
