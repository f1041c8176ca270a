// SPDX-License-Identifier: MIT
#include "state/lease_rows.hpp"

#include <algorithm>
#include <string_view>

namespace daybook::state {
namespace {

using store::Database;
using store::Row;

/// Fields in a form in which no two lists of fields are equal.
class RowCheck {
 public:
  RowCheck& add(std::string_view text) {
    fields_.append(std::to_string(text.size())).append(":").append(text);
    return *this;
  }
  RowCheck& add(std::int64_t number) { return add(std::string_view(std::to_string(number))); }
  std::string text() const { return base::to_hex(base::sha256(fields_)); }

 private:
  std::string fields_;
};

std::string check_of(const LeaseRow& row) {
  return RowCheck()
      .add(row.fence)
      .add(row.holder)
      .add(row.process.host)
      .add(row.process.pid)
      .add(row.process.started)
      .add(row.command)
      .add(row.acquired_at)
      .add(row.expires_at)
      .add(row.boot_id)
      .text();
}

std::string_view bytes_of(const base::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string check_of(const Publication& publication, std::int64_t fence) {
  return RowCheck()
      .add(publication.projection)
      .add(publication.generation)
      .add(fence)
      .add(bytes_of(publication.sha256))
      .text();
}

/// Whether Daybook could have written it. The check alone says nothing against whoever forges both:
/// a fence beside which there is no greater one, or a time that never ends, would shut all others
/// out.
bool is_possible(const LeaseRow& row) {
  constexpr std::int64_t kHighestFence = std::int64_t{1} << 60;
  constexpr std::int64_t kLongestMs = 24LL * 60 * 60 * 1000;
  return row.fence >= 0 && row.fence <= kHighestFence && row.acquired_at >= 0 &&
         row.acquired_at <= row.expires_at && row.expires_at - row.acquired_at <= kLongestMs;
}

Error damaged(const Database& database) {
  return {ErrorKind::damaged,
          "the lease database is damaged",
          database.path(),
          "Try again: it is then set aside and made anew."};
}

struct PublishedRow {
  Publication publication;
  std::int64_t fence = 0;
  std::string check;
};

PublishedRow published_row(const Row& row) {
  PublishedRow read;
  read.publication.projection = row.text(0);
  read.publication.generation = row.integer(1);
  read.fence = row.integer(2);
  const std::string_view digest = row.blob(3);
  if (digest.size() == read.publication.sha256.size()) {
    std::copy(digest.begin(), digest.end(), read.publication.sha256.begin());
  }
  read.check = row.text(4);
  return read;
}

constexpr const char* kSelectPublished =
    "SELECT projection, generation, fence, sha256, row_check FROM published";

}  // namespace

std::string to_text(const LeaseRow& row) {
  std::string text("pid ");
  text.append(std::to_string(row.process.pid)).append(" (").append(row.command).append(")");
  if (!row.process.host.empty()) {
    text.append(" on ").append(row.process.host);
  }
  return text;
}

Result<void> make_lease_tables(Database& database) {
  return database.execute(
      "CREATE TABLE lease(id INTEGER PRIMARY KEY CHECK(id = 1), fence INTEGER NOT NULL,"
      " holder TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, started INTEGER NOT NULL,"
      " command TEXT NOT NULL, acquired_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,"
      " boot_id TEXT NOT NULL, row_check TEXT NOT NULL);"
      "CREATE TABLE published(projection TEXT PRIMARY KEY, generation INTEGER NOT NULL,"
      " fence INTEGER NOT NULL, sha256 BLOB NOT NULL, row_check TEXT NOT NULL) WITHOUT ROWID");
}

Result<bool> lease_rows_are_sound(Database& database) {
  const auto lease = read_lease(database);
  if (!lease) {
    return lease.error().kind == ErrorKind::busy ? Result<bool>(lease.error()) : false;
  }
  TRY_ASSIGN(auto select, database.prepare(kSelectPublished));
  bool sound = true;
  TRY(select.each([&sound](const Row& row) {
    const PublishedRow read = published_row(row);
    sound = sound && read.check == check_of(read.publication, read.fence);
  }));
  return sound;
}

Result<std::optional<LeaseRow>> read_lease(Database& database) {
  TRY_ASSIGN(auto select,
             database.prepare("SELECT fence, holder, host, pid, started, command, acquired_at,"
                              " expires_at, boot_id, row_check FROM lease WHERE id = 1"));
  std::optional<LeaseRow> found;
  std::string check;
  TRY(select.each([&](const Row& row) {
    found = LeaseRow{row.integer(0),
                     std::string(row.text(1)),
                     {std::string(row.text(2)), row.integer(3), row.integer(4)},
                     std::string(row.text(5)),
                     row.integer(6),
                     row.integer(7),
                     std::string(row.text(8))};
    check = row.text(9);
  }));
  if (found && (check != check_of(*found) || !is_possible(*found))) {
    return damaged(database);
  }
  return found;
}

Result<void> write_lease(Database& database, const LeaseRow& row) {
  TRY_ASSIGN(
      auto insert,
      database.prepare("INSERT OR REPLACE INTO lease VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  return insert.run(row.fence,
                    row.holder,
                    row.process.host,
                    row.process.pid,
                    row.process.started,
                    row.command,
                    row.acquired_at,
                    row.expires_at,
                    row.boot_id,
                    check_of(row));
}

Result<std::optional<Publication>> read_published(Database& database,
                                                  const std::string& projection) {
  TRY_ASSIGN(auto select,
             database.prepare(std::string(kSelectPublished).append(" WHERE projection = ?")));
  std::optional<PublishedRow> found;
  TRY(select.each([&found](const Row& row) { found = published_row(row); }, projection));
  if (!found) {
    return std::optional<Publication>();
  }
  if (found->check != check_of(found->publication, found->fence)) {
    return damaged(database);
  }
  return std::optional(found->publication);
}

Result<void> write_published(Database& database,
                             const Publication& publication,
                             std::int64_t fence) {
  TRY_ASSIGN(auto insert,
             database.prepare("INSERT OR REPLACE INTO published VALUES(?, ?, ?, ?, ?)"));
  return insert.run(publication.projection,
                    publication.generation,
                    fence,
                    store::as_blob(publication.sha256),
                    check_of(publication, fence));
}

}  // namespace daybook::state
