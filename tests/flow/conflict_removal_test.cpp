// SPDX-License-Identifier: MIT
//
// What was removed stays in no trash of conflict copies, and is never put there.
#include "flow/conflict_copies.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {

using Catch::Contains;
using lineage::Kind;

namespace {

const std::string kSecret = "xenolithword";

SessionFiles secret_session(const std::string& body_end) {
  SessionFiles files("default", "secret", "2026-03-20T10:00:00.000Z");
  for (const Kind kind : {Kind::summary, Kind::transcript}) {
    files.file(kind).fields.set_text(
        "memory_sentence",
        "Stored the " + kSecret +
            " of the harbour gate in src/gate/secret.cpp of tidewater, and "
            "then rotated it at once.");
    files.file(kind).body = std::string(to_string(kind)) + " " + kSecret + body_end;
  }
  return files;
}

}  // namespace

TEST_CASE("a removal reaches into the trash: no byte of the text stays in the state folder") {
  IndexedVault vault;
  // Short bodies are not named by their hash, so that they must be known otherwise.
  const SessionFiles files = secret_session(
      GENERATE("\n", " is told here in a body that is long enough to be named by its hash.\n"));
  vault.add(files);
  vault.add({"default", "other", "2026-03-21T10:00:00.000Z"});
  vault.reindex();
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
    const std::string path = files.file(kind).path();
    vault.write(with_mark(path, kSyncthing), vault.read(path));
  }
  vault.write(with_mark("MEMORY.md", kSyncthing), vault.memory_md());
  vault.write(with_mark("MEMORY.md", kObsidian),
              "By hand: " + files.summary.body + "Stored the " + kSecret +
                  " of the harbour gate in src/gate/secret.cpp of tidewater, and then rotated it "
                  "at once.\n");
  const std::string innocent =
      SessionFiles("default", "other", "2026-03-21T10:00:00.000Z").summary.path();
  vault.write(with_mark(innocent, kSyncthing), vault.read(innocent));
  resolve(vault, find(vault));
  vault.reindex();
  REQUIRE(trashed(vault).size() == 6);
  // A copy that a crash cut off in the middle.
  vault.place().write("state/trash/2026-03-30T12-00-00.000Z/memory/.daybook-aaaaaaaaaaaaaaaa.tmp",
                      kSecret);
  SECTION("of the whole session") {
    vault.remove_session("secret");
    CHECK(vault.state_files_with(kSecret).empty());
    CHECK(vault.state_files_with(files.token() + "--summary").empty() == false);  // the audit
    CHECK(trashed(vault) == std::vector<std::string>{vault.read(innocent)});
  }
  SECTION("of one file after the other") {
    for (const Kind kind : {Kind::summary, Kind::transcript}) {
      service::Decisions decisions = vault.decisions();
      const auto plan = decisions.plan_removal(
          {capture::RemovalTarget::By::path, files.file(kind).path(), {}}, "a test");
      REQUIRE(plan);
      REQUIRE(decisions.remove(*plan));
      vault.reindex();
      vault.set_now("2026-03-30T12:01:00.000Z");  // each tombstone has a time of its own
    }
    CHECK(vault.state_files_with(kSecret).empty());
    CHECK(holds(trashed(vault), vault.read(innocent)));
  }
}

TEST_CASE("a tombstone that arrives by sync empties the trash of its session, too") {
  IndexedVault vault;
  SessionFiles files = secret_session("\n");
  vault.add(files);
  vault.reindex();
  vault.write(with_mark(files.summary.path(), kSyncthing), vault.read(files.summary.path()));
  resolve(vault, find(vault));
  REQUIRE(trashed(vault).size() == 1);
  files.tombstone.present = true;
  files.tombstone.name = "2026-03-25T10-00-00.000Z--" + files.token() + "--tombstone.md";
  files.tombstone.fields.set_text("removed_at", "2026-03-25T10:00:00.000Z");
  files.write(vault.place(), "vault");
  vault.reindex();
  CHECK(trashed(vault).empty());
  CHECK(vault.state_files_with(kSecret).empty());
}

TEST_CASE("what was removed is never put into the trash") {
  IndexedVault vault;
  SessionFiles files = secret_session("\n");
  vault.add(files);
  vault.reindex();
  const std::string memory_md = vault.memory_md();
  const std::string summary = vault.read(files.summary.path());
  vault.remove_session("secret");
  vault.write(files.summary.path(), summary);
  vault.write(with_mark(files.summary.path(), kSyncthing), summary);
  vault.write(with_mark("MEMORY.md", kSyncthing), memory_md);
  const bool state_is_lost = GENERATE(false, true);  // then the tombstone in the vault tells it
  if (state_is_lost) {
    vault.use_state("another-device");
  }
  const auto found = find(vault);
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == ConflictKind::memory_md);
  CHECK(found[0].verdict == ConflictVerdict::derived_removed);
  CHECK(found[1].verdict == ConflictVerdict::removed_content);
  CHECK_THAT(found[1].reason, Contains("remove --purge"));
  const auto outcomes = resolve(vault, found);
  CHECK(outcomes[0].done == ConflictAction::remove);
  CHECK(outcomes[1].done == ConflictAction::keep);
  CHECK_FALSE(vault.exists(with_mark("MEMORY.md", kSyncthing)));
  CHECK(trashed(vault).empty());
  CHECK(vault.state_files_with(kSecret).empty());
}

}  // namespace daybook::test
