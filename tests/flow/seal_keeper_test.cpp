// SPDX-License-Identifier: MIT
//
// Seals are written beside the one who judges: none is lost, none is asked for while it is being
// written, and what cannot be written is told.
#include "service/seal_keeper.hpp"

#include "daybook/scan/vault_listing.hpp"
#include "daybook/store/database.hpp"
#include "service/unit_worker.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <thread>

namespace daybook::service {
namespace {

using support::IndexedVault;
using support::SessionFiles;

constexpr int kSessions = 30;

/// A vault that is listed and can be examined, without any pass.
struct Bench {
  Bench() {
    for (int i = 0; i < kSessions; ++i) {
      vault.add(SessionFiles("default", "key-" + std::to_string(i), "2026-03-20T10:00:00Z"));
    }
    auto opened = base::real_disk().open_root(vault.workspace());
    REQUIRE(opened);
    root = std::move(opened).value();
    auto listed = scan::VaultListing::list(*root);
    REQUIRE(listed);
    listing.emplace(std::move(listed).value());
    auto made = UnitWorker::make(
        base::real_disk(), vault.workspace(), *listing, tombstones, names, Detail::facts);
    REQUIRE(made);
    worker = std::move(made).value();
  }

  Result<void> judge_all(SealKeeper& keeper) {
    for (scan::VaultListing::Index file = 0; file < listing->entries().size(); ++file) {
      ExaminedFile examined(*listing, file, worker->examine(file));
      TRY(keeper.judge(listing->entries()[file], examined));
    }
    return keeper.flush();
  }

  IndexedVault vault;
  state::StateDb state = vault.open_state();
  std::unique_ptr<base::Folder> root;
  std::optional<scan::VaultListing> listing;
  lineage::TombstoneSet tombstones;
  LazyNoteNames names;
  std::unique_ptr<UnitWorker> worker;
};

}  // namespace

TEST_CASE("every whole artifact is sealed once, while others ask") {
  Bench bench;
  auto keeper = SealKeeper::make(bench.state, {support::kTestNow}, 2);
  REQUIRE(keeper);
  std::atomic<bool> done{false};
  std::atomic<int> failures{0};
  std::jthread asking([&] {
    const auto name = bench.listing->entries().front().name();
    while (!done) {
      failures += keeper->find(name) ? 0 : 1;
    }
  });
  const auto judged = bench.judge_all(*keeper);
  done = true;
  asking.join();
  REQUIRE(judged);
  CHECK(failures == 0);
  CHECK(bench.state.seals().count().value() == 2 * kSessions);  // summary and transcript
}

TEST_CASE("seals that cannot be written are told, and nothing counts as sealed by that") {
  Bench bench;
  bench.state = state::StateDb::open(bench.vault.folder(), 1).value();  // does not wait long
  auto other = store::Database::open(bench.vault.folder().file("state.db"));
  REQUIRE(other);
  REQUIRE(other->execute("BEGIN IMMEDIATE"));
  auto keeper = SealKeeper::make(bench.state, {support::kTestNow}, 2);
  REQUIRE(keeper);
  const auto judged = bench.judge_all(*keeper);
  REQUIRE_FALSE(judged);
  CHECK(judged.error().kind == ErrorKind::busy);
  REQUIRE(other->execute("ROLLBACK"));
  CHECK(bench.state.seals().count().value() == 0);
}

}  // namespace daybook::service
