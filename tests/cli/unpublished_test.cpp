// SPDX-License-Identifier: MIT
//
// What is gone from the vault while MEMORY.md cannot follow: the exit code says that it may still
// show it, of the agent whose it was and as often as it is asked.
#include "cli/memory_vault.hpp"
#include "daybook/store/database.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace daybook::test {
namespace {

constexpr const char* kGauge = "The quartzlantern gauge is of copper.";

/// With one thing learned that MEMORY.md shows.
class TellingVault : public MemoryVault {
 public:
  TellingVault() {
    index();
    id = json({"learnings", "add", kGauge}).at("id").dump();
    REQUIRE(contains(memory(), "quartzlantern"));
  }

  std::string memory() const { return place().read("vault/MEMORY.md"); }

  /// As another program that keeps replacing the file; what Daybook wrote stays in it.
  void contest(const std::string& path) const {
    const std::string shown = place().read("vault/" + path);
    for (const char* theirs : {"\ntheirs\n", "\ntheirs again\n"}) {
      place().write("vault/" + path, shown + theirs);
      run({"render"});
    }
  }

  std::string id;
};

using Words = std::vector<std::string>;

Words revoking(const TellingVault& vault) {
  return {"learnings", "revoke", vault.id, "--reason", "wrong"};
}
Words forgetting(const TellingVault& vault) {
  return {"learnings", "forget", vault.id, "--reason", "wrong", "--yes"};
}
Words clearing(const TellingVault&) { return {"learnings", "clear", "--force"}; }
Words removing(const TellingVault&) {
  return {"--agent", "default", "remove", "--session", "key-1", "--reason", "x", "--yes"};
}

using Wish = Words (*)(const TellingVault&);

}  // namespace

TEST_CASE("What a contested MEMORY.md may still show is told by exit code 1") {
  const TellingVault vault;
  const Wish wish = GENERATE(revoking, forgetting, clearing, removing);
  vault.contest("MEMORY.md");
  const auto done = vault.run(wish(vault));
  CHECK(done.exit_code == 1);
  CHECK_FALSE(done.out.empty());
  CHECK(contains(done.err, "daybook render --take-over"));
  CHECK(contains(vault.memory(), "quartzlantern"));
}

TEST_CASE("What is wished again while MEMORY.md may still show it gives exit code 1 again") {
  const TellingVault vault;
  const Wish wish = GENERATE(revoking, clearing);
  vault.contest("MEMORY.md");
  CHECK(vault.run(wish(vault)).exit_code == 1);
  CHECK(vault.run(wish(vault)).exit_code == 1);
  CHECK(vault.run({"render", "--take-over"}).exit_code == 0);
  CHECK(vault.run(wish(vault)).exit_code == 0);
  CHECK_FALSE(contains(vault.memory(), "quartzlantern"));
}

TEST_CASE("Another agent's contested MEMORY.md does not concern what goes") {
  const TellingVault vault;
  const Wish wish = GENERATE(revoking, forgetting, clearing, removing);
  vault.contest("agents/other/MEMORY.md");
  REQUIRE(vault.run({"render"}).exit_code == 1);
  CHECK(vault.run(wish(vault)).exit_code == 0);
}

TEST_CASE("A purge beside a MEMORY.md that cannot follow gives exit code 1") {
  const TellingVault vault;
  const std::string path =
      "vault/" + vault.json({"learnings", "show", vault.id}).at("path").get<std::string>();
  const std::string note = vault.place().read(path);
  REQUIRE(vault.run(forgetting(vault)).exit_code == 0);
  vault.place().write(path, note);
  vault.contest("MEMORY.md");
  const auto purged = vault.run({"remove", "--purge", "--yes"});
  CHECK(purged.exit_code == 1);
  CHECK(contains(purged.out, "Deleted 1 file"));
  CHECK(vault.run({"remove", "--purge", "--yes"}).exit_code == 1);
}

TEST_CASE(
    "A MEMORY.md that another device publishes may show what is gone until that one follows") {
  const TellingVault vault;
  const Wish wish = GENERATE(revoking, forgetting, clearing, removing);
  vault.place().write("vault/daybook.yaml", "publisher: some-other-device\n");
  const auto done = vault.run(wish(vault));
  CHECK(done.exit_code == 1);
  CHECK(contains(done.err, "until that one publishes"));
  CHECK(contains(vault.memory(), "quartzlantern"));
  SECTION("which is no fault of this one") { CHECK(vault.run({"reindex"}).exit_code == 0); }
  SECTION("and then it does not") {
    vault.place().write("vault/MEMORY.md", vault.run({"render", "--stdout"}).out);
    CHECK(vault.run({"learnings", "clear", "--force"}).exit_code != 3);
    vault.place().write("vault/MEMORY.md", vault.run({"render", "--stdout"}).out);
    CHECK(vault.run({"learnings", "clear", "--force"}).exit_code == 0);
  }
}

TEST_CASE("A revocation that MEMORY.md cannot follow because another publishes gives exit code 1") {
  const TellingVault vault;
  {
    auto writer = store::Database::open(vault.place().at("state/lease.db"));
    REQUIRE(writer);
    REQUIRE(writer->execute("BEGIN IMMEDIATE"));
    const auto done = vault.run(revoking(vault));
    CHECK(done.exit_code == 1);
    CHECK(contains(done.out, "Revoked " + vault.id));
    CHECK(contains(done.err, "follow with the next pass"));
  }
  CHECK(vault.run(revoking(vault)).exit_code == 0);
  CHECK_FALSE(contains(vault.memory(), "quartzlantern"));
}

TEST_CASE("Who revokes a note that nobody can read is told that it does not say so itself") {
  const MemoryVault vault;
  vault.place().write("vault/memory/learnings/7-unread.md", "---\n: [\n---\nx\n");
  vault.index();
  for (int i = 0; i < 2; ++i) {
    const auto done = vault.run({"learnings", "revoke", "7", "--reason", "wrong"});
    CHECK(done.exit_code == 0);
    CHECK(done.out == "Revoked 7\n");
    CHECK(contains(done.err, "memory/learnings/7-unread.md"));
  }
  const auto again = vault.json({"learnings", "revoke", "7", "--reason", "wrong"});
  CHECK(again.at("not_edited").size() == 1);
  CHECK(again.at("changed") == false);
}

}  // namespace daybook::test
