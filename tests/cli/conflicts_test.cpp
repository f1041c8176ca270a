// SPDX-License-Identifier: MIT
//
// `daybook conflicts` through the real program: what it answers, what it changes, and that it asks.
#include "cli/memory_vault.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using nlohmann::json;
using test::MemoryVault;

const std::string kMark = ".sync-conflict-20260328-223406-ABCDEFG";

std::string with_mark(const std::string& path) {
  return path.substr(0, path.size() - 3) + kMark + ".md";
}

/// A vault with a copy of each fate: trash, merge, stays, derived.
struct ConflictedVault : MemoryVault {
  ConflictedVault() {
    copy(files.transcript.path(), "");
    copy(files.summary.path(), "More text.\n");
    const std::string manifest = place().read("vault/" + files.manifest.path());
    std::string newer = manifest;
    newer.replace(newer.find("revision: 1"), 11, "revision: 4");
    place().write("vault/" + with_mark(files.manifest.path()), newer);
    place().write("vault/" + with_mark("MEMORY.md"), "old\n");
  }

  void copy(const std::string& path, const std::string& more) const {
    place().write("vault/" + with_mark(path), place().read("vault/" + path) + more);
  }

  std::map<std::string, std::string> tree() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(place().path())) {
      const std::string name = entry.path().lexically_relative(place().path()).string();
      found[name] = entry.is_regular_file() ? place().read(name) : "";
    }
    return found;
  }

  support::SessionFiles files =
      session("default", "key-1", "2026-03-28T22:34:06.792Z", "heron", "/home/dev/tidewater");
};

std::map<std::string, std::string> by_path(const json& answer, const std::string& field) {
  std::map<std::string, std::string> found;
  for (const json& one : answer.at("conflicts")) {
    found[one.at("path")] = one.at(field);
  }
  return found;
}

}  // namespace

TEST_CASE("conflicts and its dry run list the same and change nothing") {
  const ConflictedVault vault;
  if (GENERATE(false, true)) {
    vault.index();
  }
  const auto before = vault.tree();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--json", "conflicts"},
        std::vector<std::string>{"--json", "conflicts", "list"},
        std::vector<std::string>{"--json", "conflicts", "resolve", "--dry-run"},
        std::vector<std::string>{"--json", "conflicts", "resolve", "--dry-run", "--yes"}}) {
    const auto outcome = vault.run(arguments);
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == 1);
    const json answer = json::parse(outcome.out);
    CHECK(by_path(answer, "action") ==
          std::map<std::string, std::string>{{with_mark(vault.files.transcript.path()), "trash"},
                                             {with_mark(vault.files.summary.path()), "keep"},
                                             {with_mark(vault.files.manifest.path()), "merge"},
                                             {with_mark("MEMORY.md"), "trash"}});
    CHECK(by_path(answer, "kind").at(with_mark("MEMORY.md")) == "memory-md");
    CHECK(by_path(answer, "verdict").at(with_mark(vault.files.summary.path())) == "differs");
    CHECK(by_path(answer, "original").at(with_mark("MEMORY.md")) == "MEMORY.md");
    for (const json& one : answer.at("conflicts")) {
      CHECK(one.at("agent_id") == "default");
      CHECK_FALSE(one.at("reason").get<std::string>().empty());
    }
    CHECK(vault.tree() == before);
  }
}

TEST_CASE("resolve does nothing unless somebody says yes") {
  const ConflictedVault vault;
  vault.index();
  auto before = vault.tree();
  const auto outcome = vault.run({"--json", "conflicts", "resolve"});
  CHECK(outcome.exit_code == 2);
  CHECK(json::parse(outcome.out).at("error").at("code") == "usage");
  CHECK_THAT(outcome.err, Contains(with_mark(vault.files.transcript.path())));
  CHECK(vault.tree() == before);
}

TEST_CASE("resolve --yes resolves what can be, says where it is, and brings all up to date") {
  const ConflictedVault vault;
  if (GENERATE(false, true)) {
    vault.index();
  }
  const std::string transcript = vault.place().read("vault/" + vault.files.transcript.path());
  const auto outcome = vault.run({"--json", "conflicts", "resolve", "--yes"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);  // one is left
  const json answer = json::parse(outcome.out);
  CHECK(answer.at("dry_run") == false);
  CHECK(by_path(answer, "done") ==
        std::map<std::string, std::string>{{with_mark(vault.files.transcript.path()), "trash"},
                                           {with_mark(vault.files.summary.path()), "keep"},
                                           {with_mark(vault.files.manifest.path()), "merge"},
                                           {with_mark("MEMORY.md"), "trash"}});
  for (const json& one : answer.at("conflicts")) {
    CHECK(one.at("note").is_null());
    CHECK(one.at("trash").is_null() == (one.at("done") == "keep"));
    CHECK(fs::exists(vault.place().at("vault/" + one.at("path").get<std::string>())) ==
          (one.at("done") == "keep"));
  }
  const auto folder = vault.place().at("state/trash/2026-03-30T00-00-00.000Z/");
  CHECK(fs::exists(folder + with_mark("MEMORY.md")));
  CHECK(fs::exists(folder + with_mark(vault.files.transcript.path())));
  CHECK_THAT(vault.place().read("vault/" + vault.files.manifest.path()), Contains("revision: 5"));
  CHECK_THAT(vault.place().read("vault/MEMORY.md"), Contains("session=key-1"));

  const auto again = vault.run({"conflicts", "resolve", "--yes"});
  CHECK(again.exit_code == 1);
  CHECK_THAT(again.out, Contains("left: it differs"));
  fs::remove(vault.place().at("vault/" + with_mark(vault.files.summary.path())));
  const auto done = vault.run({"conflicts", "resolve", "--yes"});
  CHECK(done.exit_code == 0);
  CHECK(done.out == "There are no conflict copies.\n");
  CHECK(vault.run({"conflicts"}).exit_code == 0);
  CHECK(vault.json({"conflicts"}) == json{{"conflicts", json::array()}});
}

TEST_CASE("conflicts of one agent alone") {
  const ConflictedVault vault;
  CHECK(vault.json({"--agent", "other", "conflicts"}).at("conflicts").empty());
  CHECK(vault.json({"--agent", "default", "conflicts"}).at("conflicts").size() == 4);
}

TEST_CASE("conflicts without a workspace, and with a wrong word") {
  const support::TempFolder place;
  const auto nowhere =
      test::run_daybook({"--workspace", place.at("missing"), "--json", "conflicts"});
  CHECK(nowhere.exit_code == 4);
  place.make_folder("empty");
  const auto empty = test::run_daybook({"--workspace",
                                        place.at("empty"),
                                        "--state-dir",
                                        place.at("state"),
                                        "--json",
                                        "conflicts",
                                        "resolve",
                                        "--yes"});
  CHECK(empty.exit_code == 4);
  CHECK_FALSE(fs::exists(place.at("state")));
  CHECK(test::run_daybook({"conflicts", "solve"}).exit_code == 2);
}

TEST_CASE("names in conflicts cannot draw on the terminal") {
  const MemoryVault vault;
  const std::string path = "vault/memory/\x1b[2J (conflicted copy).md";
  vault.place().write(path, "text\n");
  const auto outcome = vault.run({"conflicts"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.find('\x1b') == std::string::npos);
}

}  // namespace daybook
