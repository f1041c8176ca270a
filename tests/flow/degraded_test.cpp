// SPDX-License-Identifier: MIT
//
// What status says of a device that cannot do, or has not finished, what it should.
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/state/state_db.hpp"
#include "support/indexed_vault.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace daybook {
namespace {

using support::IndexedVault;
using support::SessionFiles;

using Reasons = std::vector<std::string>;

/// Indexed and all right.
SessionFiles settle(IndexedVault& vault) {
  SessionFiles session("default", "gate", "2026-03-28T22:34:06.792Z");
  vault.add(session);
  vault.reindex();
  REQUIRE(vault.degraded().empty());
  return session;
}

}  // namespace

TEST_CASE("text that may still stand in the state folder is said until a pass has erased it") {
  IndexedVault vault;
  settle(vault);
  REQUIRE(vault.open_state().put_meta(state::kErasurePending, "1"));
  CHECK(vault.degraded() == Reasons{"erasure-pending"});
  vault.reindex();
  CHECK(vault.degraded().empty());
}

TEST_CASE("a removal that was cut off is said until a pass has finished it") {
  IndexedVault vault;
  const SessionFiles session = settle(vault);
  const auto plan =
      vault.decisions().plan_removal({capture::RemovalTarget::By::session, "gate", {}}, "a test");
  REQUIRE(plan);
  const auto text = canon::tombstone_text(plan->tombstone);
  REQUIRE(text);
  REQUIRE(vault.open_state().flows().begin(
      {{}, state::kRemovalFlow, session.token(), "tombstone", *text}, {support::kTestNow}));
  CHECK(vault.degraded() == Reasons{"unfinished-removal"});
  vault.reindex();
  CHECK(vault.degraded().empty());
}

TEST_CASE("a state.db that cannot be asked is said, and neither replaced nor taken for empty") {
  IndexedVault vault;
  settle(vault);
  const std::string path = vault.folder().file("state.db");
  std::filesystem::rename(path, path + ".kept");
  std::filesystem::create_directory(path);
  CHECK(vault.degraded() == Reasons{"state-busy"});
  CHECK_FALSE(vault.try_reindex());
  CHECK(std::filesystem::is_directory(path));
  std::filesystem::remove(path);
  std::filesystem::rename(path + ".kept", path);
  CHECK(vault.degraded().empty());
}

TEST_CASE("a state.db that is gone is said until a pass has made another") {
  IndexedVault vault;
  settle(vault);
  vault.delete_state_file("state.db");
  CHECK(vault.degraded() == Reasons{"state-missing"});
  const auto report = vault.reindex();
  CHECK(vault.degraded().empty());
  // Nobody need have asked for the status: what is lost is told by the pass, once.
  REQUIRE(report.notices.size() == 1);
  CHECK_THAT(report.notices.front(), Catch::Contains("telemetry and seals"));
  CHECK(vault.reindex().notices.empty());
}

}  // namespace daybook
