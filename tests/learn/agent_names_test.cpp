// SPDX-License-Identifier: MIT
//
// For whom something may be remembered.
#include "daybook/state/state_db.hpp"
#include "learn/bench.hpp"

namespace daybook::learn {

using lineage::LearningKind;

TEST_CASE("An agent's id that differs only in case from one that is known is refused") {
  Bench bench;
  check_refused(bench.add("Fine.", by_agent(LearningKind::fact, "Default")), "only in case");
  {
    auto state = state::StateDb::open(bench.folder);
    REQUIRE(state);
    state::PublicationRecord published;
    published.projection = "agents/Alice/MEMORY.md";
    const auto announced = state->publications().announce(published);
    REQUIRE(announced);
    REQUIRE(state->publications().complete(*announced, kNow));
  }
  check_refused(bench.add("Fine.", by_agent(LearningKind::fact, "alice")), "'Alice'");
  CHECK(bench.add("Fine.", by_agent(LearningKind::fact, "Alice")).ok());
  const auto imported = import(bench.desk(),
                               "",
                               R"([{"content": "One.", "agent_id": "DEFAULT"},
                                   {"content": "Two.", "agent_id": "bob"},
                                   {"content": "Three.", "agent_id": "Bob"},
                                   {"content": "Four.", "agent_id": "Alice"}])",
                               Apply::yes);
  REQUIRE(imported.ok());
  CHECK(imported->written == 2);
  CHECK(imported->refused.size() == 2);
}

}  // namespace daybook::learn
