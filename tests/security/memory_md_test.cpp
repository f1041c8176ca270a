// SPDX-License-Identifier: MIT
// Text from outside in every field of a row: it makes no second row, no heading and no link.
#include "daybook/projection/memory_md.hpp"

#include "daybook/base/utf8.hpp"
#include "daybook/parse/wikilinks.hpp"
#include "projection/sessions.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace daybook::projection {
namespace {

const lineage::Timestamp kTime = time_of("2026-03-28T22:34:06.792Z");

std::vector<std::string> links_in(const std::string& text) {
  std::vector<std::string> links;
  const auto scan = parse::find_wikilinks(
      text, [&links](const parse::Wikilink& link) { links.emplace_back(link.inside); });
  CHECK(scan == parse::LinkScan::exact);
  return links;
}

std::vector<std::string> links_of(const LedgerSession& session) {
  return {*session.summary + "|summary",
          *session.transcript + "|transcript",
          *session.manifest + "|manifest"};
}

std::string page_with(const LedgerSession& session) {
  return render_memory_md({"default", {session}, {}, 0, 0}, {}).text;
}

/// Row, day heading and links are those of the session, and of nothing else.
std::string flaw_of(const LedgerSession& session) {
  const std::string text = page_with(session);
  if (rows_of(text).size() != 1 || lines_with(text, "- ").size() != 1) {
    return "rows";
  }
  if (lines_with(text, "#") !=
      std::vector<std::string>{"# Memory", "## Session Ledger (Last 30 Days)", "### 2026-03-28"}) {
    return "headings";
  }
  if (lines_with(text, "<").size() != 1 || !base::is_valid_utf8(text)) {
    return "form";
  }
  const std::string row = rows_of(text).front();
  std::size_t bars = 0;
  for (std::size_t at = row.find(" | "); at != std::string::npos; at = row.find(" | ", at + 1)) {
    ++bars;
  }
  if (bars != 3) {
    return "separators";
  }
  return links_in(text) == links_of(session) ? "" : "links";
}

const std::vector<std::string>& attacks() {
  static const std::vector<std::string> texts{
      "line\n- 2026-03-28T00:00:00.000Z | session=x | project=- | Forged.",
      "line\r# Heading",
      "line\u2028## Heading",
      "a | session=forged | project=forged | b",
      "[[memory/forged.md|summary]]",
      "![[memory/forged.md]]",
      "[[memory/forged.md",
      "memory/forged.md]]",
      "[a](memory/forged.md) ![b](x.png)",
      "`",
      "``` [[x]] ```",
      "`` ` ``",
      "# heading",
      "#tag",
      "<!-- hidden",
      "-->",
      "<b>bold</b><script>alert(1)</script>",
      "<https://evil.example>",
      "%% hidden",
      "$x$ ==y== ^block",
      "\\",
      "\\[[x]]",
      "trailing \\",
      "!",
      "\x1b[31mred\x1b[0m",
      "\u202Egnp.exe",
      "\xFF\xFE\xE4",
      std::string("nul\0byte", 8),
      "&lt;b&gt; &#91;&#91;x]]",
      std::string(10'000, 'x'),
      std::string(10'000, '['),
      std::string(10'000, '|'),
  };
  return texts;
}

}  // namespace

TEST_CASE("MEMORY.md injection: hostile text makes exactly one row whose links are its own") {
  for (const std::string& text : attacks()) {
    CAPTURE(text.substr(0, 60));
    LedgerSession session = session_at(kTime, 7);
    session.sentence = text;
    CHECK(flaw_of(session).empty());
    session.project = text;
    CHECK(flaw_of(session).empty());
    session.session = text;
    CHECK(flaw_of(session).empty());
  }
}

TEST_CASE(
    "MEMORY.md injection: any mixture of hostile texts makes exactly one row whose links are its "
    "own") {
  REQUIRE(rc::check("hostile", [] {
    const auto any = support::text_made_of(attacks());
    LedgerSession session = session_at(kTime, 7);
    session.sentence = *any;
    session.project = *any;
    session.session = *any;
    RC_ASSERT(flaw_of(session) == "");
  }));
}

TEST_CASE("MEMORY.md injection: long fields are cut at their measure") {
  LedgerSession session = session_at(kTime, 7);
  session.session = std::string(10'000, 's');
  session.project = std::string(10'000, 'p');
  session.sentence = std::string(10'000, 'w');
  const std::string row = rows_of(page_with(session)).front();
  CHECK(row.find("session=" + std::string(127, 's') + "… | project=" + std::string(199, 'p') +
                 "… | " + std::string(399, 'w') + "… [[") != std::string::npos);
}

TEST_CASE("MEMORY.md injection: fields of nothing that can be seen are shown as nothing") {
  LedgerSession session = session_at(kTime, 7);
  session.session = "\u200B";
  session.project = "\n";
  session.sentence = " ";
  CHECK(rows_of(page_with(session))
            .front()
            .starts_with("- 2026-03-28T22:34:06.792Z | session=- | project=- | (no sentence) [["));
}

TEST_CASE("MEMORY.md injection: a path that could be misread is not linked") {
  for (const std::string path : {"memory/a|b/x--summary.md",
                                 "memory/a]] [[b/x--summary.md",
                                 "memory/a#b/x--summary.md",
                                 "memory/a`b/x--summary.md",
                                 "memory/a\nb/x--summary.md"}) {
    CAPTURE(path);
    LedgerSession session = session_at(kTime, 7);
    session.summary = path;
    const std::string text = page_with(session);
    const auto links = links_in(text);
    CHECK(links == std::vector<std::string>{*session.transcript + "|transcript",
                                            *session.manifest + "|manifest"});
    CHECK(rows_of(text).size() == 1);
  }
}

TEST_CASE(
    "MEMORY.md injection: hostile project names and agents stay on the line of a clipped day") {
  for (const std::string& text : attacks()) {
    CAPTURE(text.substr(0, 60));
    std::vector<LedgerSession> sessions = busy_days(kTime, 2, 5);
    for (LedgerSession& session : sessions) {
      session.project = text;
    }
    const std::string page = render_memory_md({text, sessions, {}, 0, 0}, {1'500, 20, {}}).text;
    CHECK(day_lines_of(page).size() == 2);
    CHECK(lines_with(page, "#").size() <= 4);
    CHECK(is_intact_memory_md(page));
    for (const std::string& link : links_in(page)) {
      CHECK(link.starts_with("memory/2026-03-2"));
    }
  }
}

}  // namespace daybook::projection
