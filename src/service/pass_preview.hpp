// SPDX-License-Identifier: MIT
//
// Vault and index -> what a pass would find by stat. Nothing is read but names and stats, nothing
// is written and no lock is taken. One thread, which surveys with several.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/index_file.hpp"
#include "daybook/scan/fingerprints.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>

namespace daybook::service {

struct PassPreview {
  std::uint64_t scanned = 0;
  scan::Differences differences;
  index::IndexMeta meta;
};

Result<PassPreview> preview_pass(base::Disk& disk,
                                 const state::StateFolder& folder,
                                 unsigned threads);

}  // namespace daybook::service
