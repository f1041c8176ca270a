// SPDX-License-Identifier: MIT
#include "daybook/lineage/body_hash.hpp"

#include <algorithm>
#include <array>

namespace daybook::lineage {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kBlanksAndLineEnds = " \t\r\n";
constexpr std::string_view kBom = "\xEF\xBB\xBF";

/// Length of the text without the given characters at its end.
std::size_t trimmed_size(std::string_view text, std::string_view characters) {
  const std::size_t last = text.find_last_not_of(characters);
  return last == std::string_view::npos ? 0 : last + 1;
}

void feed_newlines(base::Sha256& sha, std::uint64_t count) {
  static constexpr std::array<char, 64> kNewlines = [] {
    std::array<char, 64> newlines{};
    newlines.fill('\n');
    return newlines;
  }();
  while (count > 0) {
    const std::uint64_t step = std::min<std::uint64_t>(count, kNewlines.size());
    sha.update({kNewlines.data(), static_cast<std::size_t>(step)});
    count -= step;
  }
}

}  // namespace

void BodyHasher::text(std::string_view run) {
  if (run.empty()) {
    return;
  }
  if (blanks_since_mark_) {
    blanks_since_mark_ = false;  // the blanks stand within a line after all
  } else {
    feed_newlines(sha_, pending_newlines_);
  }
  pending_newlines_ = 0;
  sha_.update(run);
}

/// Blanks at the end of a piece: whether they end a line is known only with the next piece. They
/// are fed on approval, because keeping them aside would need as much memory as there are blanks.
void BodyHasher::blanks(std::string_view run) {
  if (run.empty()) {
    return;
  }
  if (!blanks_since_mark_) {
    sha_.mark();
    blanks_since_mark_ = true;
    feed_newlines(sha_, pending_newlines_);
  }
  sha_.update(run);
}

void BodyHasher::end_line() {
  if (blanks_since_mark_) {
    sha_.return_to_mark();
    blanks_since_mark_ = false;
  }
  ++pending_newlines_;
}

void BodyHasher::update(std::string_view piece) {
  const base::TextTraits traits = base::survey_text(piece);
  if (!traits.has_carriage_return && !traits.has_blank_at_line_end && !after_cr_) {
    // Clean: all but the very end is hashed where it lies. (A line end at the start of the piece
    // may still have to take back blanks of the piece before, hence the first condition.)
    if (!blanks_since_mark_ || piece.empty() || piece.front() != '\n') {
      const std::size_t core = trimmed_size(piece, kBlanksAndLineEnds);
      text(piece.substr(0, core));
      piece.remove_prefix(core);
    }
  }
  while (!piece.empty()) {
    if (after_cr_) {
      after_cr_ = false;
      if (piece.front() == '\n') {
        piece.remove_prefix(1);
        continue;
      }
    }
    const std::size_t line_size = std::min(base::find_line_end(piece), piece.size());
    const std::string_view line = piece.substr(0, line_size);
    const std::size_t core = trimmed_size(line, kBlanks);
    text(line.substr(0, core));
    if (line_size == piece.size()) {
      blanks(line.substr(core));
      return;
    }
    end_line();
    after_cr_ = piece[line_size] == '\r';
    piece.remove_prefix(line_size + 1);
  }
}

base::Digest BodyHasher::finish() {
  if (blanks_since_mark_) {
    sha_.return_to_mark();
  }
  pending_newlines_ = 0;
  blanks_since_mark_ = false;
  after_cr_ = false;
  return sha_.finish();
}

base::Digest body_hash(std::string_view body) { return body_hash(body, base::survey_text(body)); }

base::Digest body_hash(std::string_view body, const base::TextTraits& traits) {
  if (!traits.has_carriage_return && !traits.has_blank_at_line_end) {
    // Clean but for its end: hashed where it lies.
    return base::sha256(body.substr(0, trimmed_size(body, kBlanksAndLineEnds)));
  }
  thread_local BodyHasher hasher;
  hasher.update(body);
  return hasher.finish();
}

void FileSealer::update(std::string_view piece) {
  while (bom_bytes_seen_ < kBom.size() && !piece.empty()) {
    if (piece.front() != kBom[bom_bytes_seen_]) {
      feed(kBom.substr(0, bom_bytes_seen_));  // began like a BOM, was none
      bom_bytes_seen_ = kBom.size();
      break;
    }
    ++bom_bytes_seen_;
    piece.remove_prefix(1);
  }
  feed(piece);
}

void FileSealer::feed(std::string_view piece) {
  while (!piece.empty()) {
    if (after_cr_) {
      after_cr_ = false;
      if (piece.front() == '\n') {
        piece.remove_prefix(1);
        continue;
      }
    }
    const std::size_t size = std::min(piece.find('\r'), piece.size());
    sha_.update(piece.substr(0, size));
    if (size == piece.size()) {
      return;
    }
    sha_.update("\n");
    after_cr_ = true;
    piece.remove_prefix(size + 1);
  }
}

base::Digest FileSealer::finish() {
  if (bom_bytes_seen_ < kBom.size()) {
    feed(kBom.substr(0, bom_bytes_seen_));
  }
  bom_bytes_seen_ = 0;
  after_cr_ = false;
  return sha_.finish();
}

base::Digest file_seal(std::string_view file) { return file_seal(file, base::survey_text(file)); }

base::Digest file_seal(std::string_view file, const base::TextTraits& traits) {
  if (!traits.has_carriage_return) {
    return base::sha256(file.starts_with(kBom) ? file.substr(kBom.size()) : file);
  }
  thread_local FileSealer sealer;
  sealer.update(file);
  return sealer.finish();
}

std::uint64_t normalized_size(std::string_view body, std::uint64_t enough) {
  std::uint64_t size = 0;      // up to the last character that is no blank at a line's end
  std::uint64_t newlines = 0;  // since then
  std::uint64_t blanks = 0;    // on this line, since then
  for (std::size_t i = 0; i < body.size() && size < enough; ++i) {
    const char c = body[i];
    if (c == '\r' || c == '\n') {
      i += c == '\r' && i + 1 < body.size() && body[i + 1] == '\n' ? 1U : 0U;
      ++newlines;
      blanks = 0;
    } else if (c == ' ' || c == '\t') {
      ++blanks;
    } else {
      size += newlines + blanks + 1;
      newlines = blanks = 0;
    }
  }
  return size;
}

}  // namespace daybook::lineage
