// SPDX-License-Identifier: MIT
//
// What every search in the full text has in common: which months there are, what of a document a
// filter asks, and several months asked at once. Each call has its own read-only connections; any
// thread, beside any writer. Failure leaves nothing behind.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/index/full_text_search.hpp"
#include "daybook/store/database.hpp"
#include "daybook/store/transaction.hpp"
#include "index/full_text_file.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace daybook::index {

/// Columns of the full text: body, sentence.
inline constexpr std::size_t kTextColumns = 2;
/// A word in the sentence says more than one in the body.
inline constexpr double kSentenceWeight = 4;

/// Each month's file, the newest month first.
Result<std::vector<MonthName>> months_to_search(const std::string& folder);

/// ` AND document.…` for each thing that the filter asks.
std::string filter_sql(const SearchFilter& filter);

/// A month with one snapshot for all that is asked, ready for phrase_counts().
struct OpenMonth {
  std::unique_ptr<store::Database> database;
  store::Transaction snapshot;  ///< of it
  MonthMeta meta;
};

/// Nothing when it belongs to another index, or holds nothing that the filter lets through.
Result<std::optional<OpenMonth>> open_month(const std::string& path,
                                            store::Access access,
                                            const std::string& index_id,
                                            const SearchFilter& filter);

/// Of a month whose tables are not those that were made.
Error not_as_made(const std::string& path);

/// A number of a blob of phrase_counts(), which must hold that many.
std::uint32_t number_at(std::string_view blob, std::size_t place);

/// `ask(path, access)` of a month; a crash may have left a half-done change, which only a writer
/// can roll back.
template <typename Ask>
auto ask_or_recover(const std::string& path, const Ask& ask) {
  auto answer = ask(path, store::Access::read_only);
  const bool may_recover = !answer && answer.error().kind == ErrorKind::io;
  return may_recover ? ask(path, store::Access::read_write) : std::move(answer);
}

/// Several months at once: opening a file and reading its schema costs more than the search in it,
/// and a rare word is looked for in all. Answers come in the order of the months.
template <typename Ask>
auto ask_together(std::span<const MonthName> months, const std::string& folder, const Ask& ask) {
  using Answer = decltype(ask(std::string(), store::Access::read_only));
  constexpr std::size_t kMostThreads = 4;
  std::vector<std::optional<Answer>> answers(months.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < months.size(); i = next++) {
      answers[i].emplace(ask_or_recover(months[i].path_in(folder), ask));
    }
  };
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < std::min({cores, kMostThreads, months.size()}); ++i) {
      others.emplace_back(work);
    }
  } catch (const std::system_error&) {  // NOLINT: no thread to be had, and this one does it all
  }
  work();
  for (std::thread& other : others) {
    other.join();
  }
  return answers;
}

}  // namespace daybook::index
