// SPDX-License-Identifier: MIT
#include "daybook/canon/learning_writer.hpp"

#include "daybook/canon/session_lock.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/learning_rules.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <vector>

namespace daybook::canon {
namespace {

using lineage::Learning;
using lineage::LearningStatus;
using lineage::PublishTier;
using lineage::Timestamp;
using support::TempFolder;

const Timestamp kCreated = lineage::parse_timestamp("2026-04-01T08:00:00.123Z").value();
const Timestamp kLater = lineage::parse_timestamp("2026-04-02T09:00:00.000Z").value();

Learning example() {
  Learning learning;
  learning.id = lineage::learning_id(kCreated, 7);
  learning.agent_id = "default";
  learning.kind = lineage::LearningKind::preference;
  learning.category = "style";
  learning.scope = {lineage::ScopeKind::project, "/home/me/tide: \"water\""};
  learning.origin = lineage::LearningOrigin::api;
  learning.created_at = kCreated;
  learning.updated_at = kCreated;
  learning.expires_at = kLater;
  learning.metadata = R"({"source":"a \"quoted\" one","n":3})";
  learning.content = "Short mails.\n\n--- and # no headings: \"ever\".";
  return learning;
}

std::optional<Learning> read_back(const std::string& text, const std::string& path) {
  const parse::FileParts parts = parse::split_file(text);
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> findings;
  if (!parse::read_frontmatter(parts.yaml, fields, findings) || !parse::is_learning_note(fields)) {
    return std::nullopt;
  }
  Learning learning = parse::read_learning(fields, path, parts.body, parts.body_line, findings);
  return findings.empty() ? std::optional(std::move(learning)) : std::nullopt;
}

struct Vault : TempFolder {
  Vault() { make_folder("vault/memory"); }
  std::string workspace() const { return at("vault"); }
  FilePlace place(const std::string& path) const { return {workspace(), path, at("locks")}; }
};

mode_t mode_of(const std::string& path) {
  struct stat known {};
  REQUIRE(::stat(path.c_str(), &known) == 0);
  return known.st_mode & 0777U;
}

Result<LearningOutcome> write_one(const Vault& vault, const Learning& learning) {
  auto outcomes = write_learnings(base::real_disk(), vault.workspace(), {&learning, 1});
  if (!outcomes) {
    return std::move(outcomes).error();
  }
  REQUIRE(outcomes->size() == 1);
  return std::move(outcomes->front());
}

ChangeLearning revoke_it() {
  return [](const Learning&) -> Result<std::optional<LearningEdit>> {
    return std::optional(
        LearningEdit{LearningStatus::revoked, PublishTier::active, kLater, "out of date", {}});
  };
}

}  // namespace

TEST_CASE("A learning is written where its id says and read back as it was") {
  const Vault vault;
  std::filesystem::permissions(vault.at("vault/memory"), std::filesystem::perms(0750));
  const Learning learning = example();
  const auto outcome = write_one(vault, learning);
  REQUIRE(outcome.ok());
  CHECK(outcome->write == LearningWrite::written);
  CHECK(outcome->path == lineage::learning_path(learning.id, learning.content));
  const std::string text = vault.read("vault/" + outcome->path);
  CHECK(text == learning_text(learning).value());
  CHECK(base::sha256(text) == outcome->sha256);
  CHECK(read_back(text, outcome->path) == learning);
  CHECK((mode_of(vault.at("vault/memory/learnings")) & 0007U) == 0);
}

TEST_CASE("A revoked learning is read back with its reason") {
  Learning learning = example();
  learning.status = LearningStatus::revoked;
  learning.revoked_at = kLater;
  learning.revoked_reason = "out of date";
  const auto text = learning_text(learning);
  REQUIRE(text.ok());
  CHECK(read_back(*text, lineage::learning_path(learning.id, learning.content)) == learning);
}

TEST_CASE("A learning never takes the place of another file") {
  const Vault vault;
  const Learning learning = example();
  const std::string path = lineage::learning_path(learning.id, learning.content);
  vault.write("vault/" + path, "mine\n");
  Learning free = learning;
  ++free.id;
  const std::vector<Learning> wanted{learning, free};
  const auto outcomes = write_learnings(base::real_disk(), vault.workspace(), wanted);
  REQUIRE(outcomes.ok());
  REQUIRE(outcomes->size() == 2);
  CHECK(outcomes->front().write == LearningWrite::name_taken);
  CHECK(outcomes->front().learning == learning);
  CHECK(vault.read("vault/" + path) == "mine\n");
  CHECK(outcomes->back().write == LearningWrite::written);
  CHECK(read_back(vault.read("vault/" + outcomes->back().path), outcomes->back().path) == free);
}

TEST_CASE(
    "A name that a link, a folder or a pipe has is taken, and keeps no other from being written") {
  const Vault vault;
  const Learning learning = example();
  const std::string path =
      vault.at("vault/" + lineage::learning_path(learning.id, learning.content));
  vault.make_folder("vault/memory/learnings");
  SECTION("a link") { std::filesystem::create_symlink(vault.at("elsewhere"), path); }
  SECTION("a folder") { std::filesystem::create_directory(path); }
  SECTION("a pipe") { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }
  Learning free = learning;
  ++free.id;
  const std::vector<Learning> wanted{learning, free};
  const auto outcomes = write_learnings(base::real_disk(), vault.workspace(), wanted);
  REQUIRE(outcomes.ok());
  CHECK(outcomes->front().write == LearningWrite::name_taken);
  CHECK(outcomes->back().write == LearningWrite::written);
  CHECK_FALSE(std::filesystem::exists(vault.at("elsewhere")));
}

TEST_CASE("Many learnings are written with few open files") {
  const Vault vault;
  std::vector<Learning> wanted(70, example());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i].id += i;
  }
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few{64, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  const auto outcomes = write_learnings(base::real_disk(), vault.workspace(), wanted);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  REQUIRE(outcomes.ok());
  CHECK(outcomes->size() == wanted.size());
}

TEST_CASE("Many learnings are written in their order, and the same again changes nothing") {
  const Vault vault;
  std::vector<Learning> wanted;
  for (std::uint64_t i = 0; i < 130; ++i) {  // more than are written together
    wanted.push_back(example());
    wanted.back().id += i;
  }
  const auto outcomes = write_learnings(base::real_disk(), vault.workspace(), wanted);
  REQUIRE(outcomes.ok());
  REQUIRE(outcomes->size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CHECK((*outcomes)[i].write == LearningWrite::written);
    CHECK(read_back(vault.read("vault/" + (*outcomes)[i].path), (*outcomes)[i].path) == wanted[i]);
  }
  const auto again = write_learnings(base::real_disk(), vault.workspace(), wanted);
  REQUIRE(again.ok());
  CHECK(std::all_of(again->begin(), again->end(), [](const LearningOutcome& outcome) {
    return outcome.write == LearningWrite::unchanged;
  }));
}

TEST_CASE("A learning is not written through a folder that is a link") {
  const Vault vault;
  vault.make_folder("elsewhere");
  std::filesystem::create_directory_symlink(vault.at("elsewhere"),
                                            vault.at("vault/memory/learnings"));
  CHECK_FALSE(write_one(vault, example()).ok());
  CHECK(std::filesystem::is_empty(vault.at("elsewhere")));
}

TEST_CASE("What no note can say is refused") {
  for (const auto& spoil : std::vector<void (*)(Learning&)>{
           [](Learning& one) { one.id = 0; },
           [](Learning& one) { one.content.clear(); },
           [](Learning& one) { one.content = "\xff"; },
           [](Learning& one) { one.agent_id = "a:b"; },
           [](Learning& one) { one.metadata = std::string("{\0}", 3); }}) {
    Learning learning = example();
    spoil(learning);
    const auto text = learning_text(learning);
    REQUIRE_FALSE(text.ok());
    CHECK(text.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("A change in place keeps unknown fields, comments and the body to the byte") {
  const Vault vault;
  const std::string path = "memory/learnings/12-mine.md";
  vault.write("vault/" + path,
              "---\r\n# my note\r\nlearning_kind: fact\r\ntags: [tide, \"a b\"]\r\n"
              "status: active # for now\r\n---\r\n\r\n  The ferry  leaves at six. \r\n\r\n");
  const auto outcome =
      update_learning(base::real_disk(), vault.place(path), "default", 12, kLater, revoke_it());
  REQUIRE(outcome.ok());
  CHECK(outcome->write == LearningWrite::written);
  CHECK(outcome->learning.revision == 2);
  const std::string text = vault.read("vault/" + path);
  CHECK(text.starts_with("---\r\n# my note\r\nlearning_kind: fact\r\ntags: [tide, \"a b\"]\r\n"));
  CHECK(text.ends_with("---\r\n\r\n  The ferry  leaves at six. \r\n\r\n"));
  CHECK(text.find("# for now") != std::string::npos);
  const auto known = read_back(text, path);
  REQUIRE(known);
  CHECK(known->status == LearningStatus::revoked);
  CHECK(known->revoked_reason == "out of date");
  CHECK(known->updated_at == kLater);
  CHECK(known->revision == 2);
  CHECK(known->id == 12);
}

TEST_CASE("A note whose id follows from its path keeps it once it was changed") {
  const Vault vault;
  const std::string path = "memory/learnings/ferry.md";
  const std::string text = "---\nlearning_kind: fact\n---\nThe ferry leaves at six.\n";
  vault.write("vault/" + path, text);
  const std::uint64_t id = read_back(text, path).value().id;
  REQUIRE(
      update_learning(base::real_disk(), vault.place(path), "default", id, kLater, revoke_it()));
  CHECK(read_back(vault.read("vault/" + path), "memory/learnings/moved.md").value().id == id);
}

TEST_CASE("Nothing is written when nothing is to change, or another note stands there") {
  const Vault vault;
  const auto made = write_one(vault, example());
  REQUIRE(made.ok());
  const std::string before = vault.read("vault/" + made->path);
  const auto same = update_learning(base::real_disk(),
                                    vault.place(made->path),
                                    "default",
                                    example().id,
                                    kLater,
                                    [](const Learning&) -> Result<std::optional<LearningEdit>> {
                                      return std::optional<LearningEdit>();
                                    });
  REQUIRE(same.ok());
  CHECK(same->write == LearningWrite::unchanged);
  const auto other = update_learning(
      base::real_disk(), vault.place(made->path), "default", example().id + 1, kLater, revoke_it());
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().kind == ErrorKind::not_found);
  CHECK(vault.read("vault/" + made->path) == before);
}

TEST_CASE("What is no learning note is not changed") {
  const Vault vault;
  const std::string path = "memory/learnings/12-mine.md";
  vault.write("vault/" + path, "---\nkind: recipe\n---\nSoup.\n");
  const auto outcome =
      update_learning(base::real_disk(), vault.place(path), "default", 12, kLater, revoke_it());
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().kind == ErrorKind::damaged);
}

}  // namespace daybook::canon
