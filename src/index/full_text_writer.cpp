// SPDX-License-Identifier: MIT
#include "index/full_text_writer.hpp"

#include "daybook/base/safety.hpp"
#include "daybook/base/utf8.hpp"

#include <algorithm>
#include <utility>

namespace daybook::index {
namespace {

constexpr const char* kBuildPragmas =
    "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -1024;";
/// Without spilling, readers are kept out only while a transaction commits. A commit is the
/// unlinking of the journal, and EXTRA alone waits for that: a power cut that brought the journal
/// back would undo a change that the index counts as made, and nobody would make it again.
constexpr const char* kChangePragmas =
    base::keeps(base::Safety::text_journal_sync)
        ? "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA; PRAGMA cache_spill = OFF;"
        : "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL; PRAGMA cache_spill = OFF;";

/// Ready for SQLite's borrowing: within the limit, no character cut, no NUL.
void make_fit(std::string& text) {
  if (text.size() > kTextLimit) {
    text.resize(base::character_begin(text, kTextLimit));
  }
  if (text.find('\0') != std::string::npos) {
    std::replace(text.begin(), text.end(), '\0', ' ');
  }
}

}  // namespace

ContentMark mark_of(const TextDocument& document) {
  ContentMark mark{};
  std::copy_n(document.source_sha256.begin(), mark.size(), mark.begin());
  return mark;
}

Result<std::vector<StoredDocument>> stored_documents(store::Database& database) {
  std::vector<StoredDocument> all;
  TRY_ASSIGN(
      auto select,
      database.prepare("SELECT id, file, sha256, agent, project, kind, time, bytes FROM document"));
  TRY(select.each([&all](const store::Row& row) {
    StoredDocument& stored = all.emplace_back();
    stored.id = row.integer(0);
    const std::string_view mark = row.blob(2);
    std::copy_n(mark.begin(), std::min(mark.size(), stored.mark.size()), stored.mark.begin());
    stored.document.file = row.integer(1);
    stored.document.agent = row.integer(3);
    stored.document.project = row.integer(4);
    stored.document.kind = static_cast<lineage::Kind>(row.integer(5));
    stored.document.time = {row.integer(6)};
    stored.bytes = row.integer(7);
  }));
  return all;
}

Result<store::Database> open_month_for_change(const std::string& path) {
  TRY_ASSIGN(auto database, store::Database::open(path, {store::Access::read_write, 5000}));
  TRY(database.execute(kChangePragmas));
  return database;
}

Result<store::Database> create_month(const std::string& path, const std::string& index_id) {
  TRY_ASSIGN(auto database, store::Database::open(path));
  TRY(database.execute(kBuildPragmas));
  TRY(make_month_tables(database, index_id));
  return database;
}

MonthWriter::MonthWriter(store::Database& database, const MonthMeta& meta, Statements statements)
    : database_(&database), meta_(meta), statements_(std::move(statements)) {}

Result<MonthWriter> MonthWriter::for_new(store::Database& database) {
  TRY_ASSIGN(auto writer, for_change(database, {}));
  TRY_ASSIGN(writer.build_, SegmentBuild::make(database));
  return writer;
}

Result<MonthWriter> MonthWriter::for_change(store::Database& database, const MonthMeta& meta) {
  TRY_ASSIGN(auto put_words,
             database.prepare("INSERT INTO words(rowid, body, sentence) VALUES(?, ?, ?)"));
  TRY_ASSIGN(auto put_document,
             database.prepare("INSERT INTO document VALUES(?, ?, ?, ?, ?, ?, ?, ?)"));
  TRY_ASSIGN(auto drop_document, database.prepare("DELETE FROM document WHERE id = ?"));
  TRY_ASSIGN(auto restate_document,
             database.prepare("UPDATE document SET agent = ?, project = ?, kind = ?, time = ? "
                              "WHERE id = ?"));
  return MonthWriter(database,
                     meta,
                     {std::move(put_words),
                      std::move(put_document),
                      std::move(drop_document),
                      std::move(restate_document)});
}

Result<void> MonthWriter::put_words(std::int64_t id, const TextContent& content) {
  if (build_) {
    return build_->add_row(id, content.body, content.sentence);
  }
  return statements_.put_words.run(
      id, store::Borrowed{content.body}, store::Borrowed{content.sentence});
}

Result<void> MonthWriter::add(const TextDocument& document, TextContent content) {
  make_fit(content.body);
  make_fit(content.sentence);
  const std::int64_t id = ++meta_.highest;
  const auto bytes = static_cast<std::int64_t>(content.body.size());
  TRY(put_words(id, content));
  const ContentMark mark = mark_of(document);
  TRY(statements_.put_document.run(id,
                                   document.file,
                                   store::as_blob(mark),
                                   document.agent,
                                   document.project,
                                   document.kind,
                                   document.time.ms,
                                   bytes));
  ++meta_.documents;
  meta_.bytes += bytes;
  return {};
}

Result<void> MonthWriter::retire(const StoredDocument& stored) {
  --meta_.documents;
  meta_.bytes -= stored.bytes;
  return statements_.drop_document.run(stored.id);
}

Result<void> MonthWriter::restate(std::int64_t id, const TextDocument& document) {
  return statements_.restate_document.run(
      document.agent, document.project, document.kind, document.time.ms, id);
}

Result<void> MonthWriter::finish() {
  if (build_) {
    TRY(build_->finish());
  }
  return put_month_meta(*database_, meta_);
}

}  // namespace daybook::index
