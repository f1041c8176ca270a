// SPDX-License-Identifier: MIT
#include "daybook/lineage/tombstone_set.hpp"

#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/said_hash.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace daybook::lineage {
namespace {

const SessionToken kRemoved = SessionToken::derive("default", "removed");
const SessionToken kOtherForm = SessionToken::derive("default", "removed-session-id");
const SessionToken kLive = SessionToken::derive("default", "live");
const base::Digest kBody = base::sha256("a body that was removed");
const base::Digest kLiveBody = base::sha256("a body that stays");

std::string path_of(SessionToken token, const std::string& kind) {
  return "memory/2026-03-28T22-34-06.792Z--" + token.to_string() + "--" + kind + ".md";
}

Tombstone session_tombstone() {
  Tombstone tombstone;
  tombstone.agent_id = "default";
  tombstone.token = kRemoved;
  tombstone.also_tokens = {kOtherForm};
  tombstone.removed_at = Timestamp{1000};
  tombstone.removed_paths = {"memory/old/renamed.md", path_of(kRemoved, "summary")};
  tombstone.removed_sha256 = {kBody};
  return tombstone;
}

Tombstone paths_tombstone() {
  Tombstone tombstone = session_tombstone();
  tombstone.scope = TombstoneScope::paths;
  tombstone.removed_paths = {"memory/a.md", "memory/b.md"};
  return tombstone;
}

Tombstone learning_tombstone(TombstoneScope scope) {
  Tombstone tombstone;
  tombstone.agent_id = "default";
  tombstone.token = learning_token("default", 7);
  tombstone.learning_id = 7;
  tombstone.scope = scope;
  tombstone.removed_sha256 = {kBody};
  return tombstone;
}

TombstoneSet set_of(const Tombstone& tombstone) {
  TombstoneSet set;
  set.add(tombstone);
  return set;
}

}  // namespace

TEST_CASE("without tombstones nothing is removed") {
  const TombstoneSet set;
  CHECK(set.empty());
  CHECK_FALSE(set.lists_bodies());
  CHECK_FALSE(set.removes_session(kRemoved));
  CHECK_FALSE(set.removes_body(kBody, "default"));
  CHECK_FALSE(set.removes_body(kBody, ""));
  CHECK_FALSE(set.removes_path("memory/a.md"));
  CHECK_FALSE(set.was_removed(path_of(kRemoved, "summary")));
}

TEST_CASE("a session is removed under both forms of its token") {
  const TombstoneSet set = set_of(session_tombstone());
  CHECK_FALSE(set.empty());
  CHECK(set.removes_session(kRemoved));
  CHECK(set.removes_session(kOtherForm));
  CHECK_FALSE(set.removes_session(kLive));
}

TEST_CASE("a lifted tombstone removes nothing") {
  for (Tombstone tombstone : {session_tombstone(), paths_tombstone()}) {
    tombstone.lifted_at = Timestamp{2000};
    const TombstoneSet set = set_of(tombstone);
    CHECK(set.empty());
    CHECK_FALSE(set.lists_bodies());
    CHECK_FALSE(set.removes_session(kRemoved));
    CHECK_FALSE(set.removes_session(kOtherForm));
    CHECK_FALSE(set.removes_body(kBody, "default"));
    CHECK_FALSE(set.removes_path("memory/a.md"));
    CHECK_FALSE(set.was_removed("memory/a.md"));
    CHECK_FALSE(set.was_removed("memory/old/renamed.md"));
    CHECK_FALSE(set.was_removed(path_of(kRemoved, "summary")));
  }
}

TEST_CASE("a lifted tombstone does not lift another one") {
  TombstoneSet set;
  set.add(session_tombstone());
  Tombstone lifted = session_tombstone();
  lifted.lifted_at = Timestamp{2000};
  set.add(lifted);
  CHECK(set.removes_session(kRemoved));
  CHECK(set.removes_body(kBody, "default"));
}

TEST_CASE("a removed body is recognised within its agent") {
  const TombstoneSet set = set_of(session_tombstone());
  CHECK(set.lists_bodies());
  CHECK(set.removes_body(kBody, "default"));
  CHECK_FALSE(set.removes_body(kBody, "alice"));
  CHECK_FALSE(set.removes_body(kBody, "Default"));
  CHECK_FALSE(set.removes_body(kLiveBody, "default"));
  CHECK_FALSE(set.removes_body(kLiveBody, ""));
}

TEST_CASE("a body in a file without a valid agent is recognised from any agent") {
  const TombstoneSet set = set_of(session_tombstone());
  for (const std::string& agent : {std::string(),
                                   std::string("a:b"),
                                   std::string(".."),
                                   std::string("a/b"),
                                   std::string(65, 'x'),
                                   std::string("default ")}) {
    CAPTURE(agent);
    CHECK(set.removes_body(kBody, agent));
    CHECK_FALSE(set.removes_body(kLiveBody, agent));
  }
}

TEST_CASE("the same body may be removed by several agents") {
  TombstoneSet set = set_of(session_tombstone());
  Tombstone other = session_tombstone();
  other.agent_id = "alice";
  set.add(other);
  CHECK(set.removes_body(kBody, "default"));
  CHECK(set.removes_body(kBody, "alice"));
  CHECK_FALSE(set.removes_body(kBody, "bob"));
}

TEST_CASE("a tombstone of paths removes those paths and leaves the session") {
  const TombstoneSet set = set_of(paths_tombstone());
  CHECK_FALSE(set.empty());
  CHECK(set.removes_path("memory/a.md"));
  CHECK(set.removes_path("memory/b.md"));
  CHECK_FALSE(set.removes_path("memory/c.md"));
  CHECK_FALSE(set.removes_path("a.md"));
  CHECK_FALSE(set.removes_path("memory/A.md"));
  CHECK_FALSE(set.removes_session(kRemoved));
  CHECK_FALSE(set.removes_session(kOtherForm));
  CHECK(set.removes_body(kBody, "default"));  // a renamed copy of such a file
  CHECK_FALSE(set.was_removed(path_of(kRemoved, "summary")));
}

TEST_CASE("what a session's tombstone says of paths removes no file by its path") {
  // removed_paths of a tombstone that came by sync is hearsay; token and body are proof.
  const TombstoneSet set = set_of(session_tombstone());
  CHECK_FALSE(set.removes_path("memory/old/renamed.md"));
  CHECK_FALSE(set.removes_path(path_of(kRemoved, "summary")));
}

TEST_CASE("a link to what was removed is known by path or by the token in its name") {
  const TombstoneSet set = set_of(session_tombstone());
  CHECK(set.was_removed("memory/old/renamed.md"));
  CHECK(set.was_removed(path_of(kRemoved, "summary")));
  CHECK(set.was_removed(path_of(kRemoved, "transcript")));
  CHECK(set.was_removed(path_of(kRemoved, "manifest")));
  CHECK(set.was_removed(path_of(kOtherForm, "compaction")));
  CHECK(set.was_removed(path_of(kRemoved, "summary").substr(7)));  // without its folder
  CHECK_FALSE(set.was_removed(path_of(kRemoved, "tombstone")));    // the tombstone itself is there
  CHECK_FALSE(set.was_removed(path_of(kLive, "summary")));
  CHECK_FALSE(set.was_removed("memory/note.md"));
  CHECK_FALSE(set.was_removed(""));

  const TombstoneSet paths = set_of(paths_tombstone());
  CHECK(paths.was_removed("memory/a.md"));
  CHECK_FALSE(paths.was_removed("memory/c.md"));
}

TEST_CASE("a tombstone that cannot be read is honoured by its token alone") {
  TombstoneSet set;
  set.add_token(kRemoved);
  CHECK_FALSE(set.empty());
  CHECK_FALSE(set.lists_bodies());
  CHECK(set.removes_session(kRemoved));
  CHECK_FALSE(set.removes_session(kLive));
  CHECK(set.was_removed(path_of(kRemoved, "summary")));
}

TEST_CASE("a set that lists only bodies or only paths is not empty") {
  Tombstone bodies = paths_tombstone();
  bodies.removed_paths.clear();
  CHECK_FALSE(set_of(bodies).empty());
  CHECK(set_of(bodies).lists_bodies());

  Tombstone paths = paths_tombstone();
  paths.removed_sha256.clear();
  CHECK_FALSE(set_of(paths).empty());
  CHECK_FALSE(set_of(paths).lists_bodies());
}

TEST_CASE("what was forgotten is known by its id within the agent") {
  const TombstoneSet set = set_of(learning_tombstone(TombstoneScope::learning));
  CHECK_FALSE(set.empty());
  CHECK(set.removes_learning(7, "default"));
  CHECK(set.removes_learning(7, ""));
  CHECK(set.removes_learning(7, "no/agent"));
  CHECK_FALSE(set.removes_learning(7, "other"));
  CHECK_FALSE(set.removes_learning(8, "default"));
  Tombstone of_other = learning_tombstone(TombstoneScope::learning);
  of_other.agent_id = "other";
  of_other.token = learning_token("other", 7);
  CHECK(set_of(of_other).removes_learning(7, "other"));
  for (const char* agent : {"default", "", "no/agent"}) {
    CHECK_FALSE(set_of(of_other).removes_learning(7, agent));
    CHECK(set_of(of_other).removes_body(kBody, agent) == (std::string_view(agent) != "default"));
  }
  CHECK_FALSE(set.revokes_learning(7, "default"));
  CHECK(set.removes_body(kBody, "default"));
  CHECK_FALSE(set.removes_session(learning_token("default", 7)));
}

TEST_CASE("what was revoked is not removed") {
  const TombstoneSet set = set_of(learning_tombstone(TombstoneScope::revocation));
  CHECK_FALSE(set.empty());
  CHECK(set.revokes_learning(7, "default"));
  CHECK(set.revokes_learning(7, ""));
  CHECK_FALSE(set.revokes_learning(7, "other"));
  CHECK_FALSE(set.removes_learning(7, "default"));
  CHECK_FALSE(set.removes_body(kBody, "default"));
}

TEST_CASE("a tombstone of something learned counts without its number, and not when lifted") {
  Tombstone nameless = learning_tombstone(TombstoneScope::learning);
  nameless.learning_id.reset();
  CHECK(set_of(nameless).removes_learning(7, "default"));
  CHECK(set_of(nameless).removes_learning(7, ""));
  TombstoneSet unread;
  unread.add_token(learning_token("default", 7));
  CHECK(unread.removes_learning(7, "default"));
  CHECK(unread.removes_learning(7, ""));
  Tombstone lifted = learning_tombstone(TombstoneScope::revocation);
  lifted.lifted_at = Timestamp{5};
  CHECK(set_of(lifted).empty());
}

TEST_CASE("a removal means what has one of its traces, and no tombstone") {
  TombstoneSet set = set_of(paths_tombstone());
  set.add_token(kRemoved);
  set.add(learning_tombstone(TombstoneScope::learning));
  const std::vector<SessionToken> sessions{kLive, kRemoved};
  Traces traces;
  CHECK_FALSE(set.means(traces));
  SECTION("one of its sessions") { traces.sessions = sessions; }
  SECTION("its path") { traces.path = "memory/a.md"; }
  SECTION("its id") { traces.learning_id = 7; }
  SECTION("its body") { traces.body = kBody; }
  CHECK(set.means(traces));
  traces.kind = Kind::summary;
  CHECK(set.means(traces));
  traces.kind = Kind::tombstone;
  CHECK_FALSE(set.means(traces));
}

TEST_CASE("a removal means nothing that has only traces of others") {
  TombstoneSet set = set_of(paths_tombstone());
  set.add(learning_tombstone(TombstoneScope::learning));
  const std::vector<SessionToken> sessions{kLive};
  Traces traces;
  traces.sessions = sessions;
  traces.path = "memory/c.md";
  traces.agent_id = "default";
  traces.learning_id = 8;
  traces.body = kLiveBody;
  CHECK_FALSE(set.means(traces));
  traces.agent_id = "alice";
  traces.learning_id = 7;
  traces.body = kBody;
  CHECK_FALSE(set.means(traces));
}

TEST_CASE("a text without a place falls under no path") {
  Tombstone nowhere = paths_tombstone();
  nowhere.removed_paths = {""};
  nowhere.removed_sha256.clear();
  CHECK_FALSE(set_of(nowhere).means(Traces{}));
}

TEST_CASE("a short body proves nothing, unless nobody knows how short it is") {
  const TombstoneSet set = set_of(session_tombstone());
  Traces traces;
  traces.body = kBody;
  traces.body_size = kLeastNamedBody - 1;
  CHECK_FALSE(set.removes_text(traces));
  traces.learning_id = 7;  // what was listed is the body, not what a note says
  CHECK_FALSE(set.removes_text(traces));
  traces.body_size = kLeastNamedBody;
  CHECK(set.removes_text(traces));
  traces.body_size.reset();
  CHECK(set.removes_text(traces));
}

TEST_CASE("what was forgotten is known again under any id however short it is, and nowhere else") {
  Tombstone forgotten = learning_tombstone(TombstoneScope::learning);
  forgotten.removed_sha256 = {said_hash(kBody)};
  const TombstoneSet set = set_of(forgotten);
  Traces traces;
  traces.agent_id = "default";
  traces.body = kBody;
  traces.body_size = 1;
  CHECK_FALSE(set.means(traces));  // a short text of a session
  traces.learning_id = 8;
  CHECK(set.means(traces));
  traces.agent_id = "alice";
  CHECK_FALSE(set.means(traces));
}

TEST_CASE("what was forgotten is known again whatever blanks stand before it") {
  const std::string text = "Pier 7.";
  Tombstone forgotten = learning_tombstone(TombstoneScope::learning);
  forgotten.removed_sha256 = said_hashes(text);
  const TombstoneSet set = set_of(forgotten);
  for (const char* before : {"", "\n", "\n\n\n", " ", "\r\n \t\r\n  "}) {
    const std::string body = before + text + "\n";
    const auto said = said_hashes(body);
    Traces traces;
    traces.agent_id = "default";
    traces.learning_id = 8;
    traces.body = body_hash(body);
    traces.said = said;
    CHECK(set.removes_text(traces));
    traces.learning_id.reset();
    CHECK_FALSE(set.removes_text(traces));
  }
}

TEST_CASE("facts tell what was forgotten from what was revoked") {
  const std::string token = learning_token("default", 7).to_string();
  CHECK(set_of(learning_tombstone(TombstoneScope::revocation)).facts() ==
        std::vector<std::string>{"revoked " + token, "revoked-id 7"});
  CHECK(set_of(learning_tombstone(TombstoneScope::learning)).facts() ==
        std::vector<std::string>{
            "body " + base::to_hex(kBody) + " default", "forgotten " + token, "forgotten-id 7"});
}

}  // namespace daybook::lineage
