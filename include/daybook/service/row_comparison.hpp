// SPDX-License-Identifier: MIT
//
// A file on the disk against its row in the index: by stat, and by the hash of all its bytes. Reads
// through the caller's FileReader; keeps nothing.
#pragma once

#include "daybook/base/sha256.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/scan/file_reader.hpp"

#include <optional>

namespace daybook::service {

bool has_same_stat(const index::FileRow& row, const base::FileStat& stat);

/// What FileRow::source_sha256 would be of the file that was just opened; nothing when it cannot be
/// read to its end.
std::optional<base::Digest> seal_of_rest(scan::FileReader& reader,
                                         const scan::FileReader::Opened& opened);

}  // namespace daybook::service
