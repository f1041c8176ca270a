// SPDX-License-Identifier: MIT
//
// A row -> the text of its file as it is now, and whether it still is the file that the row speaks
// of. Text is never taken from the index, so that nobody is shown what the vault no longer says.
// One NoteReader belongs to one thread. A file that is gone or cannot be read is an Error.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/rows.hpp"
#include "daybook/index/snippet.hpp"
#include "daybook/redact/sanitizer.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/store/fts5.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daybook::service {

/// As much of a body is shown; a transcript may be a gigabyte.
inline constexpr std::size_t kMostShown = std::size_t{16} << 20U;

enum class NoteState : std::uint8_t {
  as_indexed,
  changed,  ///< since it was indexed: nothing that the index says of it may be shown beside it
};

struct NoteText {
  NoteState state = NoteState::as_indexed;
  std::string body;
  bool cut = false;  ///< there is more than kMostShown
};

class NoteReader {
 public:
  static Result<NoteReader> open(base::Disk& disk, const std::string& workspace);

  Result<NoteText> read(const index::FileRow& row);

  /// Whether the file is there and says what was indexed. Reads no more of it than its first piece.
  bool is_as_indexed(const index::FileRow& row);

  /// One line of the body around the terms; of the sentence when they stand only there. Nothing
  /// when the file has changed since it was indexed, or is gone. With a `redaction` the line is cut
  /// from the redacted text: what is left of a secret that was cut first is known by nobody.
  Result<std::optional<index::Snippet>> snippet(const index::FileRow& row,
                                                const std::vector<index::SearchTerm>& terms,
                                                std::size_t width,
                                                const redact::Policy* redaction = nullptr);

 private:
  explicit NoteReader(std::unique_ptr<base::Folder> root);
  Result<scan::FileReader::Opened> open_file(const index::FileRow& row);

  std::unique_ptr<base::Folder> root_;
  std::unique_ptr<scan::FileReader> reader_;
  std::optional<store::WordSplitter> splitter_;  // made with the first snippet
};

}  // namespace daybook::service
