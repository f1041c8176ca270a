// SPDX-License-Identifier: MIT
#include "daybook/projection/memory_md.hpp"

#include "projection/sessions.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace daybook::projection {
namespace {

const lineage::Timestamp kLast = time_of("2026-03-28T22:34:06.792Z");

MemoryMdInput input_of(std::vector<LedgerSession> sessions) {
  MemoryMdInput input;
  input.agent_id = "default";
  input.sessions = std::move(sessions);
  return input;
}

std::uint64_t number_in(const std::string& day_line) {
  return std::stoull(day_line.substr(std::string("- 2026-03-28: ").size()));
}

/// A page that a reader can rely on, whatever was cut: its parts are there and add up.
bool is_sound(const MemoryMd& page, std::size_t sessions) {
  return is_intact_memory_md(page.text) && page.text.starts_with("# Memory") &&
         lines_with(page.text, "## Session Ledger (Last 30 Days)").size() == 1 &&
         lines_of(page.text).size() == page.lines && rows_of(page.text).size() == page.rows &&
         page.rows + page.clipped == sessions &&
         (page.clipped == 0 || page.text.find(" not shown") != std::string::npos);
}

LedgerSession random_session() {
  LedgerSession session = session_at({kLast.ms - *rc::gen::inRange<std::int64_t>(0, 5 * kDayMs)},
                                     *rc::gen::inRange(0, 20));
  session.sentence = *support::text_made_of({"word ", "\n", "|", "[[", "]]", "#", "- ", "修"});
  session.project = *support::text_made_of({"/", "p", "\n", "|", "[["});
  if (*rc::gen::arbitrary<bool>()) {
    session.summary.reset();
    session.seal = SealState::changed_since_sealed;
  }
  return session;
}

MemoryMdInput random_input() {
  MemoryMdInput input;
  input.agent_id = *rc::gen::element<std::string>("default", "reviewer-2", std::string(64, 'x'));
  const auto count = *rc::gen::inRange(0, 40);
  for (int i = 0; i < count; ++i) {
    input.sessions.push_back(random_session());
  }
  if (*rc::gen::arbitrary<bool>()) {
    input.pinned = *support::text_made_of({"# a\n", "text ", "\n", "```\n", std::string(300, 'y')});
  }
  for (LearnedItems* items : {&input.procedures, &input.facts}) {
    const auto learned = *rc::gen::inRange(0, 5);
    for (int i = 0; i < learned; ++i) {
      items->items.push_back(
          {"general", *support::text_made_of({"word ", "\n", "|", "[[", "]]", "#", "- ", "修"})});
    }
  }
  input.errors = *rc::gen::inRange<std::uint64_t>(0, 3);
  input.warnings = *rc::gen::inRange<std::uint64_t>(0, 3);
  return input;
}

/// Title, heading, notice and trailer of the longest agent id need less.
constexpr std::uint64_t kSmallestBytes = 480;
constexpr std::uint64_t kSmallestLines = 4;

Budget random_budget() {
  Budget budget;
  budget.max_bytes = *rc::gen::inRange<std::uint64_t>(kSmallestBytes, 9'000);
  budget.max_lines = *rc::gen::inRange<std::uint64_t>(kSmallestLines, 90);
  if (*rc::gen::arbitrary<bool>()) {
    budget.max_tokens = *rc::gen::inRange<std::uint64_t>(tokens_of(kSmallestBytes), 3'000);
  }
  return budget;
}

}  // namespace

TEST_CASE("the seed's row is rendered to the letter") {
  LedgerSession session;
  session.membership = kLast;
  session.session = "a245b4fc-b607-4c50-8566-ebe23264272f";
  session.project = "/home/nicholai/signet/signetai";
  session.sentence =
      "Finalized DP-19 write-gate clamping decisions and queued scope-aware dedup parity "
      "validation before merge.";
  session.summary = "memory/2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--summary.md";
  session.transcript = "memory/2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--transcript.md";
  session.manifest = "memory/2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--manifest.md";
  const MemoryMd page = render_memory_md(input_of({session}), {});
  REQUIRE(rows_of(page.text).size() == 1);
  CHECK(
      rows_of(page.text)[0] ==
      "- 2026-03-28T22:34:06.792Z | session=a245b4fc-b607-4c50-8566-ebe23264272f | "
      "project=/home/nicholai/signet/signetai | Finalized DP-19 write-gate clamping decisions and "
      "queued scope-aware dedup parity validation before merge. "
      "[[memory/2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--summary.md|summary]] "
      "[[memory/2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--transcript.md|transcript]] "
      "[[memory/2026-03-28T22-34-06.792Z--h7k3n4p9m2x1q8r5--manifest.md|manifest]]");
}

TEST_CASE("1500 sessions keep the newest rows and clip the oldest with a notice") {
  const auto sessions = busy_days(kLast, 30, 50);
  const MemoryMd page = render_memory_md(input_of(sessions), {});
  REQUIRE(is_sound(page, 1500));
  CHECK(is_within(page, {}));
  CHECK(page.text.size() > 24'000);  // the budget is used
  CHECK(page.rows >= 40);

  const auto rows = rows_of(page.text);
  for (std::size_t i = 0; i < rows.size(); ++i) {  // the newest, in order, without a gap
    CAPTURE(i);
    CHECK(rows[i].starts_with("- " + to_string(sessions[i].membership) + " | session=session-" +
                              std::to_string(i) + " | "));
  }
  CHECK(lines_with(page.text, std::to_string(page.clipped) + " older sessions from ").size() == 1);
  CHECK(page.text.find("; `daybook log --since 2026-02-27 --until 2026-03-2") != std::string::npos);

  // Every day of the window is there, with a row or with the number of those without one.
  const auto days = day_lines_of(page.text);
  std::uint64_t clipped = 0;
  for (const std::string& line : days) {
    clipped += number_in(line);
  }
  CHECK(clipped == page.clipped);
  for (int day = 0; day < 30; ++day) {
    const std::string date = lineage::to_day({kLast.ms - day * kDayMs});
    CAPTURE(date);
    CHECK((page.text.find("### " + date + "\n") != std::string::npos ||
           lines_with(page.text, "- " + date + ": 50 sessions (").size() == 1));
  }
}

TEST_CASE("a pinned note leaves the ledger its forty percent") {
  const std::string pinned(20'000, 'x');
  for (const std::uint64_t max_bytes : {2'000U, 4'000U, 6'000U, 25'000U}) {
    MemoryMdInput input = input_of(busy_days(kLast, 2, 50));
    input.pinned = "First.\n" + pinned;
    const MemoryMd page = render_memory_md(input, {max_bytes, 200, {}});
    CAPTURE(max_bytes);
    const std::size_t head = page.text.find("## Session Ledger");
    CHECK(head <= max_bytes * 6 / 10);
    CHECK(head <= 4096 + 600);
    CHECK(page.text.find("First.") != std::string::npos);
    CHECK(page.text.find("[[memory/pinned.md]]") != std::string::npos);
    CHECK(page.rows > 0);
  }
}

TEST_CASE("a pinned note of many lines leaves the ledger its lines") {
  std::string pinned;
  for (int i = 0; i < 1'000; ++i) {
    pinned += "- x\n";
  }
  MemoryMdInput input = input_of(busy_days(kLast, 2, 50));
  input.pinned = pinned;
  const Budget budget{25'000, 60, {}};
  const MemoryMd page = render_memory_md(input, budget);
  CHECK(is_within(page, budget));
  CHECK(lines_of(page.text.substr(0, page.text.find("## Session Ledger"))).size() <= 36);
  CHECK(page.rows >= 12);
}

TEST_CASE("lines and tokens bind as bytes do") {
  const auto sessions = busy_days(kLast, 3, 50);
  const MemoryMd by_lines = render_memory_md(input_of(sessions), {1'000'000, 40, {}});
  CHECK(by_lines.lines <= 40);
  CHECK(by_lines.rows >= 25);
  const MemoryMd by_tokens = render_memory_md(input_of(sessions), {25'000, 200, 1'000});
  CHECK(tokens_of(by_tokens.text.size()) <= 1'000);
  CHECK(by_tokens.text.size() > 3'000);
  const MemoryMd unbound =
      render_memory_md(input_of(sessions), {UINT64_MAX, UINT64_MAX, UINT64_MAX});
  CHECK(unbound.rows == 150);
  CHECK(unbound.clipped == 0);
  CHECK(unbound.text.find("not shown") == std::string::npos);
}

TEST_CASE("tiny budgets keep heading and notice and trailer") {
  MemoryMdInput input = input_of(busy_days(kLast, 30, 50));
  input.pinned = "Pinned.";
  input.errors = 1;
  const Budget tiny{300, 8, {}};
  const MemoryMd page = render_memory_md(input, tiny);
  CHECK(is_sound(page, 1500));
  CHECK(is_within(page, tiny));
  CHECK(page.text.find("1500 sessions from 2026-03-28 back to 2026-02-27 are not shown here") !=
        std::string::npos);
}

TEST_CASE("a budget below the minimum is exceeded by four lines that say so") {
  for (const Budget budget :
       {Budget{0, 0, {}}, Budget{100, 200, {}}, Budget{25'000, 3, {}}, Budget{25'000, 200, 1}}) {
    const MemoryMd page = render_memory_md(input_of(busy_days(kLast, 30, 50)), budget);
    CHECK(is_sound(page, 1500));
    CHECK(page.lines == 4);
    CHECK(lines_with(page.text, "1500 sessions not shown: the budget ").size() == 1);
  }
}

TEST_CASE("without sessions the ledger says so") {
  const MemoryMd page = render_memory_md(input_of({}), {});
  CHECK(is_sound(page, 0));
  CHECK(page.text.find("## Session Ledger (Last 30 Days)\n\nNo session") != std::string::npos);
}

TEST_CASE("findings that need a person are counted and nothing is said without them") {
  const auto attention = [](std::uint64_t errors, std::uint64_t warnings) {
    MemoryMdInput input = input_of({});
    input.errors = errors;
    input.warnings = warnings;
    const auto lines = lines_with(render_memory_md(input, {}).text, "Attention: ");
    return lines.empty() ? std::string() : lines.front();
  };
  CHECK(attention(0, 0).empty());
  CHECK(attention(1, 0) == "Attention: 1 error needs a person, see `daybook check`.");
  CHECK(attention(0, 2) == "Attention: 2 warnings need a person, see `daybook check`.");
  CHECK(attention(3, 1) == "Attention: 3 errors and 1 warning need a person, see `daybook check`.");
}

TEST_CASE("days are those of UTC and leap days count") {
  std::vector<LedgerSession> sessions;
  int number = 0;
  for (const std::string_view time : {"2024-02-28T23:59:59.999Z",
                                      "2024-02-29T00:00:00.000Z",
                                      "2024-02-29T23:59:59.999Z",
                                      "2024-03-01T00:00:00.000Z",
                                      "2024-03-01T01:30:00.000+02:00"}) {  // still the 29th
    sessions.push_back(session_at(time_of(time), number++));
  }
  const MemoryMd page = render_memory_md(input_of(sessions), {});
  CHECK(lines_with(page.text, "### ") ==
        std::vector<std::string>{"### 2024-03-01", "### 2024-02-29", "### 2024-02-28"});
  const std::string leap_day =
      page.text.substr(page.text.find("### 2024-02-29"),
                       page.text.find("### 2024-02-28") - page.text.find("### 2024-02-29"));
  CHECK(rows_of(leap_day).size() == 3);
}

TEST_CASE("the window has both its edges to the millisecond") {
  const Window window = window_at(time_of("2024-03-15T12:00:00.000Z"));
  CHECK(window.first == time_of("2024-02-14T12:00:00.000Z"));  // thirty days, the 29th among them
  CHECK(window.last == time_of("2024-03-15T12:00:00.000Z"));
  CHECK(window.contains(time_of("2024-02-14T12:00:00.000Z")));
  CHECK_FALSE(window.contains(time_of("2024-02-14T11:59:59.999Z")));
  CHECK(window.contains(time_of("2024-03-15T12:00:00.000Z")));
  CHECK_FALSE(window.contains(time_of("2024-03-15T12:00:00.001Z")));
}

TEST_CASE("sessions of one millisecond are ordered by their token") {
  std::vector<LedgerSession> sessions{
      session_at(kLast, 3), session_at(kLast, 1), session_at(kLast, 2)};
  const auto rows = rows_of(render_memory_md(input_of(sessions), {}).text);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].find("session=session-1 ") != std::string::npos);
  CHECK(rows[2].find("session=session-3 ") != std::string::npos);
}

TEST_CASE("a projection lies where its agent's memory is looked for") {
  CHECK(projection_path("default") == "MEMORY.md");
  CHECK(projection_path("reviewer-2") == "agents/reviewer-2/MEMORY.md");
  CHECK(ledger_reference("default") == "MEMORY.md#Session Ledger (Last 30 Days)");
  CHECK(ledger_reference("x") == "agents/x/MEMORY.md#Session Ledger (Last 30 Days)");
}

TEST_CASE("files of people and other programs are not intact") {
  const std::string page = render_memory_md(input_of({}), {}).text;
  CHECK(is_intact_memory_md(page));
  for (const std::string& text : {std::string(),
                                  std::string("# Memory\n"),
                                  page + "\n",
                                  page + "- a line more\n",
                                  page.substr(0, page.size() - 1),
                                  page.substr(1),
                                  " " + page,
                                  page + page}) {
    CHECK_FALSE(is_intact_memory_md(text));
  }
}

TEST_CASE("any sessions stay within any budget and every page is sound") {
  REQUIRE(rc::check("budget", [] {
    const MemoryMdInput input = random_input();
    const Budget budget = random_budget();
    const MemoryMd page = render_memory_md(input, budget);
    RC_ASSERT(is_within(page, budget));
    RC_ASSERT(is_sound(page, input.sessions.size()));
  }));
}

TEST_CASE("the order of the input cannot be seen in the page") {
  REQUIRE(rc::check("order", [] {
    MemoryMdInput input = random_input();
    const Budget budget = random_budget();
    const MemoryMd page = render_memory_md(input, budget);
    std::sort(input.sessions.begin(), input.sessions.end());
    RC_ASSERT(render_memory_md(input, budget).text == page.text);
    std::reverse(input.sessions.begin(), input.sessions.end());
    RC_ASSERT(render_memory_md(input, budget).text == page.text);
  }));
}

TEST_CASE("any byte that is changed or lost or added breaks a page") {
  REQUIRE(rc::check("intact", [] {
    std::string text = render_memory_md(random_input(), random_budget()).text;
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ *rc::gen::inRange(1, 256));
        break;
      case 1:
        text.erase(at, 1);
        break;
      default:
        text.insert(at, 1, *rc::gen::arbitrary<char>());
    }
    RC_ASSERT(!is_intact_memory_md(text));
  }));
}

TEST_CASE("sessions that are only counted are told as if all of them had been given") {
  rc::check("with as many of the newest as could have a row", [] {
    MemoryMdInput all = random_input();
    // Projects that are short for the same name, several sessions a day, equal times.
    for (LedgerSession& session : all.sessions) {
      session.project = *rc::gen::element<std::string>("", "/a/one", "/b/one", "two", "x|y");
    }
    const Budget budget = random_budget();
    const MemoryMd whole = render_memory_md(all, budget);
    std::sort(all.sessions.begin(),
              all.sessions.end(),
              [](const LedgerSession& one, const LedgerSession& other) {
                return std::tie(other.membership, one.token, one) <
                       std::tie(one.membership, other.token, other);
              });
    // Their rows alone are more than the budget.
    std::size_t kept = 0;
    for (std::uint64_t bytes = 0, lines = 0;
         kept < all.sessions.size() && bytes <= budget.max_bytes && lines < budget.max_lines;
         ++kept, ++lines) {
      MemoryMdInput one;
      one.agent_id = "default";
      one.sessions = {all.sessions[kept]};
      bytes += rows_of(render_memory_md(one, {}).text).at(0).size() + 1;
    }
    MemoryMdInput some = all;
    some.sessions.resize(kept);
    for (std::size_t i = all.sessions.size(); i-- > kept;) {
      some.older.counts.push_back({all.sessions[i].membership, some.older.projects.size(), 1});
      some.older.projects.push_back(all.sessions[i].project);
    }
    RC_ASSERT(render_memory_md(some, budget).text == whole.text);
    RC_ASSERT(render_memory_md(some, budget).clipped == whole.clipped);
    RC_ASSERT(!render_memory_md(some, budget).could_show_more);
  });
}

TEST_CASE("when too few sessions were given to fill the budget, that is told") {
  MemoryMdInput input;
  input.agent_id = "default";
  input.sessions.resize(3);
  input.older = {{"garden"}, {{{-1}, 0, 40}}};
  CHECK(render_memory_md(input, {}).could_show_more);
  CHECK(render_memory_md(input, {}).clipped == 40);
  CHECK_FALSE(render_memory_md(input, {120, 200, {}}).could_show_more);
  CHECK_FALSE(render_memory_md(input, {25'000, 3, {}}).could_show_more);
  input.older = {};
  CHECK_FALSE(render_memory_md(input, {}).could_show_more);
}

}  // namespace daybook::projection
