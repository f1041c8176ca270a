// SPDX-License-Identifier: MIT
#include "index/full_text_segment.hpp"

#include <algorithm>
#include <utility>

namespace daybook::index {
namespace {

/// As FTS5 has it by default: so many bytes of a leaf are aimed at.
constexpr std::size_t kLeafSize = 4050;
constexpr std::size_t kLeafHeader = 4;
constexpr unsigned kSegmentShift =
    37;  // leaf n of a segment is row segment << 37 | n of `words_data`
constexpr std::int64_t kAveragesRow = 1;
constexpr std::int64_t kStructureRow = 10;
constexpr std::int64_t kFormat = 4;
/// Every word is in the main index, not in one of prefixes.
constexpr char kMainIndex = '0';
/// Segments lie so high that those which come by later changes are not merged with them for long.
constexpr std::uint64_t kLevel = 4;
/// So many bytes of postings are gathered: most months at once, and two months can be built side
/// by side within 150 MB.
constexpr std::size_t kGathered = std::size_t{32} << 20U;

std::size_t varint_size(std::string_view bytes) {
  std::size_t size = 1;
  while (size < bytes.size() && (static_cast<unsigned char>(bytes[size - 1]) & 0x80U) != 0) {
    ++size;
  }
  return size;
}

std::uint64_t read_varint(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char digit : bytes.substr(0, varint_size(bytes))) {
    number = number << 7U | (static_cast<unsigned char>(digit) & 0x7FU);
  }
  return number;
}

void put_16_bits(std::string& bytes, std::size_t place, std::size_t number) {
  bytes[place] = static_cast<char>(number >> 8U & 0xFFU);
  bytes[place + 1] = static_cast<char>(number & 0xFFU);
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(size), b.begin()).first -
      a.begin());
}

/// The longest piece of whole numbers that fits.
std::size_t whole_numbers(std::string_view places, std::size_t room) {
  std::size_t size = varint_size(places);
  while (size < places.size()) {
    const std::size_t next = size + varint_size(places.substr(size));
    if (next > room) {
      break;
    }
    size = next;
  }
  return size;
}

}  // namespace

SegmentWriter::SegmentWriter(store::Statement put_leaf,
                             store::Statement put_term,
                             std::int64_t segment)
    : put_leaf_(std::move(put_leaf)),
      put_term_(std::move(put_term)),
      segment_(segment),
      leaf_(kLeafHeader, '\0') {}

Result<SegmentWriter> SegmentWriter::make(store::Database& database, std::int64_t segment) {
  TRY_ASSIGN(auto put_leaf, database.prepare("INSERT INTO words_data(id, block) VALUES(?, ?)"));
  TRY_ASSIGN(auto put_term,
             database.prepare("INSERT INTO words_idx(segid, term, pgno) VALUES(?, ?, ?)"));
  return SegmentWriter(std::move(put_leaf), std::move(put_term), segment);
}

Result<void> SegmentWriter::begin_word(std::string_view key) {
  if (used() + key.size() + 2 >= kLeafSize && leaf_.size() > kLeafHeader) {
    TRY(flush_leaf());
  }
  append_varint(term_places_, leaf_.size() - last_term_place_);
  last_term_place_ = leaf_.size();
  std::size_t shared = shared_prefix(last_key_, key);
  if (has_term_) {
    append_varint(leaf_, shared);
  } else {
    if (leaf_number_ > 1) {
      // The shortest key that is above all before it.
      TRY(flush_term());
      separator_ = key.substr(0, shared + 1);
      separated_leaf_ = leaf_number_;
    }
    shared = 0;
  }
  append_varint(leaf_, key.size() - shared);
  leaf_.append(key.substr(shared));
  last_key_ = key;
  has_term_ = true;
  has_row_ = true;  // a row that follows its term needs no pointer
  return {};
}

Result<void> SegmentWriter::add(std::string_view word, std::string_view doclist) {
  TRY(begin_word(std::string(1, kMainIndex).append(word)));
  if (used() + doclist.size() + 1 <= kLeafSize) {
    leaf_.append(doclist);
    return {};
  }
  std::uint64_t row = 0;
  while (!doclist.empty()) {
    const std::uint64_t step = read_varint(doclist);
    doclist.remove_prefix(varint_size(doclist));
    row += step;
    if (has_row_) {
      append_varint(leaf_, step);
    } else {
      // The first row that begins on a leaf is there in full, and the header tells where.
      put_16_bits(leaf_, 0, leaf_.size());
      append_varint(leaf_, row);
      has_row_ = true;
    }
    const std::size_t size = varint_size(doclist) + read_varint(doclist) / 2;
    TRY(add_places(doclist.substr(0, size)));
    doclist.remove_prefix(size);
  }
  return {};
}

/// Places may go on on the next leaf, but no number is cut.
Result<void> SegmentWriter::add_places(std::string_view places) {
  if (used() + places.size() <= kLeafSize) {
    leaf_.append(places);
    return {};
  }
  while (!places.empty()) {
    const std::size_t room = kLeafSize - std::min(kLeafSize, used());
    const std::size_t size = places.size() <= room ? places.size() : whole_numbers(places, room);
    leaf_.append(places.substr(0, size));
    places.remove_prefix(size);
    if (used() >= kLeafSize || !places.empty()) {
      TRY(flush_leaf());
    }
  }
  return {};
}

Result<void> SegmentWriter::flush_leaf() {
  put_16_bits(leaf_, 2, leaf_.size());
  leaf_.append(term_places_);
  TRY(put_leaf_.run(segment_ << kSegmentShift | leaf_number_, store::Blob{leaf_}));
  ++leaf_number_;
  leaf_.assign(kLeafHeader, '\0');
  term_places_.clear();
  last_term_place_ = 0;
  has_term_ = false;
  has_row_ = false;
  return {};
}

/// The lowest bit would say that there is an index of the doclist that goes on over many leaves;
/// within a month there is none that needs it.
Result<void> SegmentWriter::flush_term() {
  return put_term_.run(segment_, store::Blob{separator_}, separated_leaf_ * 2);
}

Result<std::int64_t> SegmentWriter::finish() {
  if (leaf_.size() > kLeafHeader) {
    TRY(flush_leaf());
  }
  TRY(flush_term());
  return leaf_number_ - 1;
}

SegmentBuild::SegmentBuild(store::Database& database, Postings postings)
    : database_(&database), postings_(std::move(postings)) {}

Result<std::optional<SegmentBuild>> SegmentBuild::make(store::Database& database) {
  TRY_ASSIGN(const auto format, database.integer("SELECT v FROM words_config WHERE k = 'version'"));
  if (format != kFormat) {
    return std::optional<SegmentBuild>();
  }
  TRY_ASSIGN(auto postings, Postings::make());
  return std::optional(SegmentBuild(database, std::move(postings)));
}

Result<void> SegmentBuild::add_row(std::int64_t id,
                                   std::string_view first,
                                   std::string_view second) {
  TRY(postings_.add_row(id, {first, second}));
  return postings_.memory() < kGathered ? Result<void>() : flush();
}

Result<void> SegmentBuild::flush() {
  if (postings_.is_empty()) {
    return {};
  }
  const auto segment = static_cast<std::int64_t>(leaves_.size()) + 1;
  TRY_ASSIGN(auto writer, SegmentWriter::make(*database_, segment));
  TRY(postings_.drain([&writer](std::string_view word, std::string_view doclist) {
    return writer.add(word, doclist);
  }));
  TRY_ASSIGN(const std::int64_t leaves, writer.finish());
  leaves_.push_back(leaves);
  return {};
}

/// The list of segments by level.
std::string SegmentBuild::structure() const {
  std::uint64_t written = 0;
  for (const std::int64_t leaves : leaves_) {
    written += static_cast<std::uint64_t>(leaves);
  }
  std::string bytes;
  append_varint(bytes, kLevel + 1);
  append_varint(bytes, leaves_.size());
  append_varint(bytes, written);
  for (std::uint64_t level = 0; level <= kLevel; ++level) {
    append_varint(bytes, 0);  // nothing is being merged
    append_varint(bytes, level == kLevel ? leaves_.size() : 0);
  }
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    append_varint(bytes, i + 1);
    append_varint(bytes, 1);
    append_varint(bytes, static_cast<std::uint64_t>(leaves_[i]));
  }
  return bytes;
}

Result<void> SegmentBuild::finish() {
  TRY(flush());
  if (leaves_.empty()) {
    return {};
  }
  std::string averages;
  append_varint(averages, postings_.counts().rows);
  for (const std::uint64_t words : postings_.counts().words) {
    append_varint(averages, words);
  }
  TRY_ASSIGN(auto select, database_->prepare("SELECT block FROM words_data WHERE id = ?"));
  TRY_ASSIGN(auto update, database_->prepare("UPDATE words_data SET block = ? WHERE id = ?"));
  TRY(update.run(store::Blob{averages}, kAveragesRow));
  // The first four bytes are FTS5's mark of its settings.
  std::string whole;
  TRY(select.each([&whole](const store::Row& row) { whole = row.blob(0).substr(0, 4); },
                  kStructureRow));
  whole.append(structure());
  return update.run(store::Blob{whole}, kStructureRow);
}

}  // namespace daybook::index
