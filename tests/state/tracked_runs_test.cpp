// SPDX-License-Identifier: MIT
#include "daybook/state/tracked_runs.hpp"

#include "daybook/state/state_db.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

namespace {

using daybook::lineage::SessionToken;
using daybook::lineage::Timestamp;
using daybook::state::fates_of;
using daybook::state::KnownRun;
using daybook::state::RunFate;
using daybook::state::RunMaintenance;
using daybook::state::RunMemoryPolicy;
using daybook::state::StateDb;

constexpr std::int64_t kNow = 1'774'872'000'000;

KnownRun run(const std::string& session, std::int64_t age_ms) {
  const Timestamp time{kNow - age_ms};
  return {SessionToken::derive("default", session), time, time};
}

daybook::state::ChangePolicy to(const RunMemoryPolicy& wanted) {
  return [wanted](RunMemoryPolicy& policy) -> daybook::Result<void> {
    policy = wanted;
    return {};
  };
}

RunMaintenance fresh_report() {
  RunMaintenance report;
  report.source = "startup";
  report.checked_at = {kNow};
  report.index = "x 1";
  return report;
}

using Runs = std::optional<std::vector<KnownRun>>;

class State {
 public:
  State() {
    place_.make_folder("vault");
    folder_.emplace(daybook::state::StateFolder::open(
                        place_.at("state"), place_.at("vault"), daybook::state::Create::if_missing)
                        .value());
    state_.emplace(StateDb::open(*folder_).value());
  }
  StateDb& db() { return *state_; }
  const daybook::state::StateFolder& folder() const { return *folder_; }
  std::uint64_t counter(const char* name) { return state_->meta_number(name).value(); }
  daybook::Result<std::optional<RunMaintenance>> change(const daybook::state::ChangePolicy& policy,
                                                        const Runs& runs,
                                                        StateDb* db = nullptr) {
    return (db == nullptr ? *state_ : *db)
        .runs()
        .change_policy(policy, fresh_report(), [&runs](RunMaintenance&) {
          return daybook::Result<Runs>(runs);
        });
  }
  RunMaintenance maintain(const std::vector<KnownRun>& runs,
                          const std::optional<RunMemoryPolicy>& policy = {}) {
    if (policy) {
      auto changed = change(to(*policy), runs);
      REQUIRE(changed);
      REQUIRE(*changed);
      return std::move(**changed);
    }
    auto done = state_->runs().maintain(runs, fresh_report());
    REQUIRE(done);
    return std::move(done).value();
  }

 private:
  daybook::support::TempFolder place_;
  std::optional<daybook::state::StateFolder> folder_;
  std::optional<StateDb> state_;
};

}  // namespace

TEST_CASE("A run is too old strictly after the time that runs are kept, before any other reason") {
  RunMemoryPolicy policy;
  policy.retention_ms = 1000;
  policy.max_tracked_per_session = 2;
  policy.max_prompt_entries = 2;
  std::vector<KnownRun> runs{
      run("a", 1001), run("a", 1000), run("a", 5), run("a", 4), run("b", 1000), run("b", -7)};
  const auto fates = fates_of(runs, policy, {kNow});
  REQUIRE(fates.size() == 6);
  std::size_t tracked = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int64_t age = kNow - runs[i].recorded_at.ms;
    const bool is_a = runs[i].session == SessionToken::derive("default", "a");
    tracked += fates[i] == RunFate::tracked ? 1U : 0U;
    CHECK((fates[i] == RunFate::ttl_expired) == (age == 1001));
    CHECK((fates[i] == RunFate::session_overflow) == (is_a && age == 1000));
  }
  CHECK(tracked == 4);
  policy.enabled = false;
  CHECK(fates_of(runs, policy, {kNow}) == std::vector<RunFate>(6, RunFate::ttl_expired));
}

TEST_CASE("What is let go is told with its reason, counted once, and can come back") {
  State state;
  CHECK_FALSE(state.db().runs().report().value());
  const std::vector<KnownRun> all{run("a", 100), run("a", 50), run("b", 10)};
  CHECK(state.maintain(all).pruned() == 0);
  CHECK(state.counter(daybook::state::kStoredTotal) == 3);

  RunMemoryPolicy policy;
  policy.retention_ms = 60;
  CHECK(state.maintain(all, policy).pruned_ttl == 1);
  CHECK(state.maintain(all).pruned() == 0);
  policy.retention_ms = 1'000'000;
  policy.max_tracked_per_session = 1;
  policy.max_prompt_entries = 1;
  CHECK(state.maintain(all, policy).pruned() ==
        0);  // the older one of a stays away, for now by number
  policy.max_tracked_per_session = 2;
  state.maintain(all, policy);
  policy.max_tracked_per_session = 1;
  const RunMaintenance over = state.maintain(all, policy);
  CHECK(over.pruned_overflow == 1);
  REQUIRE(over.findings.size() == 1);
  CHECK(over.findings[0].reason == "session_overflow");
  CHECK(over.findings[0].path.ends_with("--summary.md"));
  CHECK(over.findings[0].session == SessionToken::derive("default", "a").to_string());
  CHECK(state.db().runs().report().value() == over);

  const RunMaintenance gone = state.maintain({run("a", 50)});
  CHECK(gone.pruned_orphans == 1);
  CHECK(gone.findings.at(0).reason == "orphan");
  CHECK(state.counter(daybook::state::kPrunedTtlTotal) == 1);
  CHECK(state.counter(daybook::state::kPrunedOverflowTotal) == 1);
  CHECK(state.counter(daybook::state::kPrunedOrphanTotal) == 1);
  policy.enabled = false;
  CHECK(state.maintain({run("a", 50)}, policy).pruned_ttl == 1);
}

TEST_CASE("A report says when the next run will be too old, and lists at most 32 of many") {
  State state;
  std::vector<KnownRun> runs;
  for (int i = 0; i < 100; ++i) {
    runs.push_back(run("session-" + std::to_string(i), i));
  }
  const RunMaintenance report = state.maintain(runs);
  REQUIRE(report.next_due);
  CHECK(report.next_due->ms == kNow - 99 + 2'592'000'000 + 1);
  const RunMaintenance emptied = state.maintain({});
  CHECK(emptied.pruned_orphans == 100);
  CHECK(emptied.findings.size() == 32);
  CHECK_FALSE(emptied.next_due);
}

TEST_CASE("A policy that cannot be carried out changes nothing, neither policy nor counters") {
  State state;
  const std::vector<KnownRun> all{run("a", 100)};
  state.maintain(all);
  RunMemoryPolicy wrong;
  wrong.max_prompt_entries = 100;
  CHECK_FALSE(state.change(to(wrong), Runs()));
  CHECK(state.db().audit().recent(1)->empty());
  CHECK(run_memory_policy(state.db()).value() == RunMemoryPolicy{});
  CHECK(state.counter(daybook::state::kPrunedOrphanTotal) == 0);
  CHECK(state.maintain(all).pruned() == 0);  // it is tracked still
}

TEST_CASE("Where nobody knows which runs there are, none is let go") {
  State state;
  state.maintain({run("a", 100), run("b", 1)});
  RunMemoryPolicy policy;
  policy.max_prompt_entries = 4;
  const auto before = state.db().runs().report().value();
  const auto done = state.change(to(policy), Runs());
  REQUIRE(done);
  CHECK_FALSE(*done);
  CHECK(state.db().runs().report().value() == before);  // a report of zeros would say: carried out
  CHECK(run_memory_policy(state.db()).value() == policy);
  CHECK(state.counter(daybook::state::kPrunedOrphanTotal) == 0);
  state.maintain({run("a", 100), run("b", 1)});
  CHECK(state.counter(daybook::state::kStoredTotal) == 2);  // not taken up anew
}

TEST_CASE("A change of the policy builds on what another one has made of it, and is audited") {
  State state;
  StateDb other = StateDb::open(state.folder()).value();
  const auto set = [](const char* name, const char* value) {
    return [name, value](RunMemoryPolicy& policy) { return set_field(policy, name, value); };
  };
  REQUIRE(state.change(set("max_tracked_per_session", "40"), Runs()));
  REQUIRE(state.change(set("redact_pii", "false"), Runs(), &other));
  REQUIRE(state.change(set("max_prompt_entries", "5"), Runs()));
  const RunMemoryPolicy policy = run_memory_policy(other).value();
  CHECK(policy.max_tracked_per_session == 40);
  CHECK(policy.max_prompt_entries == 5);
  CHECK_FALSE(policy.redact_pii);
  REQUIRE(state.change(set("max_prompt_entries", "5"), Runs()));
  const auto audit = other.audit().recent(9);
  REQUIRE(audit->size() == 3);  // what changed nothing is no decision
  CHECK(audit->front().action == daybook::state::AuditAction::set_policy);
  CHECK(audit->front().detail == "max_prompt_entries=3 -> 5");
}

TEST_CASE("What is erased of a session is also what is kept of its runs") {
  State state;
  const KnownRun gone = run("a", 100);
  state.maintain({gone, run("b", 1)});
  RunMemoryPolicy policy;
  policy.retention_ms = 10;
  state.maintain({gone, run("b", 1)}, policy);
  REQUIRE(state.db().erase_session(gone.session));
  const auto report = state.db().runs().report();
  REQUIRE(report);
  CHECK((*report)->findings.empty());
  CHECK((*report)->pruned_ttl == 1);
  CHECK(state.maintain({run("b", 1)}).pruned_orphans == 0);
}
