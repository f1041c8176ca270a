// SPDX-License-Identifier: MIT
#include "index/full_text_file.hpp"

#include "daybook/base/disk.hpp"
#include "daybook/base/durable.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/store/fts5.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace daybook::index {
namespace {

constexpr std::int64_t kMonths = 12;
constexpr std::string_view kSuffix = ".db";

/// Takes a number of `digits` digits (0: as many as there are) off the front.
std::optional<std::int64_t> take_number(std::string_view& text, std::size_t digits) {
  std::size_t size = 0;
  while (size < text.size() && text[size] >= '0' && text[size] <= '9') {
    ++size;
  }
  constexpr std::size_t kMostDigits = 15;
  if (size == 0 || size > kMostDigits || (digits != 0 && size != digits)) {
    return std::nullopt;
  }
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + size, number);
  text.remove_prefix(size);
  return number;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) {
    return false;
  }
  text.remove_prefix(expected.size());
  return true;
}

std::optional<TextFolderEntry> read_name(std::string_view file) {
  std::string_view rest = file;
  const auto year = take_number(rest, 4);
  const bool first = year && take(rest, "-");
  const auto month = first ? take_number(rest, 2) : std::nullopt;
  const bool second = month && *month >= 1 && *month <= kMonths && take(rest, ".");
  const auto generation = second ? take_number(rest, 0) : std::nullopt;
  if (!generation || !take(rest, kSuffix)) {
    return std::nullopt;
  }
  return TextFolderEntry{
      {*year * kMonths + *month - 1, *generation}, std::string(file), rest.empty()};
}

Result<void> sync(const std::string& path) {
  return base::keeps(base::Safety::text_sync) ? base::sync_path(path, "syncing the full text")
                                              : Result<void>();
}

constexpr const char* kDocumentTable =
    "CREATE TABLE document(id INTEGER PRIMARY KEY, file INTEGER NOT NULL, sha256 BLOB NOT NULL,"
    " agent INTEGER NOT NULL, project INTEGER NOT NULL, kind INTEGER NOT NULL,"
    " time INTEGER NOT NULL, bytes INTEGER NOT NULL)";

std::string words_table() {
  return std::string(
             "CREATE VIRTUAL TABLE words USING fts5(body, sentence, content='', columnsize=0,"
             " tokenize=\"")
      .append(store::kWordRules)
      .append("\")");
}

}  // namespace

std::string MonthName::file_name() const {
  std::array<char, 64> text{};
  std::snprintf(text.data(),
                text.size(),
                "%04d-%02d.%lld.db",
                static_cast<int>(month / kMonths),
                static_cast<int>(month % kMonths) + 1,
                static_cast<long long>(generation));
  return text.data();
}

std::string MonthName::path_in(const std::string& folder) const {
  return std::string(folder).append("/").append(file_name());
}

Result<std::vector<TextFolderEntry>> list_text_folder(const std::string& folder) {
  std::vector<TextFolderEntry> entries;
  auto opened = base::real_disk().open_root(folder);
  if (!opened) {
    if (opened.error().kind == ErrorKind::not_found) {
      return entries;
    }
    return std::move(opened).error();
  }
  TRY((*opened)->list([&entries](std::string_view name, base::EntryType type) {
    auto entry = type == base::EntryType::file ? read_name(name) : std::nullopt;
    if (entry) {
      entries.push_back(std::move(*entry));
    }
  }));
  return entries;
}

Result<void> remove_month_files(const std::string& folder,
                                std::int64_t month,
                                std::optional<std::int64_t> but) {
  TRY_ASSIGN(const auto entries, list_text_folder(folder));
  for (const TextFolderEntry& entry : entries) {
    if (entry.name.month != month || (entry.is_month && entry.name.generation == but)) {
      continue;
    }
    // For good: it may hold what was removed.
    TRY(base::erase_file(std::string(folder).append("/").append(entry.file),
                         "removing retired full text"));
  }
  return {};
}

Result<void> install_month_file(const std::string& temporary, const std::string& path) {
  TRY(sync(temporary));
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    return base::system_error("putting new full text in its place", path, errno);
  }
  return sync(path.substr(0, path.rfind('/')));
}

Result<std::optional<MonthMeta>> read_month_meta(store::Database& database,
                                                 const std::string& index_id) {
  std::optional<MonthMeta> meta;
  // `*`: another version may have other columns, but the version stands first in all.
  auto select = database.prepare("SELECT * FROM meta");
  if (!select) {
    // Asked only now, since nearly always it is there.
    TRY_ASSIGN(const auto tables,
               database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'meta'"));
    return tables == 0 ? Result(meta) : std::move(select).error();
  }
  TRY(select->each([&](const store::Row& row) {
    if (row.integer(0) == kTextVersion && row.text(1) == index_id) {
      meta = MonthMeta{
          row.integer(2), row.integer(3), row.integer(4), {row.integer(5)}, {row.integer(6)}};
    }
    return store::Visit::stop;
  }));
  return meta;
}

Result<bool> has_own_tables(store::Database& database) {
  TRY_ASSIGN(auto count,
             database.prepare("SELECT count(*) FROM sqlite_master WHERE sql IN (?, ?)"));
  TRY_ASSIGN(const auto tables, count.integer(kDocumentTable, words_table()));
  return tables == 2;
}

Result<void> make_month_tables(store::Database& database, const std::string& index_id) {
  TRY(database.execute(
      "CREATE TABLE meta(version INTEGER NOT NULL, index_id TEXT NOT NULL,"
      " highest INTEGER NOT NULL, documents INTEGER NOT NULL, bytes INTEGER NOT NULL,"
      " earliest INTEGER NOT NULL, latest INTEGER NOT NULL)"));
  TRY(database.execute(kDocumentTable));
  TRY(database.execute(words_table()));
  TRY_ASSIGN(auto insert, database.prepare("INSERT INTO meta VALUES(?, ?, 0, 0, 0, 0, 0)"));
  return insert.run(kTextVersion, index_id);
}

Result<void> put_month_meta(store::Database& database, const MonthMeta& meta) {
  TRY_ASSIGN(auto update,
             database.prepare("UPDATE meta SET highest = ?, documents = ?, bytes = ?,"
                              " earliest = (SELECT ifnull(min(time), 0) FROM document),"
                              " latest = (SELECT ifnull(max(time), 0) FROM document)"));
  return update.run(meta.highest, meta.documents, meta.bytes);
}

}  // namespace daybook::index
