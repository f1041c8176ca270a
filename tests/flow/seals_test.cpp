// SPDX-License-Identifier: MIT
//
// Immutable files that change all the same: found, named, not projected, mended by their old bytes,
// accepted only on purpose.
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace daybook {
namespace {

using Catch::Contains;
using Catch::VectorContains;
using service::Extent;
using support::IndexedVault;
using support::SessionFiles;

const char* const kSentence =
    "Moved the lock of src/gate/sluice.cpp in tidewater into its own file, after which the two "
    "writers no longer waited for each other.";

SessionFiles gate() {
  SessionFiles session("default", "gate", "2026-03-20T10:00:00.000Z");
  session.summary.fields.set_text("memory_sentence", kSentence);
  session.summary.body = "# Sluice\n\nThe heronword stands here, and a good deal of other text.\n";
  return session;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

/// A session that is sealed in its manifest, indexed, and then changed; the changed file's path.
std::string change_after_sealing(IndexedVault& vault) {
  SessionFiles session = gate();
  session.seal();
  vault.add(session);
  vault.reindex();
  const std::string path = session.summary.path();
  vault.write(path, replaced(vault.read(path), "harness: \"claude-code\"", "harness: \"kestrel\""));
  return path;
}

}  // namespace

TEST_CASE("immutable artifact: a mutation after the commit is found in body and in each field") {
  IndexedVault vault;
  const SessionFiles session = gate();
  vault.add(session);
  vault.reindex();
  const std::string path = session.summary.path();
  const std::string original = vault.read(path);
  REQUIRE_THAT(vault.memory_md(), Contains(kSentence));
  REQUIRE(vault.search("heronword").size() == 1);

  std::string changed;
  std::string named;
  SECTION("body") {
    changed = original + "\nA forged ending with kestrelword.\n";
    named = ": body";
  }
  SECTION("each field of the frontmatter") {
    const std::string field = GENERATE(as<std::string>{},
                                       "project",
                                       "harness",
                                       "started_at",
                                       "ended_at",
                                       "memory_sentence",
                                       "memory_sentence_version",
                                       "memory_sentence_generated_at",
                                       "source_node_id",
                                       "agent_id",
                                       "session_id",
                                       "session_key",
                                       "captured_at",
                                       "manifest_path",
                                       "content_sha256",
                                       "hash_scope",
                                       "kind");
    const std::size_t at = original.find("\n" + field + ": ");
    REQUIRE(at != std::string::npos);
    const std::size_t end = original.find('\n', at + 1);
    changed =
        original.substr(0, at + field.size() + 3) + "\"forged kestrelword\"" + original.substr(end);
    named = field;
  }
  SECTION("a field that was added") {
    changed = replaced(original, "harness: ", "tags: [kestrelword]\nharness: ");
    named = "tags";
  }
  SECTION("broken frontmatter") {
    changed = replaced(original, "harness: ", "harness: [\nkestrelword: ");
    named = "harness";
  }
  vault.write(path, changed);

  const auto finding = [&] {
    CHECK_THAT(vault.codes(path), VectorContains(std::string("immutable-changed")));
    CHECK_THAT(vault.messages(path), Contains(named));
    // The session stays, as it was sealed and marked; nothing of the new text is shown or found.
    CHECK_THAT(vault.memory_md(), Contains(kSentence));
    CHECK_THAT(vault.memory_md(), Contains("session=gate"));
    CHECK_THAT(vault.memory_md(), Contains("changed since sealed"));
    CHECK_THAT(vault.memory_md(), !Contains("kestrelword"));
    CHECK(vault.search("kestrelword").empty());
    CHECK(vault.search("heronword").empty());
  };
  vault.reindex();
  finding();
  vault.reindex(Extent::everything);
  finding();
  vault.delete_state_file("index.db");
  vault.reindex();
  finding();

  vault.write(path, original);
  vault.reindex();
  CHECK(vault.codes(path).empty());
  CHECK_THAT(vault.memory_md(), !Contains("changed since sealed"));
  CHECK(vault.search("heronword").size() == 1);
}

TEST_CASE("a checkout with CRLF line ends and a BOM is no change") {
  IndexedVault vault;
  const SessionFiles session = gate();
  vault.add(session);
  vault.reindex();
  std::string text = "\xEF\xBB\xBF";
  for (const char c : vault.read(session.summary.path())) {
    text.append(c == '\n' ? "\r\n" : std::string(1, c));
  }
  vault.write(session.summary.path(), text);
  vault.reindex();
  CHECK(vault.codes(session.summary.path()).empty());
}

TEST_CASE("with index.db and state.db deleted the seals in the manifest still find a change") {
  IndexedVault vault;
  const std::string path = change_after_sealing(vault);
  vault.delete_state_file("index.db");
  vault.delete_state_file("state.db");
  vault.reindex();
  CHECK_THAT(vault.codes(path), VectorContains(std::string("immutable-changed")));
  CHECK_THAT(vault.memory_md(), Contains("session=gate"));
  CHECK_THAT(vault.memory_md(), Contains("(changed since sealed)"));
  CHECK(vault.search("heronword").empty());
}

TEST_CASE("what a manifest's seal has found stays found when the manifest has it no more") {
  IndexedVault vault;
  const std::string path = change_after_sealing(vault);
  const std::string changed = vault.read(path);
  vault.delete_state_file("index.db");
  vault.delete_state_file("state.db");
  vault.reindex();
  REQUIRE_THAT(vault.codes(path), VectorContains(std::string("immutable-changed")));
  const std::string found = vault.messages(path);
  const std::string memory = vault.memory_md();
  // As a session that goes on leaves it: the seals are those of newer files.
  vault.write(gate().manifest.path(), gate().text(lineage::Kind::manifest));
  vault.reindex();
  CHECK(vault.messages(path) == found);
  CHECK(vault.memory_md() == memory);
  vault.reindex(Extent::everything);
  CHECK(vault.messages(path) == found);

  vault.write(path, replaced(changed, "harness: \"kestrel\"", "harness: \"claude-code\""));
  vault.reindex();
  CHECK(vault.codes(path).empty());
  vault.write(path, changed);
  vault.reindex();
  CHECK_THAT(vault.messages(path), Contains("harness"));  // sealed with all that it says
}

TEST_CASE("a changed file is accepted by accept alone, which leaves an audit record") {
  IndexedVault vault;
  const std::string path = change_after_sealing(vault);
  vault.reindex();
  REQUIRE_THAT(vault.codes(path), VectorContains(std::string("immutable-changed")));

  REQUIRE(vault.decisions().accept(path, "renamed the harness"));
  vault.reindex();
  CHECK(vault.codes(path).empty());
  CHECK(vault.search("heronword").size() == 1);
  auto state = vault.open_state();
  const auto audit = state.audit().recent(1);
  REQUIRE(audit);
  REQUIRE(audit->size() == 1);
  CHECK(audit->front().action == state::AuditAction::accept);
  CHECK(audit->front().subject == path);
  CHECK(audit->front().reason == "renamed the harness");
  // The manifest follows, so that the decision holds on other devices, too.
  vault.delete_state_file("index.db");
  vault.delete_state_file("state.db");
  vault.reindex();
  CHECK(vault.codes(path).empty());
}

TEST_CASE("accept refuses what a new seal would not mend, and what is no sealed file") {
  IndexedVault vault;
  const SessionFiles session = gate();
  vault.add(session);
  vault.reindex();
  const std::string path = session.summary.path();
  vault.write(path, vault.read(path) + "\nMore.\n");
  vault.reindex();
  const auto refused = vault.decisions().accept(path, {});
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().hint, Contains("content_sha256"));
  CHECK_FALSE(vault.decisions().accept(session.manifest.path(), {}));
  CHECK_FALSE(vault.decisions().accept(session.transcript.path(), {}));  // is as it was sealed
  CHECK_FALSE(vault.decisions().accept("memory/none.md", {}));
  CHECK_FALSE(vault.decisions().accept("../outside.md", {}));
}

TEST_CASE("of two copies the sealed one counts, wherever it lies") {
  IndexedVault vault;
  const SessionFiles session = gate();
  vault.add(session);
  vault.reindex();
  const std::string path = session.summary.path();
  const std::string moved = "memory/zz/" + session.summary.name;
  vault.write(moved, vault.read(path));
  vault.write(path, replaced(vault.read(path), "harness: \"claude-code\"", "harness: \"kestrel\""));
  vault.reindex();
  CHECK_THAT(vault.codes(path), VectorContains(std::string("duplicate-artifact")));
  CHECK_THAT(vault.codes(moved), !VectorContains(std::string("duplicate-artifact")));
  CHECK_THAT(vault.memory_md(), Contains("[[" + moved + "|summary]]"));
}

TEST_CASE("a manifest of this device says where its session is shown, and causes no publication") {
  IndexedVault vault;
  SessionFiles session = gate();
  session.manifest.fields.set_text("device", vault.folder().device());
  session.manifest.fields.set("memory_md_refs", "[]");
  SessionFiles foreign("default", "foreign", "2026-03-21T10:00:00.000Z");
  foreign.manifest.fields.set_text("device", "anotherdevice234");
  foreign.manifest.fields.set("memory_md_refs", "[]");
  vault.add(session);
  vault.add(foreign);
  vault.reindex();
  CHECK_THAT(vault.read(session.manifest.path()),
             Contains("MEMORY.md#Session Ledger (Last 30 Days)") && Contains("revision: 2"));
  CHECK_THAT(vault.read(foreign.manifest.path()), Contains("memory_md_refs: []"));
  const auto again = vault.reindex();
  CHECK(again.added + again.changed + again.removed == 0);
  CHECK_FALSE(again.projections.front().written);
  // Out of the window it is shown no more.
  vault.set_now("2026-05-30T12:00:00.000Z");
  vault.reindex();
  CHECK_THAT(vault.read(session.manifest.path()), !Contains("Session Ledger"));
}

TEST_CASE("a manifest with a lower revision than the known one is stale") {
  IndexedVault vault;
  SessionFiles session = gate();
  session.manifest.fields.set("revision", "5");
  vault.add(session);
  vault.reindex();
  CHECK(vault.codes(session.manifest.path()).empty());
  session.manifest.fields.set("revision", "4");
  vault.add(session);
  vault.reindex();
  CHECK_THAT(vault.codes(session.manifest.path()),
             VectorContains(std::string("manifest-stale-revision")));
}

TEST_CASE("removing a copy leaves the seal to the copy that counts") {
  IndexedVault vault;
  const SessionFiles session = gate();
  vault.add(session);
  const std::string path = session.summary.path();
  const std::string copy = "memory/a/" + session.summary.name;
  std::filesystem::create_directories(vault.at("memory/a"));
  vault.write(copy, vault.read(path));
  vault.reindex();
  const auto plan =
      vault.decisions().plan_removal({capture::RemovalTarget::By::path, copy, {}}, "a test");
  REQUIRE(plan);
  REQUIRE(vault.decisions().remove(*plan));
  vault.reindex();
  const bool came_back = GENERATE(false, true);
  if (came_back) {
    vault.write(copy, vault.read(path));
    vault.reindex();
  }
  vault.write(path, replaced(vault.read(path), "harness: \"claude-code\"", "harness: \"kestrel\""));
  vault.reindex();
  CHECK_THAT(vault.codes(path), VectorContains(std::string("immutable-changed")));
}

TEST_CASE("removing the copy that was whole does not seal the changed one anew") {
  IndexedVault vault;
  const std::string path = change_after_sealing(vault);
  const std::string copy = "memory/a/" + path.substr(path.rfind('/') + 1);
  std::filesystem::create_directories(vault.at("memory/a"));
  vault.write(copy, replaced(vault.read(path), "harness: \"kestrel\"", "harness: \"claude-code\""));
  // Another body, too: the same one would be known as that of the removed copy.
  vault.write(path, vault.read(path) + "\nA line that was written later.\n");
  vault.reindex();  // the copy counts, because it is as it was sealed
  REQUIRE_THAT(vault.codes(path), VectorContains(std::string("duplicate-artifact")));
  const auto plan =
      vault.decisions().plan_removal({capture::RemovalTarget::By::path, copy, {}}, "a test");
  REQUIRE(plan);
  REQUIRE(vault.decisions().remove(*plan));
  vault.reindex();
  CHECK_THAT(vault.messages(path), Contains("harness"));
  CHECK_THAT(vault.codes(path), VectorContains(std::string("immutable-changed")));
}

TEST_CASE("an older manifest is told where nothing but manifests was seen") {
  IndexedVault vault;
  SessionFiles session = gate();
  const std::string path = session.manifest.path();
  session.manifest.fields.set("revision", "5");
  vault.write(path, session.text(lineage::Kind::manifest));
  vault.reindex();
  session.manifest.fields.set("revision", "4");
  vault.write(path, session.text(lineage::Kind::manifest));
  vault.reindex();
  CHECK_THAT(vault.codes(path), VectorContains(std::string("manifest-stale-revision")));
}

}  // namespace daybook
