// SPDX-License-Identifier: MIT
//
// Whatever is typed becomes an expression that a real table of FTS5 accepts and that writes
// nothing; a text that it matches has a highlighted place, and a term that is highlighted in a text
// matches it. Snippets are one line, valid, and their ranges lie apart and inside.
//
// The input: a byte for the width, what is typed up to the first line's end, the text.
#include "daybook/base/utf8.hpp"
#include "daybook/index/search_query.hpp"
#include "daybook/index/snippet.hpp"
#include "daybook/store/database.hpp"
#include "daybook/store/fts5.hpp"
#include "daybook/store/transaction.hpp"
#include "require.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

namespace index = daybook::index;
namespace store = daybook::store;
using daybook::fuzz::require;
using index::SearchQuery;
using index::SearchTerm;
using index::Snippet;

/// So many words of a phrase are compared in a snippet.
constexpr std::size_t kPhraseWords = 64;

/// An empty name is SQLite's for a database that goes with its connection, but ours makes files.
store::Database open_table() {
  std::string folder = "/tmp/daybook-fuzz-XXXXXX";
  require(::mkdtemp(folder.data()) != nullptr, "there is a folder");
  auto database = store::Database::open(folder + "/words.db");
  require(database.ok(), "a database is made");
  ::unlink((folder + "/words.db").c_str());
  ::rmdir(folder.c_str());
  require(database->execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF").ok() &&
              database
                  ->execute(std::string("CREATE VIRTUAL TABLE words USING fts5(body, sentence, "
                                        "tokenize = '")
                                .append(store::kWordRules)
                                .append("')"))
                  .ok() &&
              database->execute("INSERT INTO words(rowid, body, sentence) VALUES(2, 'x', 'y')") &&
              store::add_phrase_counts(*database).ok(),
          "a table is made");
  return std::move(*database);
}

/// Whether the text matches, by FTS5 itself. The table holds it for this question only: one that
/// grows would be merged now and then, which takes long.
bool matches(const std::string& text, const std::string& expression) {
  static store::Database database = open_table();
  static auto insert =
      database.prepare("INSERT INTO words(rowid, body, sentence) VALUES(1, ?, '')").value();
  static auto select =
      database.prepare("SELECT rowid, phrase_counts(words) FROM words WHERE words MATCH ?").value();
  static auto changes = database.prepare("SELECT total_changes()").value();
  auto held = store::Transaction::begin(database);
  require(held.ok() && insert.run(text).ok(), "a text is stored");
  const auto before = changes.integer();
  bool found = false;
  const auto asked = select.each(
      [&found](const store::Row& row) {
        found = found || row.integer(0) == 1;
        require(row.blob(1).size() % sizeof(std::uint32_t) == 0, "phrases are counted");
      },
      expression);
  require(asked.ok(), "FTS5 accepts what is made of the query");
  require(*before == *changes.integer(), "a query writes nothing");
  return found;
}

void require_shape(const Snippet& snippet, std::string_view text, std::size_t width) {
  require(!daybook::base::is_valid_utf8(text) || daybook::base::is_valid_utf8(snippet.text),
          "a snippet is cut between characters");
  require(snippet.text.find_first_of("\t\r\n") == std::string::npos, "a snippet is one line");
  require(snippet.text.size() <= width + 4, "a snippet is not wider than wanted");
  std::size_t at = 0;
  bool first = true;
  for (const Snippet::Range& range : snippet.ranges) {
    require(range.begin < range.end && range.end <= snippet.text.size(), "ranges lie inside");
    require(first || at < range.begin, "ranges lie apart, in order");
    at = range.end;
    first = false;
  }
  require(snippet.cut_before || snippet.cut_after || snippet.text.size() <= text.size(),
          "a snippet makes up nothing");
}

Snippet snippet_of(const std::string& text,
                   const std::vector<SearchTerm>& terms,
                   std::size_t width) {
  static auto splitter = store::WordSplitter::make().value();
  auto snippet = index::make_snippet(splitter, text, terms, width);
  require(snippet.ok(), "a snippet is made");
  require_shape(*snippet, text, width);
  return std::move(*snippet);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view typed = input.substr(0, end);
  std::string text(input.substr(std::min(end + 1, input.size())));
  std::replace(text.begin(), text.end(), '\0', ' ');  // notes with a NUL are not indexed as text

  const auto query = SearchQuery::parse(typed);
  require(query.ok(), "whatever is typed is a query");
  const auto& terms = query->terms();
  snippet_of(text, terms, 8 + std::size_t{data[0]});
  require(query->is_empty() == query->expression().empty(), "an empty query asks for nothing");
  if (query->is_empty()) {
    return 0;
  }
  const bool found = matches(text, query->expression());
  const Snippet whole = snippet_of(text, terms, text.size() + 8);
  require(!found || !whole.ranges.empty(), "what matches is highlighted");
  const bool one = terms.size() == 1 && terms[0].words.size() <= kPhraseWords &&
                   query->expression().find(" NOT ") == std::string::npos;
  require(!one || whole.ranges.empty() || found, "what is highlighted matches");
  return 0;
}
