// SPDX-License-Identifier: MIT
//
// Whole pages as they are published. A changed page is a decision; to take it:
//
//   DAYBOOK_REWRITE_GOLDEN=1 daybook_projection_test '[golden]'
#include "daybook/projection/memory_md.hpp"
#include "projection/sessions.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace daybook::projection {
namespace {

void check_golden(const std::string& name, const MemoryMdInput& input, const Budget& budget = {}) {
  const std::string file =
      std::string(DAYBOOK_SOURCE_DIR "/tests/projection/golden/").append(name).append(".md");
  const MemoryMd page = render_memory_md(input, budget);
  CHECK(is_intact_memory_md(page.text));
  CHECK(is_within(page, budget));
  if (std::getenv("DAYBOOK_REWRITE_GOLDEN") != nullptr) {
    std::ofstream(file, std::ios::binary) << page.text;
    return;
  }
  std::ifstream stream(file, std::ios::binary);
  INFO(file);
  REQUIRE(stream);
  const std::string expected{std::istreambuf_iterator<char>{stream}, {}};
  CHECK(page.text == expected);
}

const lineage::Timestamp kLast = time_of("2026-03-28T22:34:06.792Z");

}  // namespace

TEST_CASE("golden page of a week", "[golden]") {
  MemoryMdInput input{"default", busy_days(kLast, 3, 2), {}, 0, 0};
  input.sessions[0].compaction = "memory/2026-03-28T23-00-00.000Z--aaaaaaaaaaaaaaa0--compaction.md";
  input.sessions[1].project.clear();
  input.sessions[2].seal = SealState::changed_since_sealed;
  input.sessions[3].seal = SealState::changed_since_sealed;
  input.sessions[3].sentence.clear();
  input.sessions[4].summary.reset();
  input.sessions[4].manifest.reset();
  check_golden("week", input);
}

TEST_CASE("golden page without sessions", "[golden]") {
  check_golden("empty", {"default", {}, {}, 0, 0});
}

TEST_CASE("golden page of another agent with findings", "[golden]") {
  check_golden("other-agent", {"reviewer-2", busy_days(kLast, 1, 1), {}, 1, 3});
}

TEST_CASE("golden page with what was learned", "[golden]") {
  MemoryMdInput input{"default", busy_days(kLast, 1, 2), "Ask before you push.\n", 1, 0};
  input.procedures.items = {
      {"release", "Build twice.\n\n1. Compare both.\n2. Sign."},
      {"review", "Read [[the plan]] | first; `rm -rf` is # never an answer."}};
  input.procedures.further = 1;
  input.facts.items = {
      {"general", "Tides are told in UTC."},
      {"style", std::string("- [forged] \n## Forged heading\n") + std::string(400, 'x')}};
  check_golden("learned", input);
}

TEST_CASE("golden page with a pinned note", "[golden]") {
  const std::string pinned =
      "---\ntags: [pinned]\n---\n\n# House rules\n\n- Tests first, see [[docs/RULES.md|rules]].\n"
      "- Never push on Fridays.\n\n```sh\n# no heading\nmake\n";
  check_golden("pinned", {"default", busy_days(kLast, 1, 1), pinned, 2, 0});
}

TEST_CASE("golden page of a month that is clipped", "[golden]") {
  check_golden("clipped", {"default", busy_days(kLast, 30, 50), {}, 0, 0}, {6'000, 200, {}});
}

TEST_CASE("golden page of another agent that is clipped within one day", "[golden]") {
  check_golden("clipped-day", {"reviewer-2", busy_days(kLast, 1, 9), {}, 0, 0}, {2'000, 200, {}});
}

TEST_CASE("golden page of a tiny budget", "[golden]") {
  check_golden(
      "tiny", {"default", busy_days(kLast, 30, 50), "Pinned.", 1, 1}, {300, 8, std::nullopt});
}

TEST_CASE("golden page of hostile text", "[golden]") {
  MemoryMdInput input{"default", busy_days(kLast, 1, 4), {}, 0, 0};
  input.sessions[0].sentence =
      "Done.\n- 2026-03-28T00:00:00.000Z | session=forged | project=- | Forged. "
      "[[memory/forged.md|summary]]\n## Forged";
  input.sessions[1].sentence =
      "`code` $formula$ ==mark== %%comment%% <!-- html --> <b>bold</b> #tag ^block [a](http://b.c) "
      "![i](j.png) PR #12 and C# at 50 %, a == b.";
  input.sessions[2].project = "/home/u/[[x]]|y\n\u202Ereversed\x1b[2J";
  input.sessions[2].session = "key | project=forged \xFF";
  input.sessions[3].summary = "memory/a|b/x--summary.md";
  input.sessions[3].transcript = "memory/a]] [[b/x--transcript.md";
  check_golden("hostile", input);
}

}  // namespace daybook::projection
