// SPDX-License-Identifier: MIT
#include "daybook/service/row_comparison.hpp"

#include "daybook/lineage/body_hash.hpp"

namespace daybook::service {

bool has_same_stat(const index::FileRow& row, const base::FileStat& stat) {
  return row.size == stat.size && row.mtime_ns == stat.mtime_ns && row.ctime_ns == stat.ctime_ns &&
         row.inode == stat.inode;
}

std::optional<base::Digest> seal_of_rest(scan::FileReader& reader,
                                         const scan::FileReader::Opened& opened) {
  lineage::FileSealer sealer;
  sealer.update(opened.first_piece);
  while (!opened.complete) {
    const auto piece = reader.next_piece();
    if (!piece) {
      return std::nullopt;
    }
    if (piece->empty()) {
      break;
    }
    sealer.update(*piece);
  }
  return sealer.finish();
}

}  // namespace daybook::service
