// SPDX-License-Identifier: MIT
//
// What the guard looks at beside the content, and of notes that it never saw coming.
#include "learn/bench.hpp"

namespace daybook::learn {

TEST_CASE(
    "What the escapes of JSON hide is refused in metadata, and what they only spell is kept") {
  Bench bench;
  NewLearning like;
  for (const char* metadata : {R"({"p\u0061ssword":"hunter2"})",
                               R"({"note":"use gh\u0070_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"})",
                               R"({"a":1,"a":2,"pass\u200bword":"hunter2"})"}) {
    INFO(metadata);
    like.metadata = metadata;
    check_refused(bench.add("Tides are told in UTC.", like), "seems to hold a secret");
  }
  like.metadata = R"({"s\u006furce":"standup","token":null})";
  const auto kept = bench.add("Tides are told in UTC.", like);
  REQUIRE(kept.ok());
  CHECK(kept->notes.front().learning.metadata == R"({"source":"standup","token":null})");
}

TEST_CASE("A note made by hand that holds a literal counts for nothing, wherever it holds it") {
  Bench bench;
  bench.write("vault/never.txt", "harbour-master-code\n");
  bench.write("vault/memory/learnings/1-a.md",
              "---\nlearning_kind: fact\n---\nSay harbour-master-code.\n");
  bench.write("vault/memory/learnings/2-b.md",
              "---\nlearning_kind: fact\nscope: \"project:/harbour-master-code\"\n---\nB.\n");
  bench.write("vault/memory/learnings/3-c.md",
              "---\nlearning_kind: fact\nmetadata: '{\"p\\u0061ssword\":\"x1\"}'\n---\nC.\n");
  CHECK(bench.contents().size() == 2);
  bench.config.capture.literals_file = "never.txt";
  CHECK(bench.contents().empty());
}

}  // namespace daybook::learn
