// SPDX-License-Identifier: MIT
#include "daybook/recall/run_ranking.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

using daybook::lineage::RunRecord;
using daybook::lineage::RunStatus;
using daybook::recall::rank_runs;
using daybook::recall::RecoveredRun;

RecoveredRun run(std::string id, std::int64_t time, std::string summary, std::string marker = {}) {
  RunRecord record{RunStatus::completed, {}, {}, {}, std::move(summary)};
  if (!marker.empty()) {
    record.failure_markers.push_back(std::move(marker));
  }
  return {std::move(id), {time}, std::move(record), 0};
}

std::string order(std::vector<RecoveredRun> runs, std::string_view query) {
  rank_runs(runs, query);
  std::string ids;
  for (const RecoveredRun& one : runs) {
    ids.append(one.id);
  }
  return ids;
}

}  // namespace

TEST_CASE("Without a question the newest run comes first, and the id breaks ties") {
  CHECK(order({run("a", 1, "x"), run("b", 3, "y"), run("c", 3, "z")}, "") == "cba");
}

TEST_CASE("What the question says whole counts most, then all its words, then some") {
  CHECK(order({run("a", 9, "nothing"),
               run("b", 1, "Fix the tide gauge!"),
               run("c", 1, "a gauge for the tide"),
               run("d", 1, "the tide")},
              "tide gauge") == "bcda");
}

TEST_CASE("The scores are those that are documented") {
  std::vector<RecoveredRun> runs{run("a", 1, "tide gauge", "error: tide")};
  rank_runs(runs, "tide gauge");
  // Summary: 4 x (100 whole + 2 x 15 terms + 40 all); marker: 1 x 15.
  CHECK(runs[0].score == 4 * (100 + 30 + 40) + 15);
  runs = {run("a", 1, "fix the gauge")};
  rank_runs(runs, "gauge it");
  CHECK(runs[0].score == 4 * (15 + 40));  // of the words that are terms it has all
  runs = {run("a", 1, "at it")};
  rank_runs(runs, "at");
  CHECK(runs[0].score == 4 * (100 + 40));  // too short to be a term
}

TEST_CASE("A run holds a question as a whole by whole words alone") {
  std::vector<RecoveredRun> runs{run("a", 9, "Started a category."), run("b", 1, "Art to go.")};
  rank_runs(runs, "art");
  CHECK(runs.front().id == "b");
  CHECK(runs.back().score == 0);
}
