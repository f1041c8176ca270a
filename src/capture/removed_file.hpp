// SPDX-License-Identifier: MIT
//
// A file that is to go -> what it is now: whose, of which session, which body. Read once more
// before anything is unlinked, because only what a removal means may go, whatever a tombstone says.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/tombstone_set.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::capture {

struct ReadFile {
  std::string path;
  std::string agent_id;  ///< as its frontmatter says; may be empty
  std::optional<lineage::Kind> kind;
  std::vector<lineage::SessionToken> tokens;  ///< in its name, and of the session it speaks of
  std::optional<std::uint64_t> learning_id;   ///< of a note of something learned
  base::Digest body{};
  std::uint64_t body_size = 0;  ///< normalised, as far as it matters whether it is short
  /// Of something learned, see lineage::said_hashes(); a file of several pieces says too much.
  std::vector<base::Digest> said;
};

/// Nothing when it is not there.
Result<std::optional<ReadFile>> read_file(base::Disk& disk,
                                          const std::string& workspace,
                                          const std::string& path);

/// The sentence of a file and the lines of its body that are long enough to be told again by chance
/// nowhere else; of a large file those at its beginning. Empty when it is not there.
/// Of a note of something learned shorter ones tell, too.
Result<std::vector<std::string>> telling_lines(base::Disk& disk,
                                               const std::string& workspace,
                                               const std::string& path);

/// The words of a note of something learned, as many as MEMORY.md tells for certain.
Result<std::vector<std::string>> telling_words(base::Disk& disk,
                                               const std::string& workspace,
                                               const std::string& path);

/// Whether a line `- [category] content` says these words in their order, whatever is between:
/// MEMORY.md cuts content, makes one line of it and replaces signs that mean something.
bool says_in_order(std::string_view text, const std::vector<std::string>& words);

/// Whether these removals mean this file: by its session, its path or its body.
bool is_meant(const lineage::TombstoneSet& removals, const ReadFile& file);

}  // namespace daybook::capture
