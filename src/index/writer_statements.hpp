// SPDX-License-Identifier: MIT
//
// What the parts of a Writer share: its statements, the numbers of words that it has met, and how
// values are kept in columns. One thread.
#pragma once

#include "daybook/index/writer.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace daybook::index {

inline std::optional<std::int64_t> ms(const std::optional<lineage::Timestamp>& time) {
  return time ? std::optional(time->ms) : std::nullopt;
}

/// Empty texts are kept as NULL: a byte less each, and "no value" reads the same everywhere.
inline const std::string* text(const std::string& value) {
  return value.empty() ? nullptr : &value;
}

/// Kept where a column says "the same as the other one", as against NULL, "none".
inline const std::string kSame;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

struct Writer::Statements {
  store::Database& database;
  store::Statement add_file;
  store::Statement replace_file;
  store::Statement erase_file;
  store::Statement erase_links;
  store::Statement erase_diagnostics;
  store::Statement put_run;
  store::Statement erase_run;
  store::Statement put_learning;
  store::Statement erase_learning;
  store::Statement put_link;
  store::Statement put_diagnostic;
  store::Statement find_word;
  store::Statement put_word;
  store::Statement files_of_session;
  store::Statement put_session;
  store::Statement erase_session;
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> words;
};

}  // namespace daybook::index
