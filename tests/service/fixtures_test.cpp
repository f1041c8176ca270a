// SPDX-License-Identifier: MIT
//
// Every folder of fixtures/ is one case: its vault is checked, and what is found must be what its
// expected.txt says, no more and no less. fixtures/README.md describes the form.
#include "daybook/base/disk.hpp"
#include "daybook/service/check.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Expected {
  std::string path;
  std::string line;  // a number, or * for any
  std::string severity;
  std::string code;
};

std::string to_text(const Expected& finding) {
  return finding.path + ":" + finding.line + ": " + finding.severity + " [" + finding.code + "]";
}

std::vector<Expected> read_expected(const fs::path& file) {
  static const std::regex form(R"((.*):(\d+|\*): (error|warning|info) \[([a-z0-9-]+)\])");
  std::vector<Expected> expected;
  std::ifstream stream(file);
  REQUIRE(stream.good());
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line.starts_with("# ")) {
      continue;
    }
    std::smatch match;
    INFO("line: " << line);
    REQUIRE(std::regex_match(line, match, form));
    expected.push_back({match[1], match[2], match[3], match[4]});
  }
  // Exact lines are matched first, so that a * does not take away what a number needs.
  std::stable_sort(expected.begin(), expected.end(), [](const Expected& a, const Expected& b) {
    return (a.line != "*") > (b.line != "*");
  });
  return expected;
}

std::vector<Expected> findings_of(const fs::path& vault, unsigned threads) {
  daybook::service::WorkProgress progress;
  const auto report = daybook::service::check(
      daybook::base::real_disk(), {vault.string(), {}, {}, threads}, progress);
  REQUIRE(report.ok());
  std::vector<Expected> found;
  for (const auto& finding : report->findings()) {
    const auto& code = daybook::lineage::info(finding.diagnostic.code);
    found.push_back({report->path(finding),
                     std::to_string(finding.diagnostic.line),
                     std::string(daybook::lineage::to_string(code.severity)),
                     std::string(code.name)});
  }
  return found;
}

std::string difference(const std::vector<Expected>& expected, std::vector<Expected> found) {
  std::string text;
  for (const Expected& wanted : expected) {
    const auto match = std::find_if(found.begin(), found.end(), [&](const Expected& candidate) {
      return candidate.path == wanted.path && candidate.severity == wanted.severity &&
             candidate.code == wanted.code && (wanted.line == "*" || wanted.line == candidate.line);
    });
    if (match == found.end()) {
      text += "  not found:    " + to_text(wanted) + "\n";
    } else {
      found.erase(match);
    }
  }
  for (const Expected& extra : found) {
    text += "  not expected: " + to_text(extra) + "\n";
  }
  return text;
}

/// Some folders hold other things than a vault; fixtures/README.md names them.
bool is_vault(const fs::path& folder) { return fs::is_directory(folder / "vault"); }

}  // namespace

TEST_CASE("Every fixture vault yields exactly the diagnostics it says") {
  std::size_t vaults = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(DAYBOOK_SOURCE_DIR) / "fixtures")) {
    if (!is_vault(entry.path())) {
      continue;
    }
    ++vaults;
    const auto expected = read_expected(entry.path() / "expected.txt");
    const unsigned threads = vaults % 2 == 0 ? 1 : 4;  // the answer must not depend on it
    const std::string trouble = difference(expected, findings_of(entry.path() / "vault", threads));
    INFO(entry.path().filename().string() << "\n" << trouble);
    CHECK(trouble.empty());
  }
  CHECK(vaults >= 100);
}

TEST_CASE("Each code that needs no database is shown by some fixture or made by a hostile test") {
  std::vector<std::string> shown{"manifest-stale-revision",  // needs the known revision
                                 "too-large",
                                 "unreadable",
                                 "links-scanned-linearly"};
  for (const auto& entry : fs::directory_iterator(fs::path(DAYBOOK_SOURCE_DIR) / "fixtures")) {
    if (is_vault(entry.path())) {
      for (const Expected& finding : read_expected(entry.path() / "expected.txt")) {
        shown.push_back(finding.code);
      }
    }
  }
  for (const auto& code : daybook::lineage::all_codes()) {
    INFO(code.name);
    CHECK(std::find(shown.begin(), shown.end(), code.name) != shown.end());
  }
}
