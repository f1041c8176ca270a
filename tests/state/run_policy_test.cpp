// SPDX-License-Identifier: MIT
#include "daybook/state/run_policy.hpp"

#include "daybook/state/state_db.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

namespace {

using daybook::state::run_memory_policy;
using daybook::state::RunMemoryPolicy;
using daybook::state::SearchVisibility;
using daybook::state::set_field;
using daybook::state::validate;

daybook::state::ChangePolicy to(const RunMemoryPolicy& wanted) {
  return [wanted](RunMemoryPolicy& policy) -> daybook::Result<void> {
    policy = wanted;
    return {};
  };
}

daybook::Result<std::optional<std::vector<daybook::state::KnownRun>>> nobody_knows(
    daybook::state::RunMaintenance& /*report*/) {
  return std::optional<std::vector<daybook::state::KnownRun>>();
}

}  // namespace

TEST_CASE("The policy is the documented default until it is set, and is kept then") {
  const daybook::support::TempFolder place;
  place.make_folder("vault");
  const auto folder = daybook::state::StateFolder::open(
      place.at("state"), place.at("vault"), daybook::state::Create::if_missing);
  REQUIRE(folder);
  RunMemoryPolicy policy;
  {
    auto state = daybook::state::StateDb::open(*folder);
    REQUIRE(state);
    CHECK(run_memory_policy(*state).value() == RunMemoryPolicy{});
    CHECK(policy.retention_ms == 2'592'000'000);
    policy.max_prompt_entries = 5;
    policy.redact_pii = false;
    policy.search_visibility = SearchVisibility::learning_scopes;
    REQUIRE(state->runs().change_policy(to(policy), {}, nobody_knows));
  }
  auto state = daybook::state::StateDb::open(*folder);
  CHECK(run_memory_policy(*state).value() == policy);
  RunMemoryPolicy wrong = policy;
  wrong.max_prompt_entries = 33;
  CHECK_FALSE(state->runs().change_policy(to(wrong), {}, nobody_knows));
  CHECK(run_memory_policy(*state).value() == policy);
  REQUIRE(state->put_meta("run_memory_policy", "enabled=3\n"));
  CHECK(run_memory_policy(*state).value() == RunMemoryPolicy{});
}

TEST_CASE("A policy that cannot be is refused") {
  RunMemoryPolicy policy;
  CHECK(validate(policy));
  policy.retention_ms = 0;
  CHECK_FALSE(validate(policy));
  CHECK(validate({false, 0, 0, 0, true, SearchVisibility::session_only}));
  CHECK_FALSE(validate({false, 0, 0, 1, true, SearchVisibility::session_only}));
  CHECK_FALSE(validate({true, 1, 0, 0, true, SearchVisibility::session_only}));
  CHECK_FALSE(validate({true, 1, 1, 0, true, SearchVisibility::session_only}));
}

TEST_CASE("Fields are set by name, and a wrong name or value says what is meant") {
  RunMemoryPolicy policy;
  REQUIRE(set_field(policy, "enabled", "false"));
  CHECK_FALSE(policy.enabled);
  REQUIRE(set_field(policy, "max_prompt_entries", "7"));
  CHECK(policy.max_prompt_entries == 7);
  CHECK(set_field(policy, "max_promt_entries", "7").error().hint.find("max_prompt_entries") !=
        std::string::npos);
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, const char*>>{{"enabled", "yes"},
                                                        {"retention_ms", "-1"},
                                                        {"retention_ms", "99999999999999999999"},
                                                        {"retention_ms", ""},
                                                        {"search_visibility", "all"}}) {
    INFO(name << " " << value);
    CHECK_FALSE(set_field(policy, name, value));
  }
}
