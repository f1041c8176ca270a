// SPDX-License-Identifier: MIT
#include "daybook/state/publications.hpp"

#include "daybook/store/transaction.hpp"
#include "state/token_blob.hpp"

namespace daybook::state {
namespace {

using lineage::Timestamp;
using store::Row;

constexpr std::int64_t kContestMs = 10LL * 60 * 1000;
constexpr const char* kSelect =
    "SELECT projection, generation, fence, sha256, bytes, published_at FROM publication"
    " WHERE published_at IS NOT NULL";

PublicationRecord read_record(const Row& row) {
  return {std::string(row.text(0)),
          row.integer(1),
          row.integer(2),
          digest_from_blob(row.blob(3)),
          row.integer(4),
          {row.integer(5)}};
}

/// The newest of each projection stays, of the others the newest 500 in all.
constexpr const char* kPrune =
    "DELETE FROM publication WHERE id <= (SELECT max(id) FROM publication) - 500"
    " AND id NOT IN (SELECT max(id) FROM publication WHERE published_at IS NOT NULL"
    " GROUP BY projection)";

}  // namespace

Result<std::int64_t> Publications::announce(const PublicationRecord& record) {
  TRY_ASSIGN(auto insert,
             database_.prepare("INSERT INTO publication(projection, generation, fence, sha256,"
                               " bytes) VALUES(?,?,?,?,?)"));
  TRY(insert.run(record.projection,
                 record.generation,
                 record.fence,
                 store::as_blob(record.sha256),
                 record.bytes));
  return database_.last_insert_id();
}

Result<void> Publications::complete(std::int64_t announced, Timestamp published_at) {
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database_));
  TRY_ASSIGN(auto update,
             database_.prepare("UPDATE publication SET published_at = ? WHERE id = ?"));
  TRY(update.run(published_at.ms, announced));
  TRY_ASSIGN(auto raise,
             database_.prepare("UPDATE highest SET generation = max(generation, p.g),"
                               " fence = max(fence, p.f) FROM (SELECT generation AS g, fence AS f"
                               " FROM publication WHERE id = ?) AS p"));
  TRY(raise.run(announced));
  TRY(database_.execute(kPrune));
  return transaction.commit();
}

Result<void> Publications::withdraw(std::int64_t announced) {
  TRY_ASSIGN(auto erase,
             database_.prepare("DELETE FROM publication WHERE id = ? AND published_at IS NULL"));
  return erase.run(announced);
}

Result<std::int64_t> Publications::highest_generation() {
  TRY_ASSIGN(const auto highest, database_.integer("SELECT generation FROM highest"));
  return highest.value_or(0);
}

Result<std::int64_t> Publications::highest_fence() {
  TRY_ASSIGN(const auto highest, database_.integer("SELECT fence FROM highest"));
  return highest.value_or(0);
}

Result<std::optional<PublicationRecord>> Publications::last(const std::string& projection) {
  TRY_ASSIGN(auto select,
             database_.prepare(
                 std::string(kSelect).append(" AND projection = ? ORDER BY id DESC LIMIT 1")));
  std::optional<PublicationRecord> found;
  TRY(select.each([&found](const Row& row) { found = read_record(row); }, projection));
  return found;
}

Result<std::optional<PublicationRecord>> Publications::last() {
  TRY_ASSIGN(auto select,
             database_.prepare(std::string(kSelect).append(" ORDER BY id DESC LIMIT 1")));
  std::optional<PublicationRecord> found;
  TRY(select.each([&found](const Row& row) { found = read_record(row); }));
  return found;
}

Result<std::vector<PublicationRecord>> Publications::last_of_each() {
  // Not by grouping all of them: few projections, whose last one is almost always near the end.
  TRY_ASSIGN(auto select,
             database_.prepare(
                 "WITH RECURSIVE each_name(name) AS (SELECT min(projection) FROM publication"
                 " UNION ALL SELECT (SELECT min(projection) FROM publication"
                 " WHERE projection > name) FROM each_name WHERE name IS NOT NULL)"
                 " SELECT projection, generation, fence, sha256, bytes, published_at"
                 " FROM each_name JOIN publication ON id = (SELECT id FROM publication NOT INDEXED"
                 " WHERE projection = name AND published_at IS NOT NULL ORDER BY id DESC LIMIT 1)"
                 " ORDER BY projection"));
  std::vector<PublicationRecord> found;
  TRY(select.each([&found](const Row& row) { found.push_back(read_record(row)); }));
  return found;
}

Result<bool> Publications::is_ours(const std::string& projection, const base::Digest& sha256) {
  TRY_ASSIGN(auto select,
             database_.prepare("SELECT 1 FROM publication WHERE projection = ? AND sha256 = ?"
                               " LIMIT 1"));
  TRY_ASSIGN(const auto found, select.integer(projection, store::as_blob(sha256)));
  return found.has_value();
}

Result<std::optional<std::int64_t>> Publications::last_number(const std::string& projection) {
  TRY_ASSIGN(auto select,
             database_.prepare("SELECT id FROM publication NOT INDEXED WHERE projection = ?"
                               " AND published_at IS NOT NULL ORDER BY id DESC LIMIT 1"));
  return select.integer(projection);
}

Result<Contest> Publications::note_replaced(const std::string& projection,
                                            std::int64_t number,
                                            Timestamp now) {
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database_));
  TRY_ASSIGN(auto insert,
             database_.prepare("INSERT OR IGNORE INTO replacement(projection, publication, time)"
                               " VALUES(?, ?, ?)"));
  TRY(insert.run(projection, number, now.ms));
  // Two of them close together, whichever way the clock went between.
  TRY_ASSIGN(auto pair,
             database_.prepare("SELECT 1 FROM replacement AS a JOIN replacement AS b"
                               " ON a.projection = b.projection AND a.publication < b.publication"
                               " WHERE a.projection = ? AND abs(a.time - b.time) <= ? LIMIT 1"));
  TRY_ASSIGN(const auto contested, pair.integer(projection, kContestMs));
  if (contested) {
    TRY_ASSIGN(auto mark, database_.prepare("INSERT OR IGNORE INTO contested VALUES(?)"));
    TRY(mark.run(projection));
  } else {
    TRY_ASSIGN(auto prune,
               database_.prepare("DELETE FROM replacement WHERE projection = ? AND"
                                 " abs(time - ?) > ?"));
    TRY(prune.run(projection, now.ms, kContestMs));
  }
  TRY(transaction.commit());
  return contest(projection);
}

Result<Contest> Publications::contest(const std::string& projection) {
  TRY_ASSIGN(auto select, database_.prepare("SELECT 1 FROM contested WHERE projection = ?"));
  TRY_ASSIGN(const auto found, select.integer(projection));
  return found ? Contest::contested : Contest::none;
}

Result<std::vector<std::string>> Publications::contested() {
  TRY_ASSIGN(auto select, database_.prepare("SELECT projection FROM contested ORDER BY 1"));
  std::vector<std::string> found;
  TRY(select.each([&found](const Row& row) { found.emplace_back(row.text(0)); }));
  return found;
}

Result<void> Publications::clear_contest(const std::string& projection) {
  TRY_ASSIGN(auto transaction, store::Transaction::begin(database_));
  TRY_ASSIGN(auto times, database_.prepare("DELETE FROM replacement WHERE projection = ?"));
  TRY(times.run(projection));
  TRY_ASSIGN(auto mark, database_.prepare("DELETE FROM contested WHERE projection = ?"));
  TRY(mark.run(projection));
  return transaction.commit();
}

Result<void> Publications::accept_clock(Timestamp now) {
  TRY_ASSIGN(auto update,
             database_.prepare("UPDATE publication SET published_at = ? WHERE published_at > ?"));
  return update.run(now.ms, now.ms);
}

}  // namespace daybook::state
