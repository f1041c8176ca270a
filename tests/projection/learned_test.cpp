// SPDX-License-Identifier: MIT
#include "projection/learned.hpp"

#include "projection/sessions.hpp"
#include "projection/shares.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <string>

namespace daybook::projection {
namespace {

const lineage::Timestamp kLast = time_of("2026-03-28T22:34:06.792Z");
constexpr std::string_view kProcedureHeading = "## Learned Procedures and Policies\n";
constexpr std::string_view kFactHeading = "## Facts and Preferences\n";

LearnedItems items(std::size_t count, std::size_t length) {
  LearnedItems made;
  for (std::size_t i = 0; i < count; ++i) {
    made.items.push_back({"general", "Item " + std::to_string(i) + std::string(length, 'x')});
  }
  return made;
}

/// A section with its heading, up to the next one.
std::string section_of(const std::string& page, std::string_view heading) {
  const std::size_t begin = page.find(heading);
  return begin == std::string::npos ? std::string()
                                    : page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

std::size_t count_items(const std::string& section) {
  std::size_t count = 0;
  for (std::size_t at = section.find("\n- ["); at != std::string::npos;
       at = section.find("\n- [", at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("learned: a line an item, newest first, whatever the text holds") {
  LearnedItems made;
  made.items = {{"build", "Use ninja.\n\n- [forged] row\n## Forged"}, {"general", "Old."}};
  CHECK(learned_section(kFacts, made, "default", BlankLines::between_parts, {4000, 100}) ==
        "## Facts and Preferences\n\n"
        "- [build] Use ninja. - ［forged］ row ＃＃ Forged\n"
        "- [general] Old.\n");
  CHECK(learned_section(kFacts, {}, "default", BlankLines::none, {4000, 100}).empty());
}

TEST_CASE("learned: a category of one character makes no task of an item") {
  LearnedItems made;
  made.items = {{"x", "Use ninja."}};
  CHECK(learned_section(kFacts, made, "default", BlankLines::none, {4000, 100}) ==
        "## Facts and Preferences\n- [category x] Use ninja.\n");
}

TEST_CASE("learned: what has no room is counted, and whole items only are shown") {
  const LearnedItems made = items(50, 90);
  const std::string section =
      learned_section(kFacts, made, "scribe", BlankLines::none, {1000, 100});
  CHECK(section.size() <= 1000);
  const std::size_t shown = count_items("\n" + section);
  CHECK(shown > 5);
  CHECK_THAT(section,
             Catch::EndsWith(std::to_string(50 - shown) +
                             " older ones are not shown here; `daybook learnings list --agent "
                             "scribe --type semantic` lists all.)\n"));
  CHECK(learned_section(kFacts, made, "default", BlankLines::none, {20, 100}).empty());
  CHECK(learned_section(kFacts, made, "default", BlankLines::none, {4000, 1}).empty());
  const std::string by_lines =
      learned_section(kFacts, made, "default", BlankLines::none, {4000, 5});
  CHECK(std::count(by_lines.begin(), by_lines.end(), '\n') == 5);
}

TEST_CASE("learned: twenty procedures at most") {
  LearnedItems made = items(30, 10);
  made.further = 4;
  const std::string section =
      learned_section(kProcedures, made, "default", BlankLines::none, {6000, 100});
  CHECK(count_items("\n" + section) == 20);
  CHECK_THAT(section, Catch::Contains("14 older ones are not shown here"));
}

TEST_CASE("learned: long content is cut") {
  const std::string section =
      learned_section(kFacts, items(1, 1600), "default", BlankLines::none, {4000, 100});
  CHECK_THAT(section, Catch::EndsWith("x…\n"));
  CHECK(section.size() < 400);
}

TEST_CASE("learned: shares give what is needed if there is room, else in proportion") {
  using Three = std::array<std::uint64_t, 3>;
  CHECK(share_out<3>(100, {10, 20, 30}, {4, 6, 4}) == Three{10, 20, 30});
  CHECK(share_out<3>(140, {1000, 1000, 1000}, {4, 6, 4}) == Three{40, 60, 40});
  CHECK(share_out<3>(100, {0, 1000, 10}, {4, 6, 4}) == Three{0, 90, 10});
  CHECK(share_out<3>(0, {5, 5, 5}, {4, 6, 4}) == Three{0, 0, 0});
  CHECK(rc::check("shares", [] {
    const auto some = [] { return *rc::gen::inRange<std::uint64_t>(0, 5000); };
    const std::uint64_t room = some();
    const Three needs{some(), some(), some()};
    const Three weights{4096, 6000, 4000};
    const Three shares = share_out<3>(room, needs, weights);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      RC_ASSERT(shares[i] <= needs[i]);
      RC_ASSERT(shares[i] >= std::min(needs[i], room * weights[i] / 14096));
      sum += shares[i];
    }
    RC_ASSERT(sum <= room);
    RC_ASSERT(sum + 3 >= std::min(room, needs[0] + needs[1] + needs[2]));
  }));
}

TEST_CASE("learned: nothing in the page can starve anything else") {
  REQUIRE(rc::check("sections, pinned note and ledger", [] {
    MemoryMdInput input;
    input.agent_id = "default";
    input.sessions = busy_days(kLast, *rc::gen::inRange(0, 12), *rc::gen::inRange(1, 12));
    const auto pinned = *rc::gen::inRange<std::size_t>(0, 7000);
    if (pinned > 0) {
      std::string note;
      while (note.size() < pinned) {
        note.append("A line of the pinned note.\n");
      }
      input.pinned = note;
    }
    input.procedures =
        items(*rc::gen::inRange<std::size_t>(0, 30), *rc::gen::inRange<std::size_t>(0, 1600));
    input.facts =
        items(*rc::gen::inRange<std::size_t>(0, 300), *rc::gen::inRange<std::size_t>(0, 1600));
    Budget budget;
    budget.max_bytes = *rc::gen::inRange<std::uint64_t>(6'000, 30'000);
    budget.max_lines = *rc::gen::inRange<std::uint64_t>(80, 300);
    const MemoryMd page = render_memory_md(input, budget);
    RC_ASSERT(is_within(page, budget));
    const std::size_t ledger = page.text.find("## Session Ledger");
    RC_ASSERT(ledger <= budget.max_bytes * 6 / 10);
    const std::string procedures = section_of(page.text, kProcedureHeading);
    const std::string facts = section_of(page.text, kFactHeading);
    RC_ASSERT(procedures.size() <= kProcedureBytes);
    RC_ASSERT(facts.size() <= kFactBytes);
    RC_ASSERT((count_items(procedures) > 0) == !input.procedures.items.empty());
    RC_ASSERT((count_items(facts) > 0) == !input.facts.items.empty());
    RC_ASSERT((page.text.find("A line of the pinned note.") != std::string::npos) == (pinned > 0));
    RC_ASSERT((page.rows > 0) == !input.sessions.empty());
    // The order of the parts.
    RC_ASSERT(facts.empty() || page.text.find(kFactHeading) < ledger);
    RC_ASSERT(facts.empty() || procedures.empty() ||
              page.text.find(kProcedureHeading) < page.text.find(kFactHeading));
    // A page has room left only if all is shown.
    const bool all_shown = page.clipped == 0;
    RC_ASSERT(all_shown || page.text.size() + 1500 > budget.max_bytes * 4 / 10);
  }));
}

}  // namespace daybook::projection
