// SPDX-License-Identifier: MIT
#include "index/full_text_postings.hpp"

#include "daybook/base/keyed_hash.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace daybook::index {
namespace {

constexpr std::size_t kBatch = 64;
constexpr std::size_t kFirstSlots = 1U << 12U;
/// FTS5 cuts words there, both when it writes and when it looks for them.
constexpr std::size_t kLongestWord = 32768;

/// What unicode61 makes of each byte: 0 ends a word, `kForeign` needs its own judgement, anything
/// else belongs to a word and is this when folded.
constexpr std::uint8_t kForeign = 1;
constexpr std::array<std::uint8_t, 256> kFold = [] {
  std::array<std::uint8_t, 256> fold{};
  for (std::size_t c = 0; c < fold.size(); ++c) {
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')) {
      fold[c] = static_cast<std::uint8_t>(c);
    } else if (c >= 'A' && c <= 'Z') {
      fold[c] = static_cast<std::uint8_t>(c - 'A' + 'a');
    } else if (c >= 0x80) {
      fold[c] = kForeign;
    }
  }
  return fold;
}();

std::uint8_t fold_of(char c) { return kFold[static_cast<unsigned char>(c)]; }

/// The first eight bytes as a number that sorts as they do.
std::uint64_t sort_key(std::string_view text) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < sizeof key; ++i) {
    key = key << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  }
  return key;
}

}  // namespace

void Postings::Bytes::make_room() {
  constexpr std::size_t kRoom = 24;  // three numbers, a size and a mark
  if (capacity_ - size_ < kRoom) {
    grow(std::max<std::size_t>(capacity_ * std::size_t{2}, size_ + kRoom));
  }
}

void Postings::Bytes::grow(std::size_t capacity) {
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);  // NOLINT: as above
  if (size_ != 0) {
    std::memcpy(larger.get(), data_.get(), size_);
  }
  data_ = std::move(larger);
  capacity_ = static_cast<std::uint32_t>(capacity);
}

void Postings::Bytes::put_number(std::uint64_t number) {
  if (number < 0x80U) {
    put(static_cast<char>(number));
  } else if (number < 0x4000U) {
    put(static_cast<char>(number >> 7U | 0x80U));
    put(static_cast<char>(number & 0x7FU));
  } else {
    std::string digits;
    append_varint(digits, number);
    std::for_each(digits.begin(), digits.end(), [this](char digit) { put(digit); });
  }
}

void Postings::Bytes::widen(std::size_t place, std::string_view bytes) {
  make_room();
  std::memmove(at(place + bytes.size()), at(place + 1), size_ - place - 1);
  std::memcpy(at(place), bytes.data(), bytes.size());
  size_ += static_cast<std::uint32_t>(bytes.size() - 1);
}

void append_varint(std::string& bytes, std::uint64_t number) {
  if (number < 0x80U) {
    bytes.push_back(static_cast<char>(number));
    return;
  }
  // Beyond 56 bits SQLite's form differs, and no number here comes near.
  unsigned shift = 7;
  while (number >> shift >= 0x80U) {
    shift += 7;
  }
  for (; shift > 0; shift -= 7) {
    bytes.push_back(static_cast<char>((number >> shift & 0x7FU) | 0x80U));
  }
  bytes.push_back(static_cast<char>(number & 0x7FU));
}

Postings::Postings(store::WordSplitter splitter)
    : splitter_(std::move(splitter)), key_(base::random_number()), table_(kFirstSlots) {
  batch_.reserve(kBatch);
}

Result<Postings> Postings::make() {
  TRY_ASSIGN(auto splitter, store::WordSplitter::make());
  return Postings(std::move(splitter));
}

std::size_t Postings::memory() const {
  // Doclists have grown by doubling: half as much again is not used.
  return table_.size() * sizeof(Slot) + count_ * sizeof(Word) + bytes_ + bytes_ / 2;
}

Result<void> Postings::add_row(std::int64_t id, const Columns& columns) {
  row_ = static_cast<std::uint32_t>(id);
  ++counts_.rows;
  for (column_ = 0; column_ < columns.size(); ++column_) {
    position_ = 0;
    TRY(add_column(columns[column_]));
    file_batch();
    counts_.words[column_] += position_;
  }
  return {};
}

/// Runs of ASCII letters and digits are words. A run with other letters in it goes to FTS5, from
/// one ASCII separator to the next: what stands between two of them is judged by itself there, too.
Result<void> Postings::add_column(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (fold_of(text[at]) == 0) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    bool foreign = false;
    for (; at < text.size() && fold_of(text[at]) != 0; ++at) {
      foreign |= fold_of(text[at]) == kForeign;
    }
    const std::string_view run = text.substr(begin, at - begin);
    if (foreign) {
      TRY(add_foreign(run));
      continue;
    }
    const std::size_t start = folded_.size();
    folded_.resize(start + run.size());
    std::transform(
        run.begin(), run.end(), folded_.begin() + static_cast<std::ptrdiff_t>(start), [](char c) {
          return static_cast<char>(fold_of(c));
        });
    take(std::string_view(folded_).substr(start));
  }
  return {};
}

Result<void> Postings::add_foreign(std::string_view run) {
  const bool split = splitter_.each(run, [this](std::string_view word, std::size_t, std::size_t) {
    const std::size_t start = folded_.size();
    folded_.append(word);
    take(std::string_view(folded_).substr(start));
  });
  if (!split) {
    return Error{ErrorKind::io, "no memory to divide a text into words", {}, {}};
  }
  return {};
}

/// The word stands at the end of folded_ already.
void Postings::take(std::string_view word) {
  const std::size_t size = std::min(word.size(), kLongestWord);
  const auto begin = static_cast<std::uint32_t>(folded_.size() - word.size());
  const auto hash = static_cast<std::uint32_t>(base::keyed_hash(word.substr(0, size), key_));
  batch_.push_back({begin, static_cast<std::uint32_t>(size), hash, position_++});
  if (batch_.size() == kBatch) {
    file_batch();
  }
}

/// Four sweeps: ask for the slots, for the words, for the ends of their doclists; file. Each finds
/// in the cache what the one before has asked for.
void Postings::file_batch() {
  if ((count_ + kBatch) * 2 > table_.size()) {
    grow_table();
  }
  const std::size_t mask = table_.size() - 1;
  for (const Pending& pending : batch_) {
    __builtin_prefetch(&table_[pending.hash & mask]);
  }
  std::array<Word*, kBatch> likely{};
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const Slot& slot = table_[batch_[i].hash & mask];
    if (slot.number != 0) {
      likely[i] = &word_at(slot.number - 1);
      __builtin_prefetch(likely[i]);
    }
  }
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    if (likely[i] != nullptr) {
      __builtin_prefetch(likely[i]->doclist.at(likely[i]->size_place));
      __builtin_prefetch(likely[i]->doclist.at(likely[i]->doclist.size()));
    }
  }
  for (const Pending& pending : batch_) {
    file(word_for(pending), pending.position);
  }
  batch_.clear();
  folded_.clear();
}

Postings::Word& Postings::new_word() {
  if (count_ == blocks_.size() * kBlock) {
    blocks_.emplace_back(kBlock);
  }
  return word_at(count_++);
}

Postings::Word& Postings::word_for(const Pending& pending) {
  const std::string_view text(folded_.data() + pending.begin, pending.size);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = pending.hash & mask;; at = (at + 1) & mask) {
    Slot& slot = table_[at];
    if (slot.number == 0) {
      Word& word = new_word();
      word.text = text;
      bytes_ += text.size();
      slot = {pending.hash, static_cast<std::uint32_t>(count_)};
      return word;
    }
    if (slot.hash == pending.hash && word_at(slot.number - 1).text == text) {
      return word_at(slot.number - 1);
    }
  }
}

/// A doclist: row ids as differences, each followed by the size of its places doubled, and by the
/// places: differences plus 2, a column but the first announced by 1 and its number.
void Postings::file(Word& word, std::uint32_t position) {
  Bytes& doclist = word.doclist;
  const std::uint32_t before = doclist.size();
  if (word.row != row_) {
    close_row(word);
    doclist.make_room();
    doclist.put_number(row_ - word.row);
    word.size_place = doclist.size();
    doclist.put('\0');
    word.row = row_;
    word.column = 0;
    word.position = 0;
  } else {
    doclist.make_room();
  }
  if (word.column != column_) {
    doclist.put('\x01');
    doclist.put_number(column_);
    word.column = column_;
    word.position = 0;
  }
  doclist.put_number(position - word.position + 2);
  word.position = position;
  bytes_ += doclist.size() - before;
}

/// Puts in the size, for which one byte is kept free: more are seldom needed.
void Postings::close_row(Word& word) {
  if (word.row == 0) {
    return;
  }
  const std::size_t size = word.doclist.size() - word.size_place - 1;
  if (size * 2 < 0x80U) {
    *word.doclist.at(word.size_place) = static_cast<char>(size * 2);
    return;
  }
  std::string number;
  append_varint(number, size * 2);
  word.doclist.widen(word.size_place, number);
}

void Postings::close_all() {
  for (std::size_t i = 0; i < count_; ++i) {
    close_row(word_at(i));
  }
}

void Postings::grow_table() {
  std::size_t slots = table_.size();
  while ((count_ + kBatch) * 2 > slots) {
    slots *= 2;
  }
  std::vector<Slot> larger(slots);
  for (const Slot& slot : table_) {
    if (slot.number == 0) {
      continue;
    }
    std::size_t at = slot.hash & (slots - 1);
    while (larger[at].number != 0) {
      at = (at + 1) & (slots - 1);
    }
    larger[at] = slot;
  }
  table_ = std::move(larger);
}

std::vector<const Postings::Word*> Postings::sorted() {
  std::vector<std::pair<std::uint64_t, const Word*>> keyed;
  keyed.reserve(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    keyed.emplace_back(sort_key(word_at(i).text), &word_at(i));
  }
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second->text < b.second->text;
  });
  std::vector<const Word*> all;
  all.reserve(count_);
  for (const auto& [key, word] : keyed) {
    all.push_back(word);
  }
  return all;
}

void Postings::clear() {
  blocks_.clear();
  count_ = 0;
  bytes_ = 0;
  std::fill(table_.begin(), table_.end(), Slot{});
}

}  // namespace daybook::index
