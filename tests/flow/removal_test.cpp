// SPDX-License-Identifier: MIT
//
// What a removal takes, what it leaves, and how it is lifted. That nothing brings the text back and
// no byte of it stays is proved in tests/security/removal_test.cpp.
#include "daybook/base/atomic_file.hpp"
#include "daybook/canon/tombstone_writer.hpp"
#include "support/indexed_vault.hpp"
#include "support/removed_session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using Catch::VectorContains;
using lineage::Kind;
using service::Extent;
using support::check_gone;
using support::IndexedVault;
using support::kSecret;
using support::kSentence;
using support::other_session;
using support::secret_session;
using support::SessionFiles;

}  // namespace

TEST_CASE("purge deletes what came back, and nothing else") {
  IndexedVault vault;
  const SessionFiles session = secret_session();
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  const std::string summary = vault.read(session.summary.path());
  vault.remove_session("secret");
  vault.write("memory/back.md", summary);
  vault.write("memory/mine.md", "# Mine\n");
  vault.reindex();
  service::Decisions decisions = vault.decisions();
  const auto paths = decisions.purgeable();
  REQUIRE(paths);
  CHECK(*paths == std::vector<std::string>{"memory/back.md"});
  // It is looked at once more: what has become harmless stays.
  vault.write("memory/back.md", "# Quite another text\n");
  REQUIRE(decisions.purge(*paths));
  CHECK(vault.exists("memory/back.md"));
  vault.write("memory/back.md", summary);
  REQUIRE(decisions.purge(*paths).value() == *paths);
  CHECK_FALSE(vault.exists("memory/back.md"));
  CHECK(vault.exists("memory/mine.md"));
  CHECK(vault.exists(other_session().summary.path()));
}

TEST_CASE("a tombstone takes down no body that others share") {
  IndexedVault vault;
  SessionFiles session = secret_session();
  const std::string boilerplate =
      "# Nothing to report\n\nThis is the boilerplate that every quiet session of ours carries.\n";
  session.transcript.body = boilerplate;
  SessionFiles sharing = other_session();
  sharing.transcript.body = boilerplate;
  sharing.summary.body = "";  // an empty body is shared by chance
  SessionFiles empty("default", "empty", "2026-03-19T10:00:00.000Z");
  empty.summary.body = "";
  empty.transcript.body = "   \n";
  SessionFiles foreign("scribe", "foreign", "2026-03-19T11:00:00.000Z");
  foreign.summary.body = session.summary.body;  // equal, but another agent's
  vault.add(session);
  vault.add(sharing);
  vault.add(empty);
  vault.add(foreign);
  vault.reindex();
  vault.remove_session("secret");
  vault.remove_session("empty");
  CHECK(vault.codes(sharing.transcript.path()).empty());
  CHECK_THAT(vault.codes(sharing.summary.path()),
             !VectorContains(std::string("removed-content-present")));
  CHECK_THAT(vault.memory_md(), Contains("session=other"));
  CHECK(vault.codes(foreign.summary.path()).empty());
  CHECK_THAT(vault.memory_md("scribe"), Contains("session=foreign"));
  CHECK(vault.search(kSecret) == std::vector<std::string>{foreign.summary.path()});
}

TEST_CASE("a tombstone that arrives as a file hides and erases, but deletes no file") {
  IndexedVault vault;
  SessionFiles session = secret_session();
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  session.tombstone.present = true;
  session.tombstone.name = "2026-03-25T10-00-00.000Z--" + session.token() + "--tombstone.md";
  session.tombstone.fields.set_text("removed_at", "2026-03-25T10:00:00.000Z");
  SECTION("well-formed") {}
  SECTION("forged to name files of others and of the system") {
    session.tombstone.fields.set_list(
        "removed_paths",
        {other_session().summary.path(), "../../etc/passwd", "/etc/passwd", "daybook.yaml"});
  }
  SECTION("malformed: honoured by the token in its name") {
    session.tombstone.bytes = "this is no frontmatter\n";
  }
  session.write(vault.place(), "vault");
  vault.reindex();
  check_gone(vault);
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
    CHECK(vault.exists(session.file(kind).path()));
    CHECK(vault.exists(other_session().file(kind).path()));
  }
  CHECK_THAT(vault.codes(session.summary.path()),
             VectorContains(std::string("removed-content-present")));
}

TEST_CASE("a tombstone that arrives means a session by either of its tokens") {
  IndexedVault vault;
  SessionFiles session = secret_session();
  session.set_everywhere("session_id", "\"harbour-id\"");
  const std::string by_id = lineage::SessionToken::derive("default", "harbour-id").to_string();
  std::string in_names = session.token();
  std::string in_tombstone = by_id;
  SECTION("by its id, while its files are named after its key") {}
  SECTION("by its key, while its files are named after its id") {
    std::swap(in_names, in_tombstone);
  }
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
    session.file(kind).name =
        "2026-03-20T10-00-00.000Z--" + in_names + "--" + std::string(to_string(kind)) + ".md";
  }
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  REQUIRE_THAT(vault.memory_md(), Contains("session=secret"));
  vault.write("memory/2026-03-25T10-00-00.000Z--" + in_tombstone + "--tombstone.md",
              "this is no frontmatter\n");
  vault.reindex();
  check_gone(vault);
  const std::string rows = vault.rows();
  vault.reindex(Extent::everything);
  CHECK(vault.rows() == rows);
}

TEST_CASE("unremove lifts the removal here and in the vault") {
  IndexedVault vault;
  const SessionFiles session = secret_session();
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  vault.remove_session("secret");
  session.write(vault.place(), "vault");
  vault.reindex();
  check_gone(vault);
  REQUIRE(vault.decisions().unremove(session.token()));
  vault.reindex();
  CHECK_THAT(vault.memory_md(), Contains(kSecret));
  CHECK(vault.search(kSecret).size() == 2);
  CHECK_FALSE(vault.decisions().unremove(session.token()));  // nothing is in force any more
  CHECK_FALSE(vault.decisions().unremove("nonsense"));
  // On another device, which knows only the file:
  vault.use_state("another-device");
  vault.reindex();
  CHECK_THAT(vault.memory_md(), Contains(kSecret));
}

TEST_CASE("one file can be removed: the session stays and its manifest is mended") {
  IndexedVault vault;
  const SessionFiles session = secret_session();
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  service::Decisions decisions = vault.decisions();
  const auto plan = decisions.plan_removal(
      {capture::RemovalTarget::By::path, session.transcript.path(), {}}, "too long");
  REQUIRE(plan);
  CHECK(plan->files == std::vector<std::string>{session.transcript.path()});
  REQUIRE(decisions.remove(*plan));
  vault.reindex();
  CHECK_FALSE(vault.exists(session.transcript.path()));
  CHECK(vault.search(kSecret) == std::vector<std::string>{session.summary.path()});
  CHECK_THAT(vault.memory_md(), Contains("session=secret"));
  CHECK_THAT(vault.memory_md(), !Contains(session.transcript.path()));
  CHECK_THAT(vault.read(session.manifest.path()), Contains("transcript_path: null"));
  CHECK_THAT(vault.codes(session.manifest.path()),
             !VectorContains(std::string("link-missing-target")));
  CHECK(vault.state_files_with("of the transcript is told here").empty());
  vault.write("memory/again.md", session.text(Kind::transcript));
  vault.reindex();
  CHECK_THAT(vault.codes("memory/again.md"),
             VectorContains(std::string("removed-content-present")));
}

TEST_CASE("the manifest of a resumed session is mended, too, and copies that quote the text go") {
  IndexedVault vault;
  SessionFiles session = secret_session();
  // Resumed: the transcript was captured an hour after the session's first files.
  session.transcript.name = "2026-03-20T11-00-00.000Z--" + session.token() + "--transcript.md";
  session.transcript.fields.set_text("captured_at", "2026-03-20T11:00:00.000Z");
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  vault.write("MEMORY.md", std::string("My notes.\n") + kSentence + "\n");
  vault.reindex();
  REQUIRE_FALSE(vault.state_files_with(kSentence).empty());
  service::Decisions decisions = vault.decisions();
  const auto plan = decisions.plan_removal(
      {capture::RemovalTarget::By::path, session.transcript.path(), {}}, "too long");
  REQUIRE(plan);
  REQUIRE(decisions.remove(*plan));
  vault.reindex();
  CHECK_THAT(vault.read(session.manifest.path()), Contains("transcript_path: null"));
  CHECK(fs::is_empty(vault.folder().file("replaced")));
}

TEST_CASE("a removal names one session, exactly") {
  IndexedVault vault;
  vault.add(secret_session());
  vault.add({"scribe", "secret", "2026-03-20T10:00:00.000Z"});
  vault.reindex();
  service::Decisions decisions = vault.decisions();
  using By = capture::RemovalTarget::By;
  CHECK_FALSE(decisions.plan_removal({By::session, "secre", {}}, "no"));   // a beginning only
  CHECK_FALSE(decisions.plan_removal({By::session, "secret", {}}, "no"));  // two agents
  CHECK(decisions.plan_removal({By::session, "secret", "scribe"}, "no"));
  CHECK_FALSE(decisions.plan_removal({By::token, "secret", {}}, "no"));
  CHECK_FALSE(decisions.plan_removal({By::path, "../outside.md", {}}, "no"));
  CHECK_FALSE(decisions.plan_removal({By::session, "", {}}, "no"));
}

TEST_CASE("a removal that was cut off after its record is finished by the next pass") {
  IndexedVault vault;
  const SessionFiles session = secret_session();
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  const auto plan =
      vault.decisions().plan_removal({capture::RemovalTarget::By::session, "secret", {}}, "a test");
  REQUIRE(plan);
  {
    // As a crash right behind the first record leaves it: no tombstone yet, every file there.
    auto state = vault.open_state();
    const auto text = canon::tombstone_text(plan->tombstone);
    REQUIRE(text);
    REQUIRE(state.flows().begin(
        {{}, state::kRemovalFlow, plan->tombstone.token.to_string(), "tombstone", *text},
        {support::kTestNow}));
  }
  const auto report = vault.reindex();
  REQUIRE(report.notices.size() == 1);
  CHECK_THAT(report.notices.front(), Contains("finished"));
  check_gone(vault);
  CHECK_FALSE(vault.exists(session.summary.path()));
  CHECK(vault.reindex().notices.empty());
}

TEST_CASE("telemetry survives a rebuild and the deletion of index.db, and goes with its session") {
  IndexedVault vault;
  const SessionFiles session = secret_session();
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  const auto token = lineage::SessionToken::parse(session.token()).value();
  const auto other = lineage::SessionToken::parse(other_session().token()).value();
  {
    auto state = vault.open_state();
    const std::vector<state::TelemetrySubject> both{{token, "default"}, {other, "default"}};
    REQUIRE(state.telemetry().record(state::TelemetryEvent::opened, both, {support::kTestNow}));
  }
  const auto opened = [&](lineage::SessionToken of) {
    auto state = vault.open_state();
    const auto found = state.telemetry().get(of);
    REQUIRE(found);
    return *found ? (*found)->opened.times : 0;
  };
  vault.reindex(Extent::everything);
  CHECK(opened(token) == 1);
  vault.delete_state_file("index.db");
  vault.reindex();
  CHECK(opened(token) == 1);
  vault.remove_session("secret");
  CHECK(opened(token) == 0);
  CHECK(opened(other) == 1);
}

TEST_CASE("what a killed writer has left anywhere in memory/ goes with a removal") {
  IndexedVault vault;
  vault.add(secret_session());
  vault.add(other_session());
  vault.reindex();
  fs::create_directories(vault.at("memory/learnings/ideas"));
  fs::create_directories(vault.place().at("elsewhere"));
  fs::create_directory_symlink(vault.place().at("elsewhere"), vault.at("memory/linked"));
  const std::string name = "/.daybook-abcdefgh22222222.tmp";
  REQUIRE(base::is_temporary_name(name.substr(1)));
  for (const char* folder :
       {"memory", "memory/learnings", "memory/learnings/ideas", "memory/linked"}) {
    vault.write(folder + name, kSecret);
  }
  auto writing = base::AtomicFile::create(vault.at("memory/learnings/new.md"));
  REQUIRE(writing);
  REQUIRE(writing->write("being written"));
  vault.remove_session("secret");
  CHECK_FALSE(vault.exists("memory" + name));
  CHECK_FALSE(vault.exists("memory/learnings" + name));
  CHECK_FALSE(vault.exists("memory/learnings/ideas" + name));
  CHECK(fs::exists(vault.place().at("elsewhere" + name)));
  REQUIRE(writing->commit(base::IfExists::keep));
  CHECK(vault.read("memory/learnings/new.md") == "being written");
}

}  // namespace daybook
