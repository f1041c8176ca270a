// SPDX-License-Identifier: MIT
//
// What a service has summed up of days without rows, while sessions of such days come, go and
// change: MEMORY.md is as if all of them were counted anew.
#include "daybook/service/ledger.hpp"
#include "daybook/service/workspace_config.hpp"
#include "support/indexed_vault.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <random>

namespace daybook::flow {
namespace {

using lineage::Kind;
using support::IndexedVault;
using support::SessionFiles;

constexpr std::array<const char*, 5> kProjects{
    "/home/nina/tidewater", "/srv/tidewater", "/home/nina/harbour", "/home/nina/boats", ""};
/// Room for a few rows, so that most days have none.
constexpr const char* kSettings = "memory_md:\n  max_bytes: 2400\n";

/// Sessions on twelve days before the test's today, some of which nobody else has a session on.
class BusyMonth {
 public:
  explicit BusyMonth(unsigned seed) : random_(seed) {
    vault_.write("daybook.yaml", kSettings);
    for (int i = 0; i < 48; ++i) {
      add();
    }
    vault_.reindex();
  }

  IndexedVault& vault() { return vault_; }

  std::vector<std::string> add() {
    const int number = next_++;
    char captured_at[32];
    std::snprintf(captured_at,
                  sizeof captured_at,
                  "2026-03-%02dT%02d:%02d:00.000Z",
                  pick(17, 29),
                  number / 60 % 24,
                  number % 60);
    SessionFiles files("default", "key-" + std::to_string(number), captured_at);
    files.set_everywhere("project",
                         support::json_quoted(kProjects.at(static_cast<std::size_t>(pick(0, 4)))));
    vault_.add(files);
    std::vector<std::string> paths;
    for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
      paths.push_back("memory/" + files.file_name(kind));
    }
    sessions_.emplace(number, paths);
    return paths;
  }

  std::vector<std::string> unlink() {
    auto gone = std::next(sessions_.begin(), pick(0, static_cast<int>(sessions_.size()) - 1));
    std::vector<std::string> paths = gone->second;
    for (const std::string& path : paths) {
      vault_.unlink(path);
    }
    sessions_.erase(gone);
    return paths;
  }

  int pick(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }

 private:
  IndexedVault vault_;
  std::mt19937 random_;
  std::map<int, std::vector<std::string>> sessions_;
  int next_ = 0;
};

std::string counted_anew(const IndexedVault& vault, const std::string& agent = "default") {
  auto reader = index::Reader::open(vault.folder().file(index::kIndexFile));
  REQUIRE(reader);
  const auto config = service::load_config(base::real_disk(), vault.workspace());
  REQUIRE(config);
  const auto ledger = service::render_ledger(
      base::real_disk(), vault.workspace(), *reader, *config, agent, {vault.clock().now_ms()});
  REQUIRE(ledger);
  return ledger->md.text;
}

std::vector<std::string> lines_of_days(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = text.find("\n- 2026-03-"); at != std::string::npos;
       at = text.find("\n- 2026-03-", at + 1)) {
    const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    if (line.find(": ") == 12) {
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("Days without rows are what they are after any change that a service follows") {
  BusyMonth month(GENERATE(1U, 2U, 3U, 4U));
  IndexedVault& vault = month.vault();
  REQUIRE(lines_of_days(vault.memory_md()).size() >= 8);
  for (int step = 0; step < 25; ++step) {
    CAPTURE(step);
    switch (month.pick(0, 9)) {
      case 0:
        vault.write("daybook.yaml", std::string(kSettings) + "noise: [\"*/harbour\"]\n");
        break;
      case 1:
        vault.write("daybook.yaml", kSettings);
        break;
      case 2:  // another process, which writes the same index
        month.add();
        vault.reindex();
        break;
      case 3:  // and one that puts another in its place
        month.unlink();
        vault.reindex(service::Extent::everything);
        break;
      default:
        break;
    }
    // Sometimes one for another, so that there are as many as before.
    std::vector<std::string> changed;
    const int kinds = month.pick(1, 3);
    for (const bool goes : {true, false}) {
      if ((kinds & (goes ? 1 : 2)) != 0) {
        const auto paths = goes ? month.unlink() : month.add();
        changed.insert(changed.end(), paths.begin(), paths.end());
      }
    }
    vault.follow(changed);
    CHECK(vault.memory_md() == counted_anew(vault));
  }
}

TEST_CASE("Days of an agent that was gone, and came back in part, are counted anew") {
  IndexedVault vault;
  vault.write("daybook.yaml", kSettings);
  vault.add(SessionFiles("default", "removed", "2026-03-29T11:00:00.000Z"));
  std::vector<SessionFiles> sessions;
  for (int day = 29; day >= 10; --day) {  // the newest first
    sessions.emplace_back(
        "zeta", "key-" + std::to_string(day), "2026-03-" + std::to_string(day) + "T10:00:00.000Z");
    sessions.back().set_everywhere("project", "\"/home/nina/" + std::to_string(day) + "\"");
  }
  const auto follow = [&](bool come, std::size_t count) {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < count; ++i) {
      for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
        paths.push_back("memory/" + sessions[i].file_name(kind));
        if (!come) {
          vault.unlink(paths.back());
        }
      }
      if (come) {
        vault.add(sessions[i]);
      }
    }
    vault.follow(paths);
  };
  for (const SessionFiles& session : sessions) {
    vault.add(session);
  }
  vault.reindex(service::Extent::everything);
  vault.follow({"memory/nothing.md"});
  follow(false, 1);
  REQUIRE(lines_of_days(vault.memory_md("zeta")).size() >= 8);
  follow(false, sessions.size());
  // What is erased after it takes along all words that nobody uses, the agent's name among them.
  vault.remove_session("removed");
  follow(true, 10);
  REQUIRE_FALSE(lines_of_days(vault.memory_md("zeta")).empty());
  CHECK(vault.memory_md("zeta") == counted_anew(vault, "zeta"));
}

}  // namespace daybook::flow
