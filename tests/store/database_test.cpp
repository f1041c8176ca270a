// SPDX-License-Identifier: MIT
#include "daybook/store/database.hpp"

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
