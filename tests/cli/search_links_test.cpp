// SPDX-License-Identifier: MIT
//
// search and links: what is found, for whom, and what is said when nothing is.
#include "cli/memory_vault.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;

const std::string kTime = "2026-03-29T01:00:00.000Z";
const std::string kProject = "/home/dev/tidewater";

TEST_CASE("search finds, highlights and tells where from") {
  const MemoryVault vault;
  vault.index();
  const auto answer = vault.json({"search", "heron", "--fresh"});
  CHECK(answer.at("query") == "heron");
  CHECK(answer.at("fresh") == true);
  CHECK(answer.at("last_sweep") == "2026-03-30T00:00:00.000Z");
  REQUIRE(answer.at("results").size() == 1);
  const auto& hit = answer.at("results").at(0);
  CHECK(contains(hit.at("path"), "--summary.md"));
  CHECK(hit.at("session_token") == token_of("default", "key-1"));
  CHECK(hit.at("kind") == "summary");
  CHECK(hit.at("score") > 0.0);
  CHECK(hit.at("membership_ts") == "2026-03-28T22:34:06.792Z");
  const std::string snippet = hit.at("snippet");
  REQUIRE(hit.at("highlights").size() == 2);
  const std::size_t begin = hit.at("highlights").at(0).at(0);
  CHECK(snippet.substr(begin, 5) == "heron");
  const auto colored = vault.run({"search", "heron", "--color", "always"});
  CHECK(contains(colored.out, "\x1b[33mheron\x1b[0m"));
  CHECK(vault.json({"search", "heron"}).at("fresh").is_null());
  CHECK(vault.json({"show", "run-default-key-1"}).at("telemetry").at("searched").at("times") == 3);
}

TEST_CASE("search keeps to its filters") {
  const MemoryVault vault;
  vault.index();
  const auto count = [&vault](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "search");
    return vault.json(arguments).at("results").size();
  };
  CHECK(count({"importer", "--kind", "transcript"}) == 5);
  CHECK(count({"importer", "--kind", "summary"}) == 0);
  CHECK(count({"importer", "--limit", "2"}) == 2);
  CHECK(count({"importer", "--project", "quillmark"}) == 1);
  CHECK(count({"importer", "--project", "nowhere"}) == 0);
  CHECK(count({"importer", "--since", "2026-03-28"}) == 2);
  CHECK(count({"importer", "--until", "2026-01-05"}) == 1);
  CHECK(vault.run({"search", "importer", "--kind", "manifest"}).exit_code == 2);
  CHECK(vault.run({"search", "importer", "--limit", "0"}).exit_code == 2);
  CHECK(vault.run({"search", "importer", "--since", "soon"}).exit_code == 2);
  CHECK(vault.run({"search"}).exit_code == 2);
}

TEST_CASE("Nothing of one agent is found for another") {
  const MemoryVault vault;
  vault.index();
  CHECK(vault.json({"search", "walrus"}).at("results").size() == 1);
  CHECK(vault.json({"--agent", "other", "search", "walrus"}).at("results").size() == 1);
  const auto foreign = vault.run({"--agent", "default", "search", "walrus"});
  CHECK(foreign.exit_code == 1);
  CHECK(foreign.out.empty());
  const auto own = vault.json({"--agent", "other", "search", "importer"});
  CHECK(own.at("results").size() == 1);
  for (const auto& hit : own.at("results")) {
    CHECK(hit.at("agent_id") == "other");
  }
  CHECK(vault.run({"--agent", "nobody", "search", "importer"}).exit_code == 1);
}

TEST_CASE("search says why nothing was found") {
  const MemoryVault vault;
  const auto unindexed = vault.run({"search", "heron"});
  CHECK(unindexed.exit_code == 1);
  CHECK(contains(unindexed.err, "never indexed"));
  CHECK_FALSE(fs::exists(vault.place().at("state")));
  CHECK(vault.json({"search", "heron"}).at("reason") == "no-index");
  vault.index();
  CHECK(vault.json({"search", "dromedary"}).at("reason") == "nothing-found");
  CHECK(vault.json({"search", "--", "++"}).at("reason") == "no-terms");
  CHECK(contains(vault.run({"search", "--", "++"}).err, "nothing to look for"));
  fs::remove(vault.place().at("state/index.db"));
  CHECK(vault.run({"search", "heron"}).exit_code == 1);
  CHECK(vault.json({"search", "heron"}).at("reason") == "no-index");
  vault.place().write("state/index.db", std::string(8192, 'x'));
  CHECK(vault.run({"search", "heron"}).exit_code == 5);
  CHECK(vault.json({"search", "heron"}).at("error").at("code") == "damaged");
}

TEST_CASE("A hit whose file has changed is left out, and the answer is not fresh") {
  const MemoryVault vault;
  vault.index();
  vault.session("default", "key-1", "2026-03-28T22:34:06.792Z", "zebra", kProject)
      .write(vault.place(), "vault");
  const auto outcome = vault.run({"search", "heron"});
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.err, "has changed since it was indexed"));
  const auto answer = vault.json({"search", "heron"});
  CHECK(answer.at("fresh") == false);
  CHECK(answer.at("changed").size() == 1);
  CHECK(answer.at("results").empty());
  CHECK(vault.json({"search", "importer", "--fresh"}).at("fresh") == false);
}

TEST_CASE("Invalid and removed text is not found") {
  const MemoryVault vault;
  SessionFiles wrong = vault.session("default", "wrong", kTime, "lemur", kProject);
  wrong.summary.fields.set_text("content_sha256", std::string(64, '0'));
  wrong.write(vault.place(), "vault");
  SessionFiles removed = vault.session("default", "gone", kTime, "panda", kProject);
  removed.tombstone.present = true;
  removed.write(vault.place(), "vault");
  vault.index();
  CHECK(vault.run({"search", "lemur"}).exit_code == 1);
  CHECK(vault.run({"search", "panda"}).exit_code == 1);
}

TEST_CASE("A search neither waits for nor fails with a state that cannot be written") {
  const MemoryVault vault;
  vault.index();
  fs::remove(vault.place().at("state/state.db"));
  CHECK(vault.run({"search", "heron"}).exit_code == 0);
  CHECK_FALSE(fs::exists(vault.place().at("state/state.db")));
}

/// A note with a link of every kind, and what they lead to.
void write_links(const MemoryVault& vault) {
  SessionFiles session = vault.session("default", "links", kTime, "newt", kProject);
  session.summary.body =
      "[[style]] and [[twice]] and [[nowhere]]\n[[memory/missing.md]] [[../up]]\n" +
      std::string("[[memory/2026-03-28T22-34-06.792Z--") + token_of("default", "key-1") +
      "--summary.md|before]]\n[[Top]] [[#here]]\n";
  session.write(vault.place(), "vault");
  vault.place().write("vault/notes/style.md", "style\n");
  vault.place().write("vault/a/twice.md", "one\n");
  vault.place().write("vault/b/twice.md", "two\n");
  vault.place().write("vault/top.md", "top\n");
  vault.index();
}

TEST_CASE("links lists what a note links to and what links to it") {
  const MemoryVault vault;
  write_links(vault);
  const std::string target =
      "memory/2026-03-28T22-34-06.792Z--" + token_of("default", "key-1") + "--summary.md";
  const std::string source =
      "memory/2026-03-29T01-00-00.000Z--" + token_of("default", "links") + "--summary.md";
  const auto note = vault.json({"links", source}).at("notes").at(0);
  CHECK(note.at("path") == source);
  bool found = false;
  for (const auto& link : note.at("links")) {
    if (link.at("target") == "style") {
      found = true;
      CHECK(link.at("resolved") == "notes/style.md");
      CHECK(link.at("origin") == "wikilink");
      CHECK(link.at("line") > 1);
    }
  }
  CHECK(found);
  const auto back = vault.json({"links", target}).at("notes").at(0).at("backlinks");
  CHECK(std::any_of(
      back.begin(), back.end(), [&source](const auto& link) { return link.at("path") == source; }));
  CHECK(vault.json({"links", "notes/style.md"}).at("notes").at(0).at("backlinks").size() == 1);
  CHECK(vault.json({"links", "run-default-links"}).at("notes").size() == 3);
  auto inside = vault.program({"links", "style.md"});
  inside.folder = vault.place().at("vault/notes");
  CHECK(contains(support::run(inside).out, "from " + source));
  CHECK(vault.run({"links", "memory/never.md"}).exit_code == 2);
  CHECK(vault.run({"links", "/etc/passwd"}).exit_code == 2);
}

TEST_CASE("links --explain says why each leads where it does") {
  const MemoryVault vault;
  write_links(vault);
  const auto links =
      vault.json({"links", "run-default-links", "--explain"}).at("notes").at(0).at("links");
  const auto last_step = [&links](const std::string& target) -> std::string {
    for (const auto& link : links) {
      if (link.at("target") == target) {
        return link.at("explanation").back();
      }
    }
    return "(no such link)";
  };
  CHECK(last_step("style") == "shortest path that ends so: 'notes/style.md': found");
  CHECK(contains(last_step("twice"), "ambiguous"));
  CHECK(contains(last_step("nowhere"), "leads nowhere"));
  CHECK(contains(last_step("memory/missing.md"), "leads nowhere"));
  CHECK(contains(last_step("../up"), "not followed"));
  CHECK(last_step("Top") == "exact path from the root: 'top.md': found");
  CHECK(contains(vault.run({"links", "run-default-links", "--explain"}).out, "ambiguous"));
}

TEST_CASE("links of one agent are not shown to another") {
  const MemoryVault vault;
  const std::string target =
      "memory/2026-03-28T22-34-06.792Z--" + token_of("default", "key-1") + "--summary.md";
  SessionFiles foreign = vault.session("other", "spy", kTime, "newt", kProject);
  foreign.summary.body = "[[" + target + "]]\n";
  foreign.write(vault.place(), "vault");
  vault.index();
  const auto backlinks = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"links", target});
    std::set<std::string> sources;
    const auto answer = vault.json(arguments);
    for (const auto& link : answer.at("notes").at(0).at("backlinks")) {
      sources.insert(link.at("path"));
    }
    return sources;
  };
  CHECK(backlinks({}).size() == 2);  // its manifest and the spy
  CHECK(backlinks({"--agent", "default"}).size() == 1);
  CHECK(vault.run({"--agent", "other", "links", target}).exit_code == 2);
}

}  // namespace
}  // namespace daybook::test
