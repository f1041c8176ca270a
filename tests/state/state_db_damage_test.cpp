// SPDX-License-Identifier: MIT
// What is erased is in no byte, and what is damaged stands in nobody's way.
#include "daybook/store/database.hpp"
#include "state/state_bench.hpp"
#include "support/child.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace daybook;
using namespace daybook::state;
using daybook::support::run_in_child;
using daybook::support::TempFolder;
using lineage::ArtifactName;
using lineage::Kind;
namespace fs = std::filesystem;

namespace {

bool any_file_holds(const StateFolder& folder, const std::string& text) {
  bool found = false;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file()) {
      continue;
    }
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    found = found || bytes.find(text) != std::string::npos;
  }
  return found;
}

}  // namespace

TEST_CASE("erasing a session takes all of it but tombstones, its removal and the audit") {
  Bench bench;
  const std::string secret = "the-secret-sentence-that-must-go";
  std::vector<SealedFile> seals;
  for (int i = 0; i < 300; ++i) {
    seals.push_back({{token(i), {i}, Kind::summary}, seal(i == 7 ? secret : "plain")});
  }
  REQUIRE(bench.db.seals().put(seals));
  for (const int i : {7, 8}) {
    const std::vector<TelemetrySubject> subject{{token(i), i == 7 ? secret : "default"}};
    REQUIRE(bench.db.telemetry().record(TelemetryEvent::shown, subject, {1}));
    REQUIRE(bench.db.put_manifest_revision(token(i), {1, {}}));
    REQUIRE(bench.db.flows().begin(
        {"", "capture", token(i).to_string(), "spool", i == 7 ? secret : ""}, {1}));
    REQUIRE(bench.db.flows().begin({"", kRemovalFlow, token(i).to_string(), "erase", ""}, {1}));
  }
  lineage::Tombstone tombstone;
  tombstone.token = token(7);
  REQUIRE(bench.db.tombstones().put(tombstone));
  REQUIRE(bench.db.audit().append({{1}, AuditAction::remove, token(7).to_string(), "", ""}));

  REQUIRE(bench.db.erase_session(token(7)));
  REQUIRE(bench.db.scrub());
  CHECK(bench.db.seals().count().value() == 299);
  CHECK(bench.db.telemetry().get(token(7)).value() == std::nullopt);
  CHECK(bench.db.telemetry().get(token(8)).value() != std::nullopt);
  CHECK(bench.db.manifest_revision(token(7)).value() == std::nullopt);
  CHECK(bench.db.manifest_revision(token(8)).value() != std::nullopt);
  CHECK(bench.db.flows().unfinished().value().size() == 3);
  CHECK(bench.db.tombstones().all().value().size() == 1);
  CHECK(bench.db.audit().recent(9).value().size() == 1);
  CHECK_FALSE(any_file_holds(bench.folder, secret));
  CHECK(any_file_holds(bench.folder, "/srv/project"));  // the search itself works
}

TEST_CASE("a reader holds up scrubbing: erasure pending, and done once it has gone") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  StateDb db = open_db(folder, 50);
  const std::string secret = "the-secret-sentence-that-must-go";
  const std::vector<SealedFile> seals{{{token(1), {1}, Kind::summary}, seal(secret)}};
  REQUIRE(db.seals().put(seals));
  {
    auto reader = store::Database::open(folder.file("state.db"), {store::Access::read_only, 50});
    REQUIRE(reader);
    REQUIRE(reader->execute("BEGIN; SELECT count(*) FROM seal"));
    REQUIRE(db.erase_session(token(1)));
    const auto pending = db.scrub();
    REQUIRE_FALSE(pending);
    CHECK(pending.error().kind == ErrorKind::busy);
    CHECK(pending.error().message.find("erasure pending") != std::string::npos);
  }
  REQUIRE(db.scrub());
  CHECK_FALSE(any_file_holds(folder, secret));
}

TEST_CASE("damage to state.db is set aside, told, and started anew") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  const std::vector<SealedFile> seals{{{token(1), {1}, Kind::summary}, seal("x")}};
  REQUIRE(open_db(folder).seals().put(seals));
  const std::string path = folder.file("state.db");
  bool kept = false;
  SECTION("cut") { fs::resize_file(path, 9000); }
  SECTION("foreign") { temp.write("state/state.db", "something else"); }
  SECTION("a flipped bit in a page") {
    std::string bytes = temp.read("state/state.db");
    bytes[3 * 4096] = static_cast<char>(bytes[3 * 4096] ^ 0x10);
    temp.write("state/state.db", bytes);
  }
  SECTION("a flipped bit in the version or the owner, which stand there twice") {
    std::string bytes = temp.read("state/state.db");
    const std::size_t offset = GENERATE(63U, 60U, 68U);
    bytes[offset] = static_cast<char>(bytes[offset] ^ 0x01);
    temp.write("state/state.db", bytes);
    kept = true;
  }
  StateDb db = open_db(folder);
  CHECK(db.set_aside() == (kept ? "" : path + ".set-aside-1"));
  CHECK(db.seals().count().value() == (kept ? 1 : 0));
  REQUIRE(db.seals().put(seals));
  CHECK(open_db(folder).set_aside().empty());
}

TEST_CASE("damage deep in a large state.db is found once it is suspected") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  {
    StateDb db = open_db(folder);
    std::vector<SealedFile> seals;
    for (int i = 0; i < 12'000; ++i) {
      seals.push_back({{token(i), {i}, Kind::summary}, seal(std::string(300, 'x'))});
    }
    REQUIRE(db.seals().put(seals));
    REQUIRE(db.scrub());
  }
  std::string bytes = temp.read("state/state.db");
  REQUIRE(bytes.size() > (std::size_t{4} << 20));
  const std::size_t page = bytes.size() / 4096 / 2 * 4096;
  bytes[page] = '\x7f';
  temp.write("state/state.db", bytes);
  {
    StateDb db = open_db(folder);
    CHECK(db.set_aside().empty());
    const auto read = db.seals().each([](const ArtifactName&, const Seal&) {});
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::damaged);
    db.suspect();
  }
  CHECK_FALSE(open_db(folder).set_aside().empty());
  CHECK(open_db(folder).set_aside().empty());
}

TEST_CASE("a state.db of a newer program is left alone with a clear error") {
  Bench bench;
  {
    auto raw = store::Database::open(bench.folder.file("state.db"));
    REQUIRE(
        raw->execute("PRAGMA user_version=99; UPDATE meta SET value = '99' WHERE name = 'schema'"));
  }
  const auto newer = StateDb::open(bench.folder);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().kind == ErrorKind::usage);
  CHECK(newer.error().hint.find("Upgrade") != std::string::npos);
}

TEST_CASE("a full disk is no damage: the database stays where it is") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  const std::vector<SealedFile> seals{{{token(1), {1}, Kind::summary}, seal("x")}};
  REQUIRE(open_db(folder).seals().put(seals));
  const auto child = run_in_child([&]() -> std::string {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto db = StateDb::open(folder);
    return db ? "opened" : "refused";
  });
  CHECK(child.exit_code == 0);
  CHECK(folder.set_aside_files().value().empty());
  CHECK(open_db(folder).seals().count().value() == 1);
}

TEST_CASE("what was told as done survives a kill, and processes that open it at once agree") {
  const TempFolder temp;
  const StateFolder folder = state_in(temp);
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto db = StateDb::open(folder);
      const std::vector<SealedFile> seals{{{token(i), {1}, Kind::summary}, seal("x")}};
      const bool done = db && db->seals().put(seals);
      ::kill(::getpid(), done ? SIGKILL : SIGTERM);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WTERMSIG(status) == SIGKILL);
  }
  StateDb db = open_db(folder);
  CHECK(db.set_aside().empty());
  CHECK(db.seals().count().value() == 8);
}
