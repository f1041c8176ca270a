// SPDX-License-Identifier: MIT
#include "daybook/harness/run_record.hpp"

#include "daybook/base/utf8.hpp"
#include "support/text_lines.hpp"

#include <catch2/catch.hpp>

using namespace daybook::harness;

namespace {

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) {
    out += text;
  }
  return out;
}

}  // namespace

TEST_CASE("A preview is counted in characters, and says with one ellipsis that it was cut") {
  CHECK(preview("  é  ", 160) == "é");
  CHECK(preview(repeated("é", 160), 160) == repeated("é", 160));
  CHECK(preview(repeated("é", 161), 160) == repeated("é", 160) + "…");
  CHECK(preview(repeated("😀", 500), 480) == repeated("😀", 480) + "…");
  CHECK(preview("", 160).empty());
}

TEST_CASE("A completed run has a request and a result") {
  const RunRecord record = run_record(RunStatus::completed, "Mend\nit.\n", " Mended. ", "");
  CHECK(record.status == RunStatus::completed);
  CHECK(record.request_preview == "Mend it.");
  CHECK(record.outcome_preview == "Mended.");
  CHECK(record.failure_markers.empty());
  CHECK(record.summary == "Request: Mend it.\nResult: Mended.");
}

TEST_CASE("A run that says nothing still has its status") {
  CHECK(run_record(RunStatus::completed, "", "", "").summary == "Status: completed");
  CHECK(run_record(RunStatus::cancelled, "", "", "").summary == "Status: cancelled");
  CHECK(run_record(RunStatus::failed, "a", "", "").summary == "Request: a\nStatus: failed");
}

TEST_CASE("A run that did not complete says why") {
  const RunRecord failed = run_record(RunStatus::failed, "a", "b", "quota\nreached");
  CHECK(failed.summary == "Request: a\nResult: b\nError: quota reached");
  CHECK(failed.failure_markers == std::vector<std::string>{"failed", "error: quota reached"});
  const RunRecord interrupted = run_record(RunStatus::interrupted, "a", "b", "");
  CHECK(interrupted.summary == "Request: a\nResult: b\nStatus: interrupted");
  CHECK(interrupted.failure_markers == std::vector<std::string>{"interrupted"});
}

TEST_CASE("A record is short, whatever the session said") {
  const std::string text = repeated("wört ", 1000);
  const RunRecord record = run_record(RunStatus::failed, text, text, text);
  CHECK(record.request_preview == preview(text, 160));
  CHECK(record.summary == preview(record.summary, 480));
  CHECK(record.summary.ends_with("…"));
  CHECK(daybook::support::lines_of(record.summary).size() == 3);
}

TEST_CASE("Words of the status are read as they are written") {
  for (const RunStatus status :
       {RunStatus::completed, RunStatus::failed, RunStatus::interrupted, RunStatus::cancelled}) {
    CHECK(daybook::lineage::run_status_from_string(to_string(status)) == status);
  }
  CHECK_FALSE(daybook::lineage::run_status_from_string("Completed"));
  CHECK_FALSE(daybook::lineage::run_status_from_string(""));
}

TEST_CASE("How a file ends is the run's status") {
  SessionOutline outline;
  CHECK(status_of(outline) == RunStatus::completed);
  outline.interrupted = true;
  CHECK(status_of(outline) == RunStatus::interrupted);
  outline.error = "x";
  CHECK(status_of(outline) == RunStatus::failed);
}

TEST_CASE("The extractive summary tells what was asked, touched and reached") {
  const std::vector<std::string> touched{"src/tide.cpp", "make"};
  const std::string summary = extractive_summary(
      {RunStatus::failed, "Mend the table.\n\n- soon", "Half done.", "quota", &touched, 3, 1});
  CHECK(summary ==
        "## Request\n\n> Mend the table.\n>\n> - soon\n\n"
        "## Touched\n\n- `src/tide.cpp`\n- `make`\n\n"
        "## Outcome\n\n> Half done.\n\n"
        "## Error\n\n> quota\n\n"
        "Status: failed, 3 turns, 1 tool call.\n");
  CHECK(extractive_summary({}) == "Status: completed.\n");
}

TEST_CASE("A session's title is the heading of its summary") {
  SummaryFacts facts;
  facts.request = "Go.";
  facts.title = " Tide\ntable [[x]] %% #tag ";
  CHECK(extractive_summary(facts) ==
        "# Tide table ［［x］］ ％％ ＃tag\n\n## Request\n\n> Go.\n\nStatus: completed.\n");
  facts.title = " \n";
  CHECK(extractive_summary(facts).starts_with("## Request"));
}

TEST_CASE("Text from outside makes no link, heading or fence in a summary") {
  const std::string hostile =
      "[[memory/x|summary]] ![[a]] [a](b) <script> https://example.org www.example.org #tag\n"
      "# Heading\n## Outcome\nTitle\n===\nTitle\n---\n```\ncode\n~~~\n    indented\n<!-- "
      "\n%%x%%\r## Request";
  const std::vector<std::string> touched{"a`b\n## User", "", "pages/[[...slug]].tsx"};
  const std::string summary =
      extractive_summary({RunStatus::failed, hostile, hostile, hostile, &touched, 1, 1});
  for (const std::string& line : daybook::support::lines_of(summary)) {
    CAPTURE(line);
    if (line.starts_with("> ")) {
      for (const char* mark : {"[", "]", "`", "<", "~~", "://", "www.", "%%", "# ", "#t"}) {
        CHECK(line.find(mark) == std::string::npos);
      }
      CHECK(line.find_first_not_of("> =-") != std::string::npos);
    } else {
      const bool ours = line.empty() || line == ">" || line == "## Request" ||
                        line == "## Touched" || line == "## Outcome" || line == "## Error" ||
                        line.starts_with("- `") || line == "- (no name)" ||
                        line.starts_with("Status: ");
      CHECK(ours);
    }
  }
  CHECK(summary.find("- ``a`b ## User``\n") != std::string::npos);
  CHECK(daybook::base::is_valid_utf8(summary));
}

TEST_CASE("A marker of the sanitizer looks whole in a summary") {
  SummaryFacts facts;
  facts.request = "The key is <redacted>";
  facts.outcome = "a -> b, x > y, <redacted:email> > z";
  CHECK(extractive_summary(facts) ==
        "## Request\n\n> The key is ‹redacted›\n\n"
        "## Outcome\n\n> a -> b, x > y, ‹redacted:email› > z\n\nStatus: completed.\n");
}

TEST_CASE("A summary is bounded, and many touched names are counted") {
  const std::vector<std::string> touched(200, std::string(5000, 'x'));
  const std::string text = repeated("wört wört\n", 5000);
  const std::string summary =
      extractive_summary({RunStatus::failed, text, text, text, &touched, 1, 1});
  CHECK(summary.size() < 20'000);
  CHECK(summary.find("- and 160 more\n") != std::string::npos);
  CHECK(summary.find("…") != std::string::npos);
}
