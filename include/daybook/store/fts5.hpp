// SPDX-License-Identifier: MIT
//
// What FTS5 knows and SQL does not ask for: its own division of text into words, and how often each
// phrase of a query stands in a row. Text -> words; connection -> one more SQL function. One
// WordSplitter belongs to one thread. Failure leaves nothing behind.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/store/database.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>

namespace daybook::store {

/// What `tokenize=` of every full-text table says; WordSplitter divides in the same way.
inline constexpr const char* kWordRules = "unicode61 remove_diacritics 2";

/// FTS5's tokenizer itself, so that no second opinion on what a word is can differ from its own.
class WordSplitter {
 public:
  static Result<WordSplitter> make();
  WordSplitter(WordSplitter&&) noexcept;
  WordSplitter& operator=(WordSplitter&&) noexcept;
  ~WordSplitter();

  /// Calls `visit(word, begin, end)` for each word in its order: the word folded as the full text
  /// holds it, and the bytes of `text` that it stands in. The view lives until the visit ends.
  /// `visit` may return Visit::stop. False when memory ran out. Texts below 2 GiB.
  template <typename Visitor>
  bool each(std::string_view text, Visitor&& visit) {
    const auto hand_on =
        [](void* context, std::string_view word, std::size_t from, std::size_t to) {
          auto& visitor = *static_cast<std::remove_reference_t<Visitor>*>(context);
          if constexpr (std::is_void_v<decltype(visitor(word, from, to))>) {
            visitor(word, from, to);
            return Visit::next;
          } else {
            return visitor(word, from, to);
          }
        };
    return split(text, const_cast<void*>(static_cast<const void*>(&visit)), hand_on);
  }

 private:
  using HandOn = Visit (*)(void*, std::string_view word, std::size_t begin, std::size_t end);
  struct Tokenizer;
  explicit WordSplitter(std::unique_ptr<Tokenizer> tokenizer);
  bool split(std::string_view text, void* context, HandOn hand_on);

  std::unique_ptr<Tokenizer> tokenizer_;
};

/// Gives the connection a function for queries with MATCH, `phrase_counts(t)`, t being the table.
/// It answers with a blob of native 32-bit numbers, phrases in the order of the expression: how
/// often each phrase is in each column of this row, phrase by phrase; and behind them, in the first
/// row of a query only, how many rows of the table hold each phrase.
Result<void> add_phrase_counts(Database& database);

}  // namespace daybook::store
