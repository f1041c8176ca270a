// SPDX-License-Identifier: MIT
//
// A removal that was cut off, and a note in its way that nobody may read.
#include "daybook/canon/tombstone_writer.hpp"
#include "daybook/capture/removal.hpp"
#include "support/indexed_vault.hpp"
#include "support/learning_note.hpp"
#include "support/refusing_disk.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using support::IndexedVault;

}  // namespace

TEST_CASE("a note that cannot be read keeps a forgetting open, and nothing else from its end") {
  IndexedVault vault;
  fs::create_directories(vault.at("memory/learnings"));
  const support::LearningNote note{
      1, "The quaycrane stands at berth seven.", {{"learning_kind", "fact"}}};
  const support::LearningNote closed{2, "Closed.", {{"learning_kind", "fact"}}};
  vault.write(note.path(), note.text());
  vault.write(closed.path(), closed.text());
  vault.reindex();
  lineage::Tombstone tombstone;
  tombstone.scope =
      GENERATE(lineage::TombstoneScope::learning, lineage::TombstoneScope::revocation);
  tombstone.agent_id = "default";
  tombstone.learning_id = 1;
  tombstone.token = lineage::learning_token("default", 1);
  tombstone.removed_at = lineage::Timestamp{support::kTestNow};
  tombstone.reason = "stale";
  const bool forgets = tombstone.scope == lineage::TombstoneScope::learning;
  const auto resume = [&](base::Disk& disk) {
    auto state = vault.open_state();
    const auto notices = capture::resume_removals(
        disk, vault.folder(), state, lineage::Timestamp{support::kTestNow});
    REQUIRE(notices);
    REQUIRE(notices->size() == 1);
    return notices->front();
  };
  {
    // As a crash leaves it that came before the first file.
    auto state = vault.open_state();
    REQUIRE(state.flows().begin({{},
                                 state::kRemovalFlow,
                                 tombstone.token.to_string(),
                                 "tombstone",
                                 canon::tombstone_text(tombstone).value()},
                                lineage::Timestamp{support::kTestNow}));
  }
  support::RefusingDisk refusing("2-note.md");
  CHECK_THAT(resume(refusing), Contains("cannot be read"));
  CHECK(vault.exists(note.path()) != forgets);
  CHECK(vault.open_state().flows().has_unfinished(state::kRemovalFlow).value());
  CHECK_THAT(resume(refusing), Contains("cannot be read") && !Contains("2-note"));
  CHECK_THAT(resume(base::real_disk()), Contains("was finished"));
  CHECK_FALSE(vault.open_state().flows().has_unfinished(state::kRemovalFlow).value());
  CHECK(vault.exists(closed.path()));
  vault.reindex();
  CHECK(vault.state_files_with("quaycrane").empty() == forgets);
  if (!forgets) {
    CHECK_THAT(vault.read(note.path()), Contains("status: \"revoked\""));
  }
}

}  // namespace daybook
