// SPDX-License-Identifier: MIT
//
// What a service holds open, while others replace, delete or rebuild it.
#include "flow/disturbance.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

namespace daybook::flow {
namespace {

/// Writes a session and follows it as the service would.
service::PassReport follow_new(IndexedVault& vault, int number) {
  const auto files = session(number, Naming::by_path);
  vault.add(files);
  std::vector<std::string> hints;
  for (const auto* file : {&files.summary, &files.transcript, &files.compaction, &files.manifest}) {
    if (file->present) {
      hints.push_back("memory/" + file->name);
    }
  }
  return vault.follow(std::move(hints));
}

bool shows(const IndexedVault& vault, int number) {
  return vault.memory_md().find("session=key-" + std::to_string(number) + " ") != std::string::npos;
}

bool equals_rebuild(IndexedVault& vault) {
  const std::string rows = vault.rows();
  const std::string shown = vault.memory_md();
  vault.reindex(service::Extent::everything);
  return vault.rows() == rows && vault.memory_md() == shown;
}

}  // namespace

TEST_CASE("An index that another process has built anew is the one that is followed") {
  IndexedVault vault;
  vault.add(session(1, Naming::by_path));
  vault.reindex();
  REQUIRE(follow_new(vault, 2).narrow);
  vault.reindex(service::Extent::everything);
  CHECK(follow_new(vault, 3).narrow);
  CHECK(shows(vault, 3));
  // Closing what was replaced has not taken the new one's log with it.
  CHECK(vault.rows().find("key-3") != std::string::npos);
  vault.reindex(service::Extent::everything);
  vault.reindex(service::Extent::everything);
  CHECK(follow_new(vault, 4).narrow);
  CHECK(vault.rows().find("key-4") != std::string::npos);
  CHECK(equals_rebuild(vault));
}

TEST_CASE("Databases that are deleted under a service that holds them open are made anew") {
  IndexedVault vault;
  vault.add(session(1, Naming::by_path));
  vault.reindex();
  REQUIRE(follow_new(vault, 2).narrow);
  const std::string name = GENERATE("index.db", "state.db", "lease.db");
  CAPTURE(name);
  SECTION("by hand") { vault.delete_state_file(name); }
  SECTION("and another process has made it anew") {
    vault.delete_state_file(name);
    vault.write("memory/other.md", "A note.\n");
    vault.reindex();
  }
  static_cast<void>(follow_new(vault, 3));
  CHECK(shows(vault, 3));
  CHECK(fs::exists(vault.folder().file(name)));
  CHECK(follow_new(vault, 4).narrow);
  CHECK(shows(vault, 4));
  CHECK(vault.try_reindex());
  CHECK(vault.degraded() == std::vector<std::string>{});
  CHECK(equals_rebuild(vault));
}

TEST_CASE("A removal while a service holds the databases open leaves no byte behind") {
  IndexedVault vault;
  auto files = session(1, Naming::by_path);
  files.summary.body = "The secret is xyzzy-plugh.\n";
  vault.add(files);
  vault.add(session(2, Naming::by_path));
  vault.reindex();
  REQUIRE(follow_new(vault, 3).narrow);
  REQUIRE_FALSE(vault.state_files_with("key-1").empty());
  vault.remove_session("key-1");
  CHECK(vault.state_files_with("xyzzy-plugh").empty());
  CHECK(follow_new(vault, 4).notices.empty());
  CHECK_FALSE(shows(vault, 1));
  CHECK(vault.state_files_with("xyzzy-plugh").empty());
}

TEST_CASE("A state.db that a newer program has taken over is not written to any more") {
  IndexedVault vault;
  vault.add(session(1, Naming::by_path));
  vault.reindex();
  auto state = vault.open_state();
  CHECK(state.is_current());
  auto database = store::Database::open(vault.folder().file("state.db"));
  REQUIRE(database->execute("PRAGMA user_version = 99"));
  CHECK_FALSE(state.is_current());
}

TEST_CASE("An erasure that a reader holds up does not fill the disk while it is tried again") {
  IndexedVault vault;
  for (int i = 1; i <= 20; ++i) {
    vault.add(session(i, Naming::by_path));
  }
  vault.reindex();
  auto reader =
      store::Database::open(vault.folder().file("index.db"), {store::Access::read_only, 100});
  REQUIRE(reader->execute("BEGIN"));
  REQUIRE(reader->integer("SELECT count(*) FROM file"));
  service::Decisions deciding = vault.decisions();
  const auto plan =
      deciding.plan_removal({capture::RemovalTarget::By::session, "key-1", "default"}, "a test");
  REQUIRE(plan);
  static_cast<void>(deciding.remove(*plan));
  const auto refused = vault.try_reindex();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::busy);
  const std::string log = vault.folder().file("index.db-wal");
  const auto size = fs::file_size(log);
  CHECK_FALSE(vault.try_reindex());
  CHECK(fs::file_size(log) < size + 65'536);
  REQUIRE(reader->execute("ROLLBACK"));
  CHECK(vault.try_reindex());
  CHECK(vault.state_files_with("key-1\"").empty());
}

TEST_CASE("An index that is damaged under a service is mended by a whole pass") {
  IndexedVault vault;
  vault.add(session(1, Naming::by_path));
  vault.reindex();
  REQUIRE(follow_new(vault, 2).narrow);
  vault.delete_state_file("index.db");
  fs::copy_file(vault.at("memory/" + session(2, Naming::by_path).summary.name),
                vault.folder().file("index.db"));
  CHECK_FALSE(follow_new(vault, 3).narrow);
  CHECK(shows(vault, 3));
  CHECK(follow_new(vault, 4).narrow);
  CHECK(equals_rebuild(vault));
}

}  // namespace daybook::flow
