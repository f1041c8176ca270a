// SPDX-License-Identifier: MIT
//
// Texts -> postings: for each word the rows and places it stands in, in the very bytes of FTS5's
// doclists. FTS5's own gathering waits for memory at nearly every word; here words are taken by the
// batch, and what each will need is fetched ahead. Row ids must grow. One thread. Cannot fail for
// want of anything but memory.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/fts5.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::index {

class Postings {
 public:
  static Result<Postings> make();

  using Columns = std::array<std::string_view, 2>;
  /// Ids from 1 to 2^32 - 1.
  Result<void> add_row(std::int64_t id, const Columns& columns);

  /// Calls `visit(word, doclist)` for each word in the order of their bytes, and forgets all.
  template <typename Visitor>
  Result<void> drain(Visitor&& visit) {
    close_all();
    for (const Word* word : sorted()) {
      TRY(visit(std::string_view(word->text), word->doclist.view()));
    }
    clear();
    return {};
  }

  /// Of all rows since the beginning.
  struct Counts {
    std::uint64_t rows = 0;
    std::array<std::uint64_t, 2> words{};  // in each column
  };
  const Counts& counts() const { return counts_; }

  bool is_empty() const { return count_ == 0; }
  /// About so many bytes are held.
  std::size_t memory() const;

 private:
  /// A growing run of bytes; std::string without what it would cost here.
  class Bytes {
   public:
    std::string_view view() const { return {data_.get(), size_}; }
    char* at(std::size_t place) { return data_.get() + place; }
    std::uint32_t size() const { return size_; }
    /// Room for a few numbers; they are then written without asking again.
    void make_room();
    void put(char byte) { data_[size_++] = byte; }
    void put_number(std::uint64_t number);
    /// Makes the byte at `place` two or more.
    void widen(std::size_t place, std::string_view bytes);

   private:
    void grow(std::size_t capacity);
    std::unique_ptr<char[]> data_;  // NOLINT: a vector is half as large again
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0;
  };
  /// One line of the cache.
  struct alignas(64) Word {
    std::string text;
    Bytes doclist;
    std::uint32_t row = 0;         // the last one; 0: none
    std::uint32_t size_place = 0;  // where the size of its places stands
    std::uint32_t position = 0;    // the last one
    std::uint32_t column = 0;
  };
  static_assert(sizeof(Word) == 64);
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // of the word, plus 1; 0: free
  };
  /// A word of the text that waits to be filed.
  struct Pending {
    std::uint32_t begin = 0;  // in folded_
    std::uint32_t size = 0;
    std::uint32_t hash = 0;
    std::uint32_t position = 0;
  };

  explicit Postings(store::WordSplitter splitter);

  Result<void> add_column(std::string_view text);
  Result<void> add_foreign(std::string_view run);
  void take(std::string_view word);
  void file_batch();
  Word& word_at(std::size_t number) { return blocks_[number / kBlock][number % kBlock]; }
  Word& new_word();
  Word& word_for(const Pending& pending);
  void file(Word& word, std::uint32_t position);
  void grow_table();
  static void close_row(Word& word);
  void close_all();
  std::vector<const Word*> sorted();
  void clear();

  store::WordSplitter splitter_;
  std::uint64_t key_;  // so that no text can be made whose words all share a slot
  std::vector<Slot> table_;
  static constexpr std::size_t kBlock = 4096;
  std::vector<std::vector<Word>> blocks_;  // of kBlock words each, which stay where they are
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;  // of texts and doclists
  std::vector<Pending> batch_;
  std::string folded_;  // the batch's words
  std::uint32_t row_ = 0;
  std::uint32_t column_ = 0;
  std::uint32_t position_ = 0;
  Counts counts_;
};

/// As SQLite writes numbers: seven bits a byte, the highest first.
void append_varint(std::string& bytes, std::uint64_t number);

}  // namespace daybook::index
