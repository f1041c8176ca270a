// SPDX-License-Identifier: MIT
#include "daybook/state/state_db.hpp"

#include "daybook/lineage/learning.hpp"
#include "daybook/store/database.hpp"
#include "state/state_bench.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

using namespace daybook;
using namespace daybook::state;
using lineage::ArtifactName;
using lineage::Kind;
using lineage::Timestamp;

TEST_CASE("seals come back as they were, in the order of their names") {
  Bench bench;
  std::vector<SealedFile> files;
  for (int i = 0; i < 50; ++i) {
    files.push_back(
        {{token(i), {1000 - i}, static_cast<Kind>(i % 3)}, seal("sentence " + std::to_string(i))});
  }
  REQUIRE(bench.db.seals().put(files));
  for (const auto& [name, expected] : files) {
    CHECK(bench.db.seals().find(name).value() == expected);
  }
  CHECK(bench.db.seals().find({token(1), {5}, Kind::summary}).value() == std::nullopt);
  CHECK(bench.db.seals().count().value() == 50);

  std::sort(
      files.begin(), files.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t place = 0;
  REQUIRE(bench.db.seals().each([&](const ArtifactName& name, const Seal& found) {
    REQUIRE(place < files.size());
    CHECK(name == files[place].first);
    CHECK(found == files[place].second);
    ++place;
  }));
  CHECK(place == files.size());

  Seal accepted = seal("accepted");
  accepted.accepted = true;
  const std::vector<SealedFile> again{{files[0].first, accepted}};
  REQUIRE(bench.db.seals().put(again));
  CHECK(bench.db.seals().find(files[0].first).value() == accepted);
  REQUIRE(bench.db.seals().erase(files[0].first.token));
  CHECK(bench.db.seals().find(files[0].first).value() == std::nullopt);
  CHECK(bench.db.seals().count().value() == 49);
}

TEST_CASE("telemetry counts, decays by half in fourteen days, and can be reset") {
  Bench bench;
  const std::vector<TelemetrySubject> both{{token(1), "default"}, {token(2), "coder"}};
  constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;
  Telemetry& telemetry = bench.db.telemetry();
  CHECK(telemetry.get(token(1)).value() == std::nullopt);
  REQUIRE(telemetry.record(TelemetryEvent::opened, both, {0}));
  REQUIRE(telemetry.record(TelemetryEvent::searched, std::span(both).first(1), {14 * kDay}));
  REQUIRE(telemetry.record(TelemetryEvent::shown, std::span(both).first(1), {14 * kDay}));

  const auto first = telemetry.get(token(1)).value();
  REQUIRE(first);
  CHECK(first->agent_id == "default");
  CHECK(first->opened.times == 1);
  CHECK(first->opened.last == Timestamp{0});
  CHECK(first->searched.times == 1);
  CHECK(first->shown.last == Timestamp{14 * kDay});
  CHECK(first->rank == Approx(4.0 / 2 + 2 + 1));
  CHECK(first->rank_at({28 * kDay}) == Approx(2.5));
  CHECK(first->rank_at({0}) == Approx(5));
  CHECK(telemetry.get(token(2)).value()->agent_id == "coder");
  CHECK(telemetry.size().value() == 2);

  // A clock that was set back neither raises nor lowers what is known.
  REQUIRE(telemetry.record(TelemetryEvent::shown, std::span(both).first(1), {kDay}));
  CHECK(telemetry.get(token(1)).value()->rank == Approx(6));
  CHECK(telemetry.get(token(1)).value()->shown.last == Timestamp{14 * kDay});

  REQUIRE(telemetry.erase(token(1)));
  CHECK(telemetry.size().value() == 1);
  REQUIRE(telemetry.reset());
  CHECK(telemetry.size().value() == 0);
}

TEST_CASE("publications: the last, the highest, and ours by their bytes") {
  Bench bench;
  Publications& log = bench.db.publications();
  CHECK(log.highest_generation().value() == 0);
  CHECK(log.last().value() == std::nullopt);
  const auto record = [&](const std::string& path, std::int64_t generation) {
    PublicationRecord made{
        path, generation, generation * 2, digest(std::to_string(generation)), 9, {generation}};
    const auto number = log.announce(made);
    REQUIRE(number);
    REQUIRE(log.complete(*number, made.published_at));
    return made;
  };
  const auto first = record("MEMORY.md", 7);
  const auto other = record("agents/x/MEMORY.md", 5);
  CHECK(log.last("MEMORY.md").value() == first);
  CHECK(log.last().value() == other);
  CHECK(log.highest_generation().value() == 7);
  CHECK(log.highest_fence().value() == 14);
  CHECK(log.last_of_each().value() == std::vector{first, other});

  // Announced: known as ours, but not published.
  const auto announced = log.announce({"MEMORY.md", 8, 1, digest("8"), 1, {}});
  CHECK(log.is_ours("MEMORY.md", digest("8")).value());
  CHECK_FALSE(log.is_ours("agents/x/MEMORY.md", digest("8")).value());
  CHECK(log.last("MEMORY.md").value() == first);
  REQUIRE(log.withdraw(*announced));
  CHECK_FALSE(log.is_ours("MEMORY.md", digest("8")).value());

  // The log is pruned; the last of each and the highest stay.
  auto raw = store::Database::open(bench.folder.file("state.db"));
  REQUIRE(raw->execute(
      "INSERT INTO publication(projection, generation, fence, sha256, bytes, published_at)"
      " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
      " SELECT 'MEMORY.md', 1, 1, x'00', 1, 1 FROM n"));
  const auto newest = record("MEMORY.md", 619);
  CHECK_FALSE(log.is_ours("MEMORY.md", digest("7")).value());
  CHECK(log.last("agents/x/MEMORY.md").value() == other);
  CHECK(log.highest_generation().value() == 619);
  REQUIRE(log.announce({"agents/never/MEMORY.md", 620, 1, digest("620"), 1, {}}));
  REQUIRE(log.announce({"MEMORY.md", 621, 1, digest("621"), 1, {}}));
  CHECK(log.last_of_each().value() == std::vector{newest, other});
}

TEST_CASE("two replacements within ten minutes are a contest, until it is cleared") {
  Bench bench;
  Publications& log = bench.db.publications();
  constexpr std::int64_t kMinute = 60'000;
  CHECK(log.last_number("MEMORY.md").value() == std::nullopt);
  CHECK(log.note_replaced("MEMORY.md", 1, {0}).value() == Contest::none);
  CHECK(log.note_replaced("MEMORY.md", 1, {kMinute}).value() == Contest::none);
  CHECK(log.note_replaced("MEMORY.md", 2, {10 * kMinute + 1}).value() == Contest::none);
  CHECK(log.note_replaced("agents/x/MEMORY.md", 3, {11 * kMinute}).value() == Contest::none);
  CHECK(log.note_replaced("MEMORY.md", 4, {20 * kMinute}).value() == Contest::contested);
  CHECK(log.contest("MEMORY.md").value() == Contest::contested);
  CHECK(log.note_replaced("MEMORY.md", 5, {900 * kMinute}).value() == Contest::contested);
  CHECK(log.contested().value() == std::vector<std::string>{"MEMORY.md"});
  REQUIRE(log.clear_contest("MEMORY.md"));
  CHECK(log.contest("MEMORY.md").value() == Contest::none);
  CHECK(log.note_replaced("MEMORY.md", 6, {901 * kMinute}).value() == Contest::none);
}

TEST_CASE("a tombstone's copy is the tombstone, whatever it holds") {
  Bench bench;
  const auto same = [](const lineage::Tombstone& a, const lineage::Tombstone& b) {
    return a.agent_id == b.agent_id && a.token == b.token && a.also_tokens == b.also_tokens &&
           a.removed_at == b.removed_at && a.lifted_at == b.lifted_at && a.reason == b.reason &&
           a.scope == b.scope && a.learning_id == b.learning_id &&
           a.removed_paths == b.removed_paths && a.removed_sha256 == b.removed_sha256;
  };
  int number = 0;
  rc::check("round trip", [&] {
    lineage::Tombstone made;
    made.agent_id = *rc::gen::arbitrary<std::string>();
    made.token = token(++number);
    for (const int also : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 99))) {
      made.also_tokens.push_back(token(also));
    }
    if (*rc::gen::arbitrary<bool>()) {
      made.removed_at = Timestamp{*rc::gen::arbitrary<std::int64_t>() / 4};
    }
    if (*rc::gen::arbitrary<bool>()) {
      made.lifted_at = Timestamp{*rc::gen::arbitrary<std::int64_t>() / 4};
    }
    made.reason = *rc::gen::arbitrary<std::string>();
    made.scope = *rc::gen::element(lineage::TombstoneScope::session,
                                   lineage::TombstoneScope::paths,
                                   lineage::TombstoneScope::learning,
                                   lineage::TombstoneScope::revocation);
    if (is_of_learning(made.scope)) {
      made.learning_id = *rc::gen::inRange<std::uint64_t>(1, lineage::kMostLearningId);
    }
    made.removed_paths = *rc::gen::arbitrary<std::vector<std::string>>();
    for (const auto& text : *rc::gen::arbitrary<std::vector<std::string>>()) {
      made.removed_sha256.push_back(digest(text));
    }
    RC_ASSERT(bench.db.tombstones().put(made).ok());
    const auto all = bench.db.tombstones().all();
    RC_ASSERT(all.ok());
    RC_ASSERT(static_cast<int>(all->size()) == number);
    RC_ASSERT(std::any_of(
        all->begin(), all->end(), [&](const auto& found) { return same(found, made); }));
  });
}

TEST_CASE("several removals of one session stand side by side, and lifting lifts them all") {
  Bench bench;
  TombstoneCopies& copies = bench.db.tombstones();
  lineage::Tombstone first;
  first.token = token(1);
  first.removed_at = Timestamp{1};
  first.scope = lineage::TombstoneScope::paths;
  first.removed_paths = {"memory/a.md"};
  lineage::Tombstone second = first;
  second.removed_at = Timestamp{2};
  second.removed_paths = {"memory/b.md"};
  lineage::Tombstone session = second;
  session.scope = lineage::TombstoneScope::session;
  lineage::Tombstone other = first;
  other.token = token(2);
  for (const auto& tombstone : {first, second, session, other, first}) {
    REQUIRE(copies.put(tombstone));
  }
  CHECK(copies.all().value().size() == 4);
  CHECK(copies.lift(token(1), {50}).value() == 3);
  CHECK(copies.lift(token(1), {60}).value() == 0);
  // The file without its lifting comes back from elsewhere: it stays lifted.
  REQUIRE(copies.put(first));
  const auto all = copies.all();
  REQUIRE(all);
  for (const auto& tombstone : *all) {
    CHECK(tombstone.lifted_at ==
          (tombstone.token == token(1) ? std::optional(Timestamp{50}) : std::nullopt));
  }
}

TEST_CASE("the audit only grows, newest first") {
  Bench bench;
  for (int i = 0; i < 5; ++i) {
    REQUIRE(bench.db.audit().append(
        {{i}, static_cast<AuditAction>(i), "subject " + std::to_string(i), "why", "detail"}));
  }
  const auto recent = bench.db.audit().recent(2).value();
  REQUIRE(recent.size() == 2);
  CHECK(recent[0] == AuditEntry{{4}, AuditAction::reset_telemetry, "subject 4", "why", "detail"});
  CHECK(recent[1].action == AuditAction::accept);
  CHECK(to_string(recent[0].action) == "reset-telemetry");
  auto raw = store::Database::open(bench.folder.file("state.db"));
  REQUIRE(raw);
  CHECK_FALSE(raw->execute("DELETE FROM audit"));
  CHECK_FALSE(raw->execute("UPDATE audit SET reason = ''"));
  CHECK(bench.db.audit().recent(99).value().size() == 5);
}

TEST_CASE("a flow is found unfinished until it is finished, and then is a receipt") {
  Bench bench;
  Flows& flows = bench.db.flows();
  const auto id = flows.begin({"", kRemovalFlow, "token", "unlink", "{}"}, {10});
  REQUIRE(id);
  CHECK(id->size() == 16);
  REQUIRE(flows.begin({"my-key", "capture", "", "spool", ""}, {9}));
  const auto twice = flows.begin({"my-key", "capture", "", "spool", ""}, {11});
  REQUIRE_FALSE(twice);
  CHECK(twice.error().kind == ErrorKind::already_exists);
  REQUIRE(flows.advance(*id, "erase", "{1}", {12}));

  bench.db = open_db(bench.folder);  // the next start
  const auto unfinished = bench.db.flows().unfinished().value();
  REQUIRE(unfinished.size() == 2);
  CHECK(unfinished[0].id == "my-key");
  CHECK(unfinished[1] ==
        Flow{*id, kRemovalFlow, "token", "erase", "{1}", {10}, {12}, std::nullopt});

  REQUIRE(bench.db.flows().finish(*id, "done", {13}));
  CHECK(bench.db.flows().unfinished().value().size() == 1);
  const auto receipt = bench.db.flows().find(*id).value();
  REQUIRE(receipt);
  CHECK(receipt->payload == "done");
  CHECK(receipt->finished_at == Timestamp{13});
  CHECK_FALSE(bench.db.flows().finish(*id, "again", {14}));
  CHECK_FALSE(bench.db.flows().advance(*id, "x", "", {14}));
  REQUIRE(bench.db.flows().forget(*id));
  CHECK(bench.db.flows().find(*id).value() == std::nullopt);
}

TEST_CASE("the highest manifest revision is remembered, and small facts by name") {
  Bench bench;
  CHECK(bench.db.manifest_revision(token(1)).value() == std::nullopt);
  REQUIRE(bench.db.put_manifest_revision(token(1), {5, digest("five")}));
  REQUIRE(bench.db.put_manifest_revision(token(1), {4, digest("four")}));
  CHECK(bench.db.manifest_revision(token(1)).value() == ManifestRevision{5, digest("five")});
  REQUIRE(bench.db.put_manifest_revision(token(1), {5, digest("again")}));
  CHECK(bench.db.manifest_revision(token(1)).value() == ManifestRevision{5, digest("again")});

  CHECK(bench.db.meta("x").value() == std::nullopt);
  REQUIRE(bench.db.put_meta("x", "1"));
  REQUIRE(bench.db.put_meta("x", ""));
  CHECK(bench.db.meta("x").value() == "");
}
