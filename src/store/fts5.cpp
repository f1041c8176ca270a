// SPDX-License-Identifier: MIT
#include "daybook/store/fts5.hpp"

#include "store/setup.hpp"

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace daybook::store {
namespace {

Error no_fts5(const std::string& path, sqlite3* connection) {
  return {ErrorKind::io,
          std::string("SQLite's full text could not be used: ").append(sqlite3_errmsg(connection)),
          path,
          "Use an SQLite that was built with FTS5."};
}

/// The way FTS5 hands out its table of functions: through a pointer bound to a query.
fts5_api* api_of(sqlite3* connection) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}

using Numbers = std::vector<std::uint32_t>;

int count_row(const Fts5ExtensionApi* /*api*/, Fts5Context* /*fts*/, void* counter) {
  ++*static_cast<std::uint32_t*>(counter);
  return SQLITE_OK;
}

/// How often the phrase is in each column of the row.
int append_counts(const Fts5ExtensionApi* api, Fts5Context* fts, int phrase, Numbers& numbers) {
  const auto columns = static_cast<std::size_t>(api->xColumnCount(fts));
  const std::size_t first = numbers.size();
  numbers.resize(first + columns);
  Fts5PhraseIter place{};
  int column = 0;
  int offset = 0;
  const int code = api->xPhraseFirst(fts, phrase, &place, &column, &offset);
  // A column of -1 is the end. A damaged file may claim any other.
  while (code == SQLITE_OK && column >= 0 && static_cast<std::size_t>(column) < columns) {
    ++numbers[first + static_cast<std::size_t>(column)];
    api->xPhraseNext(fts, &place, &column, &offset);
  }
  return code;
}

void phrase_counts(const Fts5ExtensionApi* api,
                   Fts5Context* fts,
                   sqlite3_context* context,
                   int /*argument_count*/,
                   sqlite3_value** /*arguments*/) {
  static int told = 0;  // its address marks a query whose first row has been seen
  const int phrases = api->xPhraseCount(fts);
  Numbers numbers;
  int code = SQLITE_OK;
  for (int phrase = 0; phrase < phrases && code == SQLITE_OK; ++phrase) {
    code = append_counts(api, fts, phrase, numbers);
  }
  if (api->xGetAuxdata(fts, 0) == nullptr) {
    for (int phrase = 0; phrase < phrases && code == SQLITE_OK; ++phrase) {
      numbers.push_back(0);
      code = api->xQueryPhrase(fts, phrase, &numbers.back(), count_row);
    }
    if (code == SQLITE_OK) {
      code = api->xSetAuxdata(fts, &told, nullptr);
    }
  }
  if (code != SQLITE_OK) {
    sqlite3_result_error_code(context, code);
    return;
  }
  sqlite3_result_blob64(
      context, numbers.data(), numbers.size() * sizeof(std::uint32_t), SQLITE_TRANSIENT);
}

}  // namespace

struct WordSplitter::Tokenizer {
  sqlite3* connection = nullptr;
  fts5_tokenizer functions{};
  Fts5Tokenizer* instance = nullptr;

  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;
  ~Tokenizer() {
    if (instance != nullptr) {
      functions.xDelete(instance);
    }
    sqlite3_close(connection);
  }
};

WordSplitter::WordSplitter(std::unique_ptr<Tokenizer> tokenizer)
    : tokenizer_(std::move(tokenizer)) {}
WordSplitter::WordSplitter(WordSplitter&&) noexcept = default;
WordSplitter& WordSplitter::operator=(WordSplitter&&) noexcept = default;
WordSplitter::~WordSplitter() = default;

Result<WordSplitter> WordSplitter::make() {
  set_up_sqlite();
  auto tokenizer = std::make_unique<Tokenizer>();
  if (sqlite3_open(":memory:", &tokenizer->connection) != SQLITE_OK) {
    return no_fts5({}, tokenizer->connection);
  }
  fts5_api* api = api_of(tokenizer->connection);
  void* user_data = nullptr;
  // kWordRules, in FTS5's words.
  std::array<const char*, 2> rules{"remove_diacritics", "2"};
  if (api == nullptr ||
      api->xFindTokenizer(api, "unicode61", &user_data, &tokenizer->functions) != SQLITE_OK ||
      tokenizer->functions.xCreate(
          user_data, rules.data(), static_cast<int>(rules.size()), &tokenizer->instance) !=
          SQLITE_OK) {
    return no_fts5({}, tokenizer->connection);
  }
  return WordSplitter(std::move(tokenizer));
}

bool WordSplitter::split(std::string_view text, void* context, HandOn hand_on) {
  struct Call {
    void* context;
    HandOn hand_on;
  } call{context, hand_on};
  const auto visit =
      [](void* raw, int /*flags*/, const char* word, int size, int begin, int end) -> int {
    const Call& made = *static_cast<Call*>(raw);
    return made.hand_on(made.context,
                        {word, static_cast<std::size_t>(size)},
                        static_cast<std::size_t>(begin),
                        static_cast<std::size_t>(end)) == Visit::next
               ? SQLITE_OK
               : SQLITE_DONE;
  };
  // FTS5 ends the walk without complaint on SQLITE_DONE.
  const int code = tokenizer_->functions.xTokenize(tokenizer_->instance,
                                                   &call,
                                                   FTS5_TOKENIZE_DOCUMENT,
                                                   text.data() == nullptr ? "" : text.data(),
                                                   static_cast<int>(text.size()),
                                                   visit);
  return code == SQLITE_OK || code == SQLITE_DONE;
}

Result<void> add_phrase_counts(Database& database) {
  auto* connection = static_cast<sqlite3*>(database.native_handle());
  fts5_api* api = api_of(connection);
  if (api == nullptr ||
      api->xCreateFunction(api, "phrase_counts", nullptr, phrase_counts, nullptr) != SQLITE_OK) {
    return no_fts5(database.path(), connection);
  }
  return {};
}

}  // namespace daybook::store
