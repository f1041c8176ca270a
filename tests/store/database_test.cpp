// SPDX-License-Identifier: MIT
#include "daybook/store/database.hpp"

#include "daybook/store/transaction.hpp"
#include "support/child.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace daybook;
using namespace daybook::store;
using daybook::support::TempFolder;

namespace {

Database opened(const std::string& path, const OpenOptions& options = {}) {
  auto database = Database::open(path, options);
  REQUIRE(database);
  return std::move(database).value();
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

}  // namespace

TEST_CASE("values of every type come back as they were bound") {
  const TempFolder folder;
  Database database = opened(folder.at("a.db"));
  REQUIRE(database.execute("CREATE TABLE t(i, r, t, b, n, o, e)"));
  auto insert = database.prepare("INSERT INTO t VALUES(?,?,?,?,?,?,?)");
  REQUIRE(insert);
  const std::array<std::uint8_t, 3> bytes{0, 255, 7};
  const std::string text("with \0 inside", 13);
  REQUIRE(insert->run(std::int64_t{-5},
                      0.5,
                      text,
                      as_blob(bytes),
                      nullptr,
                      std::optional<std::int64_t>(),
                      Access::read_only));
  auto select = database.prepare("SELECT i, r, t, b, n, o, e, typeof(t), typeof(b) FROM t");
  REQUIRE(select);
  int rows = 0;
  REQUIRE(select->each([&](const Row& row) {
    ++rows;
    CHECK(row.integer(0) == -5);
    CHECK(row.real(1) == 0.5);
    CHECK(row.text(2) == text);
    CHECK(row.blob(3) == std::string("\0\xff\x07", 3));
    CHECK(row.is_null(4));
    CHECK(row.optional_integer(5) == std::nullopt);
    CHECK(row.integer(6) == 2);
    CHECK(row.text(7) == "text");
    CHECK(row.text(8) == "blob");
  }));
  CHECK(rows == 1);
}

TEST_CASE("an uncommitted transaction leaves nothing, a committed one stays") {
  const TempFolder folder;
  Database database = opened(folder.at("a.db"));
  REQUIRE(database.execute("CREATE TABLE t(i)"));
  {
    auto transaction = Transaction::begin(database);
    REQUIRE(transaction);
    REQUIRE(database.execute("INSERT INTO t VALUES(1)"));
  }
  CHECK(database.integer("SELECT count(*) FROM t").value() == 0);
  auto transaction = Transaction::begin(database);
  REQUIRE(transaction);
  REQUIRE(database.execute("INSERT INTO t VALUES(1)"));
  REQUIRE(transaction->commit());
  CHECK(database.integer("SELECT count(*) FROM t").value() == 1);
}

TEST_CASE("one that does not wait is busy at once, and waits as before afterwards") {
  const TempFolder folder;
  Database database = opened(folder.at("a.db"), {Access::create, 1234});
  const auto wait = [&database] { return database.integer("PRAGMA busy_timeout").value(); };
  REQUIRE(wait() == 1234);
  {
    const NoWaiting at_once(database);
    CHECK(wait() == 0);
  }
  CHECK(wait() == 1234);
}

TEST_CASE("a second writer is told that it is busy") {
  const TempFolder folder;
  Database first = opened(folder.at("a.db"));
  Database second = opened(folder.at("a.db"), {Access::read_write, 0});
  auto held = Transaction::begin(first);
  REQUIRE(held);
  const auto refused = Transaction::begin(second);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::busy);
}

TEST_CASE("database files are private whatever the umask") {
  const TempFolder folder;
  const mode_t before = ::umask(0);
  {
    Database database = opened(folder.at("a.db"));
    REQUIRE(database.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(i)"));
    for (const char* suffix : {"", "-wal", "-shm"}) {
      CHECK(mode_of(folder.at("a.db") + suffix) == 0600);
    }
  }
  ::umask(before);
}

TEST_CASE("a database that must be there is not made, and none is opened through a link") {
  const TempFolder folder;
  const auto missing = Database::open(folder.at("none.db"), {Access::read_only, 0});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::not_found);
  REQUIRE(::symlink("/dev/null", folder.at("link.db").c_str()) == 0);
  CHECK_FALSE(Database::open(folder.at("link.db")));
}

TEST_CASE("a file that is no database is an error, is not sound, and can be set aside") {
  const TempFolder folder;
  const std::string path = folder.at("a.db");
  std::ofstream(path) << std::string(4096, 'x');
  Database database = opened(path);
  CHECK_FALSE(database.integer("SELECT count(*) FROM sqlite_master"));
  CHECK(database.is_sound().value() == false);
  const auto aside = set_aside(path);
  REQUIRE(aside);
  CHECK(*aside == path + ".set-aside-1");
  CHECK(::access(path.c_str(), F_OK) != 0);
  CHECK(::access(aside->c_str(), F_OK) == 0);
}

TEST_CASE("stopping a visit ends the reading, so that a checkpoint goes through") {
  const TempFolder folder;
  Database writer = opened(folder.at("a.db"), {Access::create, 0});
  REQUIRE(writer.execute(
      "PRAGMA journal_mode=WAL; CREATE TABLE t(i); INSERT INTO t VALUES(1),(2),(3)"));
  Database reader = opened(folder.at("a.db"), {Access::read_only, 0});
  auto select = reader.prepare("SELECT i FROM t");
  REQUIRE(select);
  int seen = 0;
  REQUIRE(select->each([&](const Row&) {
    ++seen;
    return Visit::stop;
  }));
  CHECK(seen == 1);
  CHECK(writer.checkpoint());
  REQUIRE(reader.execute("BEGIN; SELECT count(*) FROM t"));
  REQUIRE(writer.execute("INSERT INTO t VALUES(4)"));
  const auto held_up = writer.checkpoint();
  REQUIRE_FALSE(held_up);
  CHECK(held_up.error().kind == ErrorKind::busy);
}

TEST_CASE("a second connection of this process leaves the locks of the first alone") {
  const TempFolder folder;
  Database first = opened(folder.at("a.db"));
  REQUIRE(first.execute("CREATE TABLE t(i)"));
  auto held = Transaction::begin(first);
  REQUIRE(held);
  REQUIRE(first.execute("INSERT INTO t VALUES(1)"));
  { const Database second = opened(folder.at("a.db"), {Access::create, 0}); }
  // Another process must find it locked still; within this one SQLite keeps its own account.
  const auto answer = support::run_in_child([&]() -> std::string {
    auto other = Database::open(folder.at("a.db"), {Access::read_write, 0});
    return other && Transaction::begin(*other) ? "not locked" : "locked";
  });
  CHECK(answer.answer == "locked");
}

TEST_CASE("a disk that cannot be asked is no verdict, and a changed format is damage") {
  const TempFolder folder;
  {
    Database database = opened(folder.at("a.db"));
    REQUIRE(database.execute("CREATE TABLE t(i)"));
    CHECK(database.is_sound().value());
    CHECK_FALSE(database.is_read_only());
  }
  std::string bytes = folder.read("a.db");
  bytes[47] = 9;  // the schema format, of which SQLite knows four
  folder.write("format.db", bytes);
  CHECK(opened(folder.at("format.db")).is_sound().value() == false);
  bytes = folder.read("a.db");
  bytes[18] = 9;  // for newer ones to write
  folder.write("newer.db", bytes);
  Database newer = opened(folder.at("newer.db"));
  REQUIRE(newer.integer("SELECT count(*) FROM t"));
  CHECK(newer.is_read_only());

  Database first = opened(folder.at("a.db"));
  REQUIRE(first.execute("BEGIN EXCLUSIVE"));
  Database second = opened(folder.at("a.db"), {Access::read_write, 0});
  const auto asked = second.is_sound();
  REQUIRE_FALSE(asked);
  CHECK(asked.error().kind == ErrorKind::busy);
}

TEST_CASE("a statement may outlive its database, as it does when an error unwinds") {
  const TempFolder folder;
  auto database = std::make_unique<Database>(opened(folder.at("a.db")));
  REQUIRE(database->execute("CREATE TABLE t(i)"));
  auto insert = database->prepare("INSERT INTO t VALUES(?)");
  REQUIRE(insert);
  database.reset();
  REQUIRE(insert->run(1));
  CHECK(opened(folder.at("a.db")).integer("SELECT count(*) FROM t").value() == 1);
}

TEST_CASE("a statement that is prepared again forgets what it was bound to and what it was doing") {
  const TempFolder folder;
  Database database = opened(folder.at("a.db"));
  REQUIRE(database.execute("CREATE TABLE t(i); INSERT INTO t VALUES(1), (2), (3)"));
  const std::string sql = "SELECT i, ?1 IS NULL FROM t ORDER BY i";
  {
    auto first = database.prepare(sql);
    REQUIRE(first->each([](const Row&) { return Visit::stop; }, 5));
  }
  {
    // Cut off in the middle, as an error would.
    auto second = database.prepare(sql);
    auto third = database.prepare(sql);  // at the same time
    REQUIRE(second->each([&](const Row& row) {
      CHECK(row.integer(1) == 1);
      CHECK(third->integer().value() == 1);
    }));
  }
  int rows = 0;
  REQUIRE(database.prepare(sql)->each([&rows](const Row& row) {
    ++rows;
    CHECK(row.integer(0) == rows);
    CHECK(row.integer(1) == 1);
  }));
  CHECK(rows == 3);
  // What waits to be used again is in the way of nothing.
  CHECK(database.execute("VACUUM"));
  CHECK(database.execute("ALTER TABLE t ADD COLUMN j DEFAULT 7"));
  CHECK(database.prepare("SELECT sum(j) FROM t")->integer().value() == 21);
}

TEST_CASE("a connection tells when its path has come to mean another file, or none") {
  const TempFolder folder;
  const std::string path = folder.at("a.db");
  Database database = opened(path);
  REQUIRE(database.execute("CREATE TABLE t(i)"));
  CHECK(database.is_current());
  REQUIRE(::rename(path.c_str(), folder.at("b.db").c_str()) == 0);
  CHECK_FALSE(database.is_current());
  const Database another = opened(path);
  CHECK_FALSE(database.is_current());
  CHECK(another.is_current());
}

TEST_CASE("a connection that is held open leaves alone the log of whatever has replaced its file") {
  const TempFolder folder;
  const std::string path = folder.at("a.db");
  const auto make = [&path] {
    Database database = opened(path);
    REQUIRE(database.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(i)"));
    return database;
  };
  auto held = std::make_unique<Database>(make());
  held->hold_open();
  REQUIRE(held->execute("INSERT INTO t VALUES(1)"));
  REQUIRE(remove_database(path));
  Database replaced = make();
  REQUIRE(replaced.execute("INSERT INTO t VALUES(2)"));
  held.reset();
  CHECK(::access((path + "-wal").c_str(), F_OK) == 0);
  CHECK(opened(path).integer("SELECT i FROM t").value() == 2);
}

TEST_CASE("a connection that is held open writes its log back when told, not in a commit") {
  const TempFolder folder;
  Database database = opened(folder.at("a.db"));
  REQUIRE(database.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(b)"));
  database.hold_open();
  const auto size = [&folder] {
    struct stat status {};
    REQUIRE(::stat(folder.at("a.db").c_str(), &status) == 0);
    return status.st_size;
  };
  REQUIRE(database.write_log_back());
  const auto before = size();
  for (int i = 0; i < 3; ++i) {  // more than the thousand pages after which SQLite would
    REQUIRE(database.execute("INSERT INTO t VALUES(randomblob(4000000))"));
  }
  CHECK(size() == before);
  REQUIRE(database.write_log_back());
  CHECK(size() > 12'000'000);
  CHECK(opened(folder.at("a.db")).integer("SELECT count(*) FROM t").value() == 3);

  // A small log is not worth the wait for the disk that the next commit would have.
  const auto small = size();
  REQUIRE(database.execute("INSERT INTO t VALUES(randomblob(100000))"));
  REQUIRE(database.write_log_back());
  CHECK(size() == small);
  for (int i = 0; i < 6; ++i) {
    REQUIRE(database.execute("INSERT INTO t VALUES(randomblob(100000))"));
  }
  REQUIRE(database.write_log_back());
  CHECK(size() > small);
}

TEST_CASE("what SQLite cannot hold in memory goes beside the database, not to a shared folder") {
  const TempFolder folder;
  folder.make_folder("private");
  const auto beside = support::run_in_child([&folder]() -> std::string {
    auto database = Database::open(folder.at("private/a.db"));
    const auto place = database ? database->text("PRAGMA temp_store_directory") : database.error();
    return place ? place->value_or("") : place.error().message;
  });
  // Of the first one in the process, which may be another test's.
  CHECK(beside.answer.find("/daybook-test-") != std::string::npos);
}
