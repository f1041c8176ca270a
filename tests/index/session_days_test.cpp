// SPDX-License-Identifier: MIT
#include "daybook/index/index_file.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/index/writer.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace daybook::index;
using daybook::lineage::SessionToken;
using daybook::lineage::Timestamp;
using daybook::support::TempFolder;

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
/// Days before 1970 count, too: a clock may have said so.
constexpr std::int64_t kFirstDay = -3;
constexpr std::int64_t kLastDay = 4;

using Counts = std::map<std::pair<std::int64_t, std::string>, std::uint64_t>;

SessionToken token_of(int number) {
  return SessionToken::derive("default", "session " + std::to_string(number));
}

/// Few moments, so that sessions share them, and both edges of a day among them.
SessionRow random_session(int number, std::mt19937& random) {
  constexpr std::array<std::int64_t, 4> kMoments{0, 1, kDayMs / 2, kDayMs - 1};
  const auto pick = [&random](std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(random);
  };
  SessionRow row;
  row.token = token_of(number);
  row.agent_id = pick(0, 4) == 0 ? "scribe" : "default";
  row.session_id = std::to_string(number);
  row.project =
      std::array<std::string, 3>{"", "daybook", "garden"}[static_cast<std::size_t>(pick(0, 2))];
  row.membership.ms =
      pick(kFirstDay, kLastDay) * kDayMs + kMoments[static_cast<std::size_t>(pick(0, 3))];
  return row;
}

std::vector<SessionRow> all_of(Reader& reader, const SessionFilter& filter) {
  std::vector<SessionRow> rows;
  REQUIRE(reader.sessions(filter, [&rows](const SessionRow& row) {
    rows.push_back(row);
    return daybook::store::Visit::next;
  }));
  return rows;
}

/// Behind each of its sessions, what is counted is what is there.
void check_counts(Reader& reader, const std::string& agent, std::optional<Timestamp> since) {
  const SessionFilter filter{agent, {}, since, {}, Paths::not_wanted};
  const std::vector<SessionRow> rows = all_of(reader, filter);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Counts expected;
    for (std::size_t k = i + 1; k < rows.size(); ++k) {
      const std::int64_t since_first = rows[k].membership.ms - kFirstDay * kDayMs;
      ++expected[{since_first / kDayMs + kFirstDay, rows[k].project}];
    }
    Counts found;
    const auto find = [&found](const daybook::base::Result<SessionCounts>& counted) {
      REQUIRE(counted);
      for (const SessionCounts::Count& some : counted->counts) {
        found[{some.day, counted->projects.at(some.project)}] += some.sessions;
      }
    };
    find(reader.count_sessions_at_edges(filter, rows[i]));
    find(reader.count_days(agent, Reader::whole_days(filter, rows[i])));
    REQUIRE(found == expected);
  }
}

}  // namespace

TEST_CASE("Sessions counted by day are those that are there, whatever came, changed and went") {
  const TempFolder folder;
  const std::string path = folder.at("index.db");
  std::mt19937 random(GENERATE(1U, 2U, 3U));
  auto build = IndexBuild::begin(path, 1, 1);
  REQUIRE(build);
  {
    auto writer = Writer::make(build->database());
    REQUIRE(writer);
    for (int number = 0; number < 120; ++number) {
      REQUIRE(writer->put_session(random_session(number, random)));
    }
  }
  REQUIRE(build->complete());
  REQUIRE(build->install());

  auto opened = open_index(path, daybook::store::Access::read_write);
  REQUIRE(opened);
  REQUIRE(opened->database);
  Reader reader(*opened->database);
  for (int round = 0; round < 8; ++round) {
    {
      auto writer = Writer::make(*opened->database);
      REQUIRE(writer);
      for (int change = 0; change < 20; ++change) {
        const int number = std::uniform_int_distribution<int>(0, 150)(random);
        if (change % 4 == 0) {
          // None of its files is known, so there is no such session any more.
          REQUIRE(writer->renew_session(token_of(number)));
        } else {
          REQUIRE(writer->put_session(random_session(number, random)));
        }
      }
    }
    for (const char* agent : {"default", "scribe"}) {
      check_counts(reader, agent, std::nullopt);
      check_counts(reader, agent, Timestamp{-kDayMs - 5});
      check_counts(reader, agent, Timestamp{2 * kDayMs + 1});
    }
  }
}

TEST_CASE("A day whose last session went is not kept") {
  const TempFolder folder;
  const std::string path = folder.at("index.db");
  auto build = IndexBuild::begin(path, 1, 1);
  REQUIRE(build);
  REQUIRE(build->complete());
  REQUIRE(build->install());
  auto opened = open_index(path, daybook::store::Access::read_write);
  REQUIRE(opened);
  std::mt19937 random(1);
  auto writer = Writer::make(*opened->database);
  REQUIRE(writer);
  REQUIRE(writer->put_session(random_session(1, random)));
  REQUIRE(opened->database->integer("SELECT count(*) FROM session_day").value() == 1);
  REQUIRE(writer->renew_session(token_of(1)));
  CHECK(opened->database->integer("SELECT count(*) FROM session_day").value() == 0);
}
