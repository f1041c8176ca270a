// SPDX-License-Identifier: MIT
#include "daybook/index/index_file.hpp"

#include "daybook/base/descriptor.hpp"
#include "daybook/base/durable.hpp"
#include "daybook/base/keyed_hash.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/store/transaction.hpp"
#include "index/schema.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace daybook::index {
namespace {

/// Only ever grows in a process; page numbers of one connection fit in it several times.
constexpr const char* kReadPragmas = "PRAGMA query_only = 1; PRAGMA cache_size = -4096;";
constexpr const char* kChangePragmas =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
    "PRAGMA secure_delete = ON; PRAGMA cache_size = -8192;";
constexpr const char* kSmallCache = "PRAGMA cache_size = -256;";
constexpr const char* kBuildPragmas =
    "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA "
    "locking_mode = EXCLUSIVE;"
    "PRAGMA foreign_keys = OFF; PRAGMA cache_size = -16384;";

std::string random_id() {
  char text[33];
  std::snprintf(text,
                sizeof text,
                "%016llx%016llx",
                static_cast<unsigned long long>(base::random_number()),
                static_cast<unsigned long long>(base::random_number()));
  return text;
}

Result<void> sync(const std::string& path) {
  return base::keeps(base::Safety::index_sync) ? base::sync_path(path, "syncing the index")
                                               : Result<void>();
}

constexpr const char* kSchemaMark = "schema";
constexpr const char* kPutMeta = "INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)";

/// Of all that SQLite was told to make: it would not mind a bit that turns in what a trigger or a
/// view says, and do that. Whatever order VACUUM leaves them in.
Result<std::string> schema_mark(store::Database& database) {
  std::uint64_t mark = 0;
  // Its own tables come and go, as by ANALYZE.
  TRY_ASSIGN(auto select,
             database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_master"
                              " WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"));
  TRY(select.each([&mark](const store::Row& row) {
    for (int column = 0; column < 4; ++column) {
      mark = base::mix(mark, base::keyed_hash(row.text(column), kApplicationId));
    }
  }));
  return std::to_string(mark);
}

Result<bool> has_own_schema(store::Database& database) {
  // Else the question for the mark itself might be one that SQLite does not understand.
  TRY_ASSIGN(const auto meta, database.text("SELECT sql FROM sqlite_master WHERE name = 'meta'"));
  if (meta != kMetaTable) {
    return false;
  }
  TRY_ASSIGN(const std::string found, schema_mark(database));
  TRY_ASSIGN(const auto made, meta_text(database, kSchemaMark));
  return found == made;
}

Result<Usability> look_at(store::Database& database) {
  TRY_ASSIGN(const auto application, database.integer("PRAGMA application_id"));
  TRY_ASSIGN(const auto version, database.integer("PRAGMA user_version"));
  if (application != kApplicationId) {
    // An empty file is what a crash between making and filling it leaves.
    TRY_ASSIGN(const auto tables, database.integer("SELECT count(*) FROM sqlite_master"));
    return tables == 0 ? Usability::missing : Usability::damaged;
  }
  if (version != kSchemaVersion) {
    return Usability::other_schema;
  }
  TRY_ASSIGN(const bool is_own, has_own_schema(database));
  return is_own ? Usability::usable : Usability::damaged;
}

/// Whether its header says that only a newer SQLite may write it, by which alone every pass would
/// fail. Read here, since a disk that refuses makes SQLite read only as well, and that is no
/// damage.
bool is_for_newer_writers(const std::string& path) {
  constexpr off_t kWriteVersion = 18;
  constexpr unsigned char kWal = 2;
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  unsigned char version = 0;
  return file && ::pread(file.get(), &version, 1, kWriteVersion) == 1 && version > kWal;
}

/// What a first look at an existing file says of it.
Result<Usability> judge(store::Database& database) {
  auto usability = look_at(database);
  const bool damaged = !usability && usability.error().kind == ErrorKind::damaged;
  return damaged ? Result(Usability::damaged) : usability;
}

}  // namespace

Result<std::optional<std::string>> meta_text(store::Database& database, const std::string& key) {
  TRY_ASSIGN(auto select, database.prepare("SELECT value FROM meta WHERE key = ?"));
  std::optional<std::string> value;
  TRY(select.each([&value](const store::Row& row) { value = std::string(row.text(0)); }, key));
  return value;
}

Result<void> visit_large_meta(store::Database& database,
                              const std::string& key,
                              const std::function<void(std::string_view)>& visit) {
  TRY_ASSIGN(const auto usual, database.integer("PRAGMA cache_size"));
  TRY(database.execute(kSmallCache));
  {
    TRY_ASSIGN(auto select, database.prepare("SELECT value FROM meta WHERE key = ?"));
    TRY(select.each([&visit](const store::Row& row) { visit(row.blob(0)); }, key));
  }
  return database.execute("PRAGMA cache_size = " + std::to_string(usual.value_or(0)));
}

Result<void> put_large_meta(store::Database& database,
                            const std::string& key,
                            std::string_view bytes) {
  TRY_ASSIGN(auto put, database.prepare(kPutMeta));
  return put.run(key, store::Blob{bytes});
}

Result<void> put_meta(store::Database& database, const std::string& key, const std::string& value) {
  TRY_ASSIGN(auto put, database.prepare(kPutMeta));
  return put.run(key, value);
}

Result<void> put_meta(store::Database& database, const std::string& key, std::int64_t value) {
  return put_meta(database, key, std::to_string(value));
}

Result<IndexMeta> read_meta(store::Database& database) {
  IndexMeta meta;
  const auto number = [](std::string_view text) {
    return std::strtoull(std::string(text).c_str(), nullptr, 10);
  };
  TRY_ASSIGN(auto select,
             database.prepare("SELECT key, value FROM meta"
                              " WHERE key IN ('index_id', 'secret', 'generation', 'swept_at_ms')"));
  TRY(select.each([&](const store::Row& row) {
    const std::string_view key = row.text(0);
    if (key == "index_id") {
      meta.index_id = row.text(1);
    } else if (key == "secret") {
      meta.secret = number(row.text(1));
    } else if (key == "generation") {
      meta.generation = number(row.text(1));
    } else {
      meta.swept_at_ms = static_cast<std::int64_t>(number(row.text(1)));
    }
  }));
  return meta;
}

Result<OpenedIndex> open_index(const std::string& path, store::Access access) {
  OpenedIndex opened;
  auto database = store::Database::open(path, {access, 5000});
  if (!database) {
    if (database.error().kind == ErrorKind::not_found) {
      return opened;
    }
    return std::move(database).error();
  }
  TRY_ASSIGN(opened.usability, judge(*database));
  if (opened.usability != Usability::usable) {
    return opened;
  }
  if (access != store::Access::read_only && database->is_read_only() &&
      is_for_newer_writers(path)) {
    opened.usability = Usability::damaged;
    return opened;
  }
  const auto prepared =
      database->execute(access == store::Access::read_only ? kReadPragmas : kChangePragmas);
  auto meta = prepared ? read_meta(*database) : Result<IndexMeta>(prepared.error());
  if (!meta) {
    if (meta.error().kind != ErrorKind::damaged) {
      return std::move(meta).error();
    }
    opened.usability = Usability::damaged;
    return opened;
  }
  opened.meta = std::move(meta).value();
  opened.database.emplace(std::move(database).value());
  return opened;
}

Result<IndexBuild> IndexBuild::begin(const std::string& path,
                                     std::uint64_t secret,
                                     std::uint64_t first_generation) {
  IndexBuild build;
  build.path_ = path;
  const std::string beside = path + ".new";
  TRY(store::remove_database(beside));
  TRY_ASSIGN(auto database, store::Database::open(beside));
  TRY(database.execute(kBuildPragmas));
  TRY(database.execute("PRAGMA application_id = " + std::to_string(kApplicationId)));
  TRY(database.execute("PRAGMA user_version = " + std::to_string(kSchemaVersion)));
  TRY(database.execute(kMetaTable));
  TRY(database.execute(kTables));
  build.meta_.index_id = random_id();
  build.meta_.secret = secret;
  build.meta_.generation = first_generation;
  TRY(put_meta(database, "index_id", build.meta_.index_id));
  TRY(put_meta(database, "secret", static_cast<std::int64_t>(build.meta_.secret)));
  build.database_.emplace(std::move(database));
  return build;
}

IndexBuild::IndexBuild(IndexBuild&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      database_(std::move(other.database_)),
      meta_(std::move(other.meta_)) {}

IndexBuild::~IndexBuild() {
  database_.reset();
  if (!path_.empty()) {
    static_cast<void>(store::remove_database(path_ + ".new"));  // else the next pass does
  }
}

Result<void> IndexBuild::complete() {
  {
    // At once, else each of them would be a transaction of its own.
    TRY_ASSIGN(auto transaction, store::Transaction::begin(*database_));
    TRY(database_->execute(kIndexes));
    TRY(database_->execute(kDayCounts));
    TRY(database_->execute(kVectorTriggers));
    TRY(database_->execute(kViews));
    TRY_ASSIGN(const std::string mark, schema_mark(*database_));
    TRY(put_meta(*database_, kSchemaMark, mark));
    TRY(transaction.commit());
  }
  // Here, where it is synced with the rest; under its own name it would wait for the disk four
  // times.
  TRY(database_->execute("PRAGMA journal_mode = WAL"));
  database_.reset();
  return sync(path_ + ".new");
}

Result<void> IndexBuild::install() {
  // The old one goes first, file and -wal: a new file beside an old -wal would be read as damaged.
  // Cut off in between there is no index, and the next pass makes one.
  TRY(store::remove_database(path_));
  if (::rename((path_ + ".new").c_str(), path_.c_str()) != 0) {
    return base::system_error("putting the new index in its place", path_, errno);
  }
  const std::string installed = std::exchange(path_, {});
  TRY(sync(installed.substr(0, installed.rfind('/') + 1)));
  TRY_ASSIGN(const auto opened, open_index(installed, store::Access::read_write));
  if (!opened.database) {
    return Error{ErrorKind::io, "the new index cannot be read back", installed, "Run it again."};
  }
  return {};
}

}  // namespace daybook::index
