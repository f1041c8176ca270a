// SPDX-License-Identifier: MIT
#include "daybook/service/note_text.hpp"

#include "daybook/base/utf8.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <utility>

namespace daybook::service {
namespace {

using Opened = scan::FileReader::Opened;

/// By its hash where the whole file is at hand: a touched file is the same file. A large one is
/// trusted by stat.
NoteState state_of(const index::FileRow& row, const Opened& opened) {
  bool same = row.size == opened.stat.size && row.mtime_ns == opened.stat.mtime_ns &&
              row.ctime_ns == opened.stat.ctime_ns && row.inode == opened.stat.inode;
  if (opened.complete && row.source_sha256) {
    same = lineage::file_seal(opened.first_piece) == *row.source_sha256;
  }
  return same ? NoteState::as_indexed : NoteState::changed;
}

enum class Rest : std::uint8_t { none, more };

/// Pieces of a text as they may be shown: as they are, or redacted. What the sanitizer still holds
/// back comes with a later piece, so none ends within a secret.
class ShownText {
 public:
  explicit ShownText(const redact::Policy* redaction) {
    if (redaction != nullptr) {
      sanitizer_.emplace(*redaction);
    }
  }

  /// The view lives until the next call.
  std::string_view shown(std::string_view piece, Rest rest) {
    if (!sanitizer_) {
      return piece;
    }
    clean_.clear();
    sanitizer_->feed(piece, clean_);
    if (rest == Rest::none) {
      sanitizer_->finish(clean_);
    }
    return clean_;
  }

 private:
  std::optional<redact::Sanitizer> sanitizer_;
  std::string clean_;
};

}  // namespace

NoteReader::NoteReader(std::unique_ptr<base::Folder> root)
    : root_(std::move(root)), reader_(std::make_unique<scan::FileReader>(*root_)) {}

Result<NoteReader> NoteReader::open(base::Disk& disk, const std::string& workspace) {
  TRY_ASSIGN(auto root, disk.open_root(workspace));
  return NoteReader(std::move(root));
}

Result<Opened> NoteReader::open_file(const index::FileRow& row) {
  TRY_ASSIGN(auto opened, reader_->open(row.folder, row.name, scan::kLargestTranscript));
  if (opened.too_large) {
    return Error{ErrorKind::io, "the file is too large to be read", row.path(), {}};
  }
  return opened;
}

Result<NoteText> NoteReader::read(const index::FileRow& row) {
  TRY_ASSIGN(const Opened opened, open_file(row));
  NoteText text;
  text.state = state_of(row, opened);
  text.body = parse::split_file(opened.first_piece).body;
  bool more = !opened.complete;
  while (more && text.body.size() <= kMostShown) {
    TRY_ASSIGN(const auto piece, reader_->next_piece());
    text.body.append(piece);
    more = !piece.empty();
  }
  text.cut = text.body.size() > kMostShown;
  if (text.cut) {
    text.body.resize(base::character_begin(text.body, kMostShown));
  }
  return text;
}

bool NoteReader::is_as_indexed(const index::FileRow& row) {
  const auto opened = open_file(row);
  return opened && state_of(row, *opened) == NoteState::as_indexed;
}

Result<std::optional<index::Snippet>> NoteReader::snippet(
    const index::FileRow& row,
    const std::vector<index::SearchTerm>& terms,
    std::size_t width,
    const redact::Policy* redaction) {
  const auto opened = open_file(row);
  if (!opened || state_of(row, *opened) == NoteState::changed) {
    return std::optional<index::Snippet>();
  }
  if (!splitter_) {
    TRY_ASSIGN(splitter_, store::WordSplitter::make());
  }
  const auto around = [&](std::string_view text) {
    return index::make_snippet(*splitter_, text, terms, width);
  };
  ShownText body(redaction);
  TRY_ASSIGN(auto first,
             around(body.shown(parse::split_file(opened->first_piece).body,
                               opened->complete ? Rest::none : Rest::more)));
  if (!first.ranges.empty()) {
    return std::optional(std::move(first));
  }
  ShownText shown_sentence(redaction);
  TRY_ASSIGN(auto sentence, around(shown_sentence.shown(row.shown_sentence(), Rest::none)));
  if (!sentence.ranges.empty()) {
    return std::optional(std::move(sentence));
  }
  // Piece by piece, so that a match far back costs time but no memory.
  for (std::size_t seen = opened->first_piece.size();
       !opened->complete && seen < index::kTextLimit;) {
    const auto piece = reader_->next_piece();
    const bool ends = !piece || piece->empty();
    seen += ends ? 0 : piece->size();
    TRY_ASSIGN(auto later,
               around(ends ? body.shown({}, Rest::none) : body.shown(*piece, Rest::more)));
    if (!later.ranges.empty()) {
      later.cut_before = true;
      return std::optional(std::move(later));
    }
    if (ends) {
      break;
    }
  }
  return std::optional(std::move(first));
}

}  // namespace daybook::service
