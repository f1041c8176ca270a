// SPDX-License-Identifier: MIT
//
// The lineage contract's own list of regression tests, those of the index and the ledger that no
// other file here is named after, through the whole pipeline.
#include "support/indexed_vault.hpp"
#include "support/text_lines.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

namespace daybook {
namespace {

using Catch::Contains;
using Catch::VectorContains;
using lineage::Kind;
using support::IndexedVault;
using support::lines_of;
using support::SessionFiles;

std::size_t rows_in(const std::string& memory) {
  const auto lines = lines_of(memory);
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find(" | session=") != std::string::npos;
      }));
}

}  // namespace

TEST_CASE("1,500-session window: newest rows kept, oldest clipped, an explicit notice") {
  IndexedVault vault;
  constexpr int kDays = 30;
  constexpr int kEachDay = 50;
  for (int i = 0; i < kDays * kEachDay; ++i) {
    const lineage::Timestamp time{support::kTestNow - i * (86'400'000LL / kEachDay)};
    SessionFiles session("default", "key-" + std::to_string(i), lineage::to_string(time));
    session.transcript.present = false;
    vault.add(session);
  }
  const auto report = vault.reindex();
  CHECK(report.sessions == 1500);
  const std::string memory = vault.memory_md();
  const auto lines = lines_of(memory);
  CHECK(memory.size() <= 25'000);
  CHECK(lines.size() <= 200);
  const std::size_t rows = rows_in(memory);
  REQUIRE(rows > 20);
  for (std::size_t i = 0; i < rows; ++i) {  // the newest ones, in their order, without a gap
    CHECK_THAT(memory, Contains("session=key-" + std::to_string(i) + " |"));
  }
  CHECK_THAT(memory, !Contains("session=key-" + std::to_string(rows) + " |"));
  CHECK_THAT(memory, Contains("daybook log --since"));
  CHECK(report.projections.front().clipped == 1500 - rows);
  for (int day = 0; day < kDays; ++day) {  // no day vanishes
    CHECK_THAT(memory, Contains(lineage::to_day({support::kTestNow - day * 86'400'000LL})));
  }
}

TEST_CASE("rows without links are shorter, and as many of them are shown as fit") {
  IndexedVault vault;
  for (int i = 0; i < 300; ++i) {
    const lineage::Timestamp time{support::kTestNow - i * 60'000LL};
    SessionFiles session("default", "key-" + std::to_string(i), lineage::to_string(time));
    // No link can lead there: the folder's name would be misread.
    session.summary.folder = session.transcript.folder = session.manifest.folder = "memory/C#";
    vault.add(session);
  }
  const auto report = vault.reindex();
  const std::string memory = vault.memory_md();
  CHECK_THAT(memory, !Contains("[["));
  const std::size_t rows = rows_in(memory);
  CHECK(report.projections.front().clipped == 300 - rows);
  // Either the lines are used up, or another row would be one too many.
  CHECK((lines_of(memory).size() > 190 || memory.size() > 24'700));
}

TEST_CASE("sentence floor: a low-signal sentence is reported and not shown") {
  IndexedVault vault;
  SessionFiles session("default", "vague", "2026-03-20T10:00:00.000Z");
  for (const Kind kind : {Kind::summary, Kind::transcript}) {
    session.file(kind).fields.set_text("memory_sentence", "Worked on task.");
  }
  session.summary.body = "# Rebuilt the tide tables\n\nAll harbours were read again.\n";
  vault.add(session);
  vault.reindex();
  CHECK_THAT(vault.codes(session.summary.path()), VectorContains(std::string("sentence-quality")));
  CHECK_THAT(vault.memory_md(), !Contains("Worked on task."));
  CHECK_THAT(vault.memory_md(), Contains("session=vague"));
  CHECK_THAT(vault.memory_md(), Contains("Rebuilt the tide tables"));
}

TEST_CASE("wikilink format: every link of the ledger is workspace-root-relative") {
  IndexedVault vault;
  SessionFiles session("default", "linked", "2026-03-20T10:00:00.000Z");
  session.summary.body =
      "# Links\n\n[[" + session.file_name(Kind::transcript) + "]] and [[../x.md]]\n";
  vault.add(session);
  vault.reindex();
  CHECK(vault.codes(session.summary.path()) ==
        std::vector<std::string>{"link-escapes-workspace", "link-not-root-relative"});
  const std::string memory = vault.memory_md();
  for (std::size_t at = memory.find("[["); at != std::string::npos;
       at = memory.find("[[", at + 1)) {
    CHECK(memory.compare(at, 9, "[[memory/") == 0);
  }
  CHECK_THAT(memory, Contains("[[" + session.summary.path() + "|summary]]"));
}

TEST_CASE("checksum scope: only the normalised body counts for content_sha256") {
  IndexedVault vault;
  SessionFiles session("default", "hashed", "2026-03-20T10:00:00.000Z");
  const std::string right = session.text(Kind::summary);
  session.summary.bytes = right + "  \t\n\n";  // blanks at line ends and at the end do not count
  vault.add(session);
  vault.reindex();
  CHECK(vault.codes(session.summary.path()).empty());
  SessionFiles other("default", "broken", "2026-03-21T10:00:00.000Z");
  other.summary.bytes = other.text(Kind::summary) + "one word more\n";
  vault.add(other);
  vault.reindex();
  CHECK_THAT(vault.codes(other.summary.path()), VectorContains(std::string("checksum-mismatch")));
}

TEST_CASE("frontmatter sentence projection: rows say what memory_sentence says, word for word") {
  IndexedVault vault;
  const std::string sentence =
      "Taught src/gauge/import.cpp of tidewater to read the older files, of which forty were "
      "waiting since January.";
  SessionFiles session("default", "sentence", "2026-03-20T10:00:00.000Z");
  session.summary.fields.set_text("memory_sentence", sentence);
  session.summary.body = "# A heading that is not the sentence\n\nNor is this.\n";
  vault.add(session);
  vault.reindex();
  const auto lines = lines_of(vault.memory_md());
  const auto row = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("session=sentence") != std::string::npos;
  });
  REQUIRE(row != lines.end());
  CHECK(row->find("| " + sentence + " [[") != std::string::npos);
  CHECK_THAT(vault.memory_md(), !Contains("A heading that is not the sentence"));
}

TEST_CASE("window edges to the millisecond: a session that leaves or enters changes the text") {
  IndexedVault vault;
  vault.set_now("2026-03-30T12:00:00.000Z");
  const auto at = [&](const std::string& key, const std::string& ended, const char* captured) {
    SessionFiles session("default", key, captured);
    for (const Kind kind : {Kind::summary, Kind::transcript}) {
      session.file(kind).fields.set("ended_at", ended);
    }
    vault.add(session);
  };
  at("first", "\"2026-02-28T12:00:00.000Z\"", "2026-02-28T12:00:00.500Z");
  at("before", "\"2026-02-28T11:59:59.999Z\"", "2026-02-28T12:00:01.000Z");
  at("now", "\"2026-03-30T12:00:00.000Z\"", "2026-03-30T12:00:02.000Z");
  at("future", "\"2026-03-30T12:00:00.001Z\"", "2026-03-30T12:00:03.000Z");
  at("open", "null", "2026-03-29T23:30:00.000Z");
  at("offset", "\"2026-03-29T01:30:00.000+02:00\"", "2026-03-29T00:00:00.000Z");
  const auto report = vault.reindex();
  CHECK(report.future == 1);
  const std::string memory = vault.memory_md();
  for (const char* shown : {"first", "now", "open", "offset"}) {
    CHECK_THAT(memory, Contains(std::string("session=") + shown + " "));
  }
  for (const char* hidden : {"before", "future"}) {
    CHECK_THAT(memory, !Contains(std::string("session=") + hidden + " "));
  }
  CHECK_THAT(memory, Contains("- 2026-03-28T23:30:00.000Z | session=offset"));
  CHECK_THAT(memory, Contains("### 2026-03-28"));
  // No file changes, only the clock does.
  vault.set_now("2026-03-30T12:00:00.001Z");
  vault.reindex();
  CHECK_THAT(vault.memory_md(), !Contains("session=first "));
  CHECK_THAT(vault.memory_md(), Contains("session=future "));
}

TEST_CASE("the leap day is a day of the window") {
  IndexedVault vault;
  vault.set_now("2028-03-01T00:00:00.000Z");
  vault.add({"default", "leap", "2028-02-29T23:59:59.999Z"});
  vault.reindex();
  CHECK_THAT(vault.memory_md(), Contains("### 2028-02-29"));
}

TEST_CASE("hostile sentences and projects: one row each, links only to their own session") {
  IndexedVault vault;
  const std::vector<std::string> hostile{
      "Line one\nline two of tidewater",
      "a | session=forged | project=x | b",
      "see [[memory/other.md|summary]] and ![[embed]]",
      "`code` and ```fences``` and # heading and ## Session Ledger",
      "<script>alert(1)</script> <!-- daybook sha256=0 --> &amp;",
      "\x1b[31mred\x1b[0m \x07 \x9b"
      "31m \xe2\x80\xae backwards",
      std::string(10'000, 'x')};
  for (std::size_t i = 0; i < hostile.size(); ++i) {
    SessionFiles session("default",
                         "hostile-" + std::to_string(i),
                         "2026-03-20T10:00:0" + std::to_string(i) + ".000Z");
    session.set_everywhere("project", support::json_quoted("/home/me/" + hostile[i]));
    for (const Kind kind : {Kind::summary, Kind::transcript}) {
      session.file(kind).fields.set_text(
          "memory_sentence",
          hostile[i] + " in src/gauge/import.cpp of tidewater, which took the whole of one day.");
    }
    vault.add(session);
  }
  const auto report = vault.reindex();
  const std::string memory = vault.memory_md();
  CHECK(rows_in(memory) == report.sessions);
  CHECK(report.sessions >= 6);  // text that is not UTF-8 makes its files invalid
  CHECK_THAT(memory, !Contains("\x1b") && !Contains("<script") && !Contains("[[memory/other.md"));
  for (const std::string& line : lines_of(memory)) {
    const std::size_t at = line.find("session=hostile-");
    if (at == std::string::npos) {
      continue;
    }
    const std::string key = line.substr(at + 8, 9);
    const std::string token = SessionFiles("default", key, "2026-03-20T10:00:00.000Z").token();
    for (std::size_t link = line.find("[["); link != std::string::npos;
         link = line.find("[[", link + 1)) {
      CHECK(line.substr(link, line.find("]]", link) - link).find(token) != std::string::npos);
    }
  }
}

}  // namespace daybook
