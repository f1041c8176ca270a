// SPDX-License-Identifier: MIT
//
// daybook.yaml -> what notes of something learned are held against when they are read: the
// operator's literals. The file is configuration: the index remembers the mark of what its rows
// were made with, and all notes of something learned are read again when it differs. A file that is
// named and cannot be read is no failure of a pass; but then nobody knows what must not be shown,
// so every such note has a finding until it can be read. Immutable once made; any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/parse/config.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace daybook::capture {

struct LearningGuard {
  std::vector<std::string> literals;
  std::string problem;  ///< why they are not known; empty: they are

  /// Of the literals and of the rules themselves; says nothing to who does not know the key.
  std::string mark(std::uint64_t key) const;
};

LearningGuard read_learning_guard(base::Disk& disk,
                                  const std::string& workspace,
                                  const parse::Config& config);

}  // namespace daybook::capture
