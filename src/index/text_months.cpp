// SPDX-License-Identifier: MIT
#include "daybook/index/text_months.hpp"

#include "daybook/index/months.hpp"

#include <algorithm>
#include <utility>

namespace daybook::index {

using store::Row;

Result<std::vector<MarkedMonth>> TextMonths::marked() {
  TRY_ASSIGN(auto select,
             database_.prepare("SELECT month, marks FROM text_month ORDER BY month DESC"));
  std::vector<MarkedMonth> months;
  TRY(select.each([&months](const Row& row) {
    months.push_back({row.integer(0), row.integer(1)});
  }));
  return months;
}

Result<void> TextMonths::mark(std::int64_t month) {
  TRY_ASSIGN(auto put,
             database_.prepare("INSERT INTO text_month(month, marks) VALUES(?, 1)"
                               " ON CONFLICT(month) DO UPDATE SET marks = marks + 1"));
  return put.run(month);
}

Result<void> TextMonths::unmark(const MarkedMonth& done) {
  TRY_ASSIGN(auto erase, database_.prepare("DELETE FROM text_month WHERE month = ? AND marks = ?"));
  return erase.run(done.month, done.marks);
}

Result<std::map<std::int64_t, std::int64_t>> TextMonths::file_marks() {
  TRY_ASSIGN(auto select, database_.prepare("SELECT month, mark FROM text_file"));
  std::map<std::int64_t, std::int64_t> marks;
  TRY(select.each([&marks](const Row& row) { marks.emplace(row.integer(0), row.integer(1)); }));
  return marks;
}

Result<void> TextMonths::put_file_mark(std::int64_t month, std::optional<std::int64_t> mark) {
  if (!mark) {
    TRY_ASSIGN(auto erase, database_.prepare("DELETE FROM text_file WHERE month = ?"));
    return erase.run(month);
  }
  TRY_ASSIGN(auto put,
             database_.prepare("INSERT OR REPLACE INTO text_file(month, mark) VALUES(?, ?)"));
  return put.run(month, *mark);
}

Result<TextDocuments> TextDocuments::make(store::Database& database) {
  TRY_ASSIGN(auto select_month,
             database.prepare("SELECT id, source_sha256, coalesce(agent, 0), coalesce(project, 0),"
                              " kind, coalesce(ended_at, captured_at) FROM file"
                              " WHERE kind < 3 AND captured_at >= ? AND captured_at < ?"
                              " AND status = 0"));
  TRY_ASSIGN(auto select_place,
             database.prepare("SELECT folder.text, name, coalesce(fallback, sentence),"
                              " size, mtime_ns, ctime_ns, inode FROM file"
                              " JOIN word AS folder ON folder.id = file.folder"
                              " WHERE file.id = ?"));
  return TextDocuments(std::move(select_month), std::move(select_place));
}

Result<std::vector<TextDocument>> TextDocuments::of_month(std::int64_t month) {
  std::vector<TextDocument> wanted;
  TRY(select_month_.each(
      [&wanted](const Row& row) {
        TextDocument document;
        document.file = row.integer(0);
        const std::string_view sha = row.blob(1);
        std::copy_n(sha.begin(),
                    std::min(sha.size(), document.source_sha256.size()),
                    document.source_sha256.begin());
        document.agent = row.integer(2);
        document.project = row.integer(3);
        document.kind = static_cast<lineage::Kind>(row.integer(4));
        document.time.ms = row.integer(5);
        wanted.push_back(document);
      },
      begin_of_month(month).ms,
      begin_of_month(month + 1).ms));
  return wanted;
}

Result<DocumentPlace> TextDocuments::place_of(std::int64_t file) {
  DocumentPlace place;
  TRY(select_place_.each(
      [&place](const Row& row) {
        place = {std::string(row.text(0)),
                 std::string(row.text(1)),
                 std::string(row.text(2)),
                 static_cast<std::uint64_t>(row.integer(3)),
                 row.integer(4),
                 row.integer(5),
                 static_cast<std::uint64_t>(row.integer(6))};
      },
      file));
  return place;
}

}  // namespace daybook::index
