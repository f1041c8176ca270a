// SPDX-License-Identifier: MIT
#include "daybook/canon/tombstone_writer.hpp"

#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "support/random_text.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace daybook::canon {
namespace {

using lineage::SessionToken;
using lineage::Timestamp;
using lineage::Tombstone;
using support::TempFolder;

const Timestamp kRemoved = lineage::parse_timestamp("2026-04-01T08:00:00.123Z").value();
const Timestamp kLifted = lineage::parse_timestamp("2026-04-02T09:00:00.000Z").value();

Tombstone example() {
  Tombstone tombstone;
  tombstone.agent_id = "default";
  tombstone.token = SessionToken::derive("default", "key-1");
  tombstone.also_tokens = {SessionToken::derive("default", "id-1")};
  tombstone.removed_at = kRemoved;
  tombstone.reason = "user request";
  tombstone.removed_paths = {"memory/a--summary.md", "memory/b: \"odd\" # name.md"};
  tombstone.removed_sha256 = {base::sha256("a"), base::sha256("b")};
  return tombstone;
}

/// What the reader makes of a tombstone's text; nothing if it has any finding.
std::optional<Tombstone> read_back(const std::string& text, const std::string& path) {
  const parse::FileParts parts = parse::split_file(text);
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> diagnostics;
  if (parts.bounds != parse::FrontmatterBounds::found ||
      !parse::read_frontmatter(parts.yaml, fields, diagnostics)) {
    return std::nullopt;
  }
  const std::string name = path.substr(path.rfind('/') + 1);
  const auto record = parse::read_record(fields, lineage::read_artifact_name(name), diagnostics);
  const auto* tombstone = std::get_if<Tombstone>(&record);
  return tombstone != nullptr && diagnostics.empty() ? std::optional(*tombstone) : std::nullopt;
}

bool same(const Tombstone& one, const Tombstone& other) {
  return one.agent_id == other.agent_id && one.token == other.token &&
         one.also_tokens == other.also_tokens && one.removed_at == other.removed_at &&
         one.lifted_at == other.lifted_at && one.reason == other.reason &&
         one.scope == other.scope && one.removed_paths == other.removed_paths &&
         one.removed_sha256 == other.removed_sha256;
}

/// A folder with an empty vault in it.
struct Vault : TempFolder {
  Vault() { make_folder("vault/memory"); }
  std::string workspace() const { return at("vault"); }
  FilePlace place(const std::string& path) const { return {workspace(), path, at("locks")}; }
};

}  // namespace

TEST_CASE("a tombstone is written where its name says and read back as it was") {
  const Vault vault;
  const Tombstone tombstone = example();
  const auto outcome = write_tombstone(base::real_disk(), vault.workspace(), tombstone);
  REQUIRE(outcome.ok());
  CHECK(outcome->write == TombstoneWrite::written);
  CHECK(outcome->path ==
        "memory/2026-04-01T08-00-00.123Z--" + tombstone.token.to_string() + "--tombstone.md");
  CHECK(outcome->path == tombstone_path(tombstone));
  const std::string text = vault.read("vault/" + outcome->path);
  CHECK(outcome->sha256 == base::sha256(text));
  const auto read = read_back(text, outcome->path);
  REQUIRE(read);
  CHECK(same(*read, tombstone));
}

TEST_CASE("the same tombstone again is done and another one of its name stays") {
  const Vault vault;
  Tombstone tombstone = example();
  REQUIRE(write_tombstone(base::real_disk(), vault.workspace(), tombstone).ok());
  const auto again = write_tombstone(base::real_disk(), vault.workspace(), tombstone);
  REQUIRE(again.ok());
  CHECK(again->write == TombstoneWrite::already_there);
  const std::string before = vault.read("vault/" + again->path);
  tombstone.reason = "another";
  const auto other = write_tombstone(base::real_disk(), vault.workspace(), tombstone);
  REQUIRE_FALSE(other.ok());
  CHECK(other.error().kind == ErrorKind::already_exists);
  CHECK(vault.read("vault/" + again->path) == before);
}

TEST_CASE("a lost tombstone is restored from its record to the byte") {
  const Vault vault;
  const auto first = write_tombstone(base::real_disk(), vault.workspace(), example());
  REQUIRE(first.ok());
  const std::string text = vault.read("vault/" + first->path);
  const auto record = read_back(text, first->path);
  REQUIRE(record);
  std::filesystem::remove(vault.at("vault/" + first->path));
  const auto restored = write_tombstone(base::real_disk(), vault.workspace(), *record);
  REQUIRE(restored.ok());
  CHECK(restored->write == TombstoneWrite::written);
  CHECK(restored->sha256 == first->sha256);
  CHECK(vault.read("vault/" + first->path) == text);
}

TEST_CASE("a lifted tombstone says when and keeps the first time") {
  const Vault vault;
  const auto written = write_tombstone(base::real_disk(), vault.workspace(), example());
  REQUIRE(written.ok());
  const std::string file = "vault/" + written->path;
  vault.write(file, vault.read(file) + "A person's remark.\n");
  const auto lifted = lift_tombstone(base::real_disk(), vault.place(written->path), kLifted);
  REQUIRE(lifted.ok());
  CHECK(lifted->write == TombstoneWrite::written);
  const std::string text = vault.read(file);
  CHECK(text.ends_with("A person's remark.\n"));
  Tombstone expected = example();
  expected.lifted_at = kLifted;
  const auto read = read_back(text, written->path);
  REQUIRE(read);
  CHECK(same(*read, expected));

  const auto again =
      lift_tombstone(base::real_disk(), vault.place(written->path), {kLifted.ms + 1});
  REQUIRE(again.ok());
  CHECK(again->write == TombstoneWrite::already_there);
  CHECK(vault.read(file) == text);
}

TEST_CASE("only tombstones are lifted and only those that can be edited") {
  const Vault vault;
  const std::string token = example().token.to_string();
  const std::string summary = "memory/2026-04-01T08-00-00.123Z--" + token + "--summary.md";
  vault.write("vault/" + summary, "---\nkind: summary\n---\n");
  CHECK(lift_tombstone(base::real_disk(), vault.place(summary), kLifted).error().kind ==
        ErrorKind::usage);
  CHECK(vault.read("vault/" + summary) == "---\nkind: summary\n---\n");
  const std::string malformed = tombstone_path(example());
  vault.write("vault/" + malformed, "nothing that could be read\n");
  CHECK(lift_tombstone(base::real_disk(), vault.place(malformed), kLifted).error().kind ==
        ErrorKind::damaged);
}

TEST_CASE("what no tombstone can say is refused") {
  const auto refused = [](const std::function<void(Tombstone&)>& spoil) {
    Tombstone tombstone = example();
    spoil(tombstone);
    const auto text = tombstone_text(tombstone);
    return !text && text.error().kind == ErrorKind::usage;
  };
  CHECK(refused([](Tombstone& t) { t.removed_at.reset(); }));
  CHECK(refused([](Tombstone& t) { t.agent_id = "a:b"; }));
  CHECK(refused([](Tombstone& t) { t.agent_id.clear(); }));
  CHECK(refused([](Tombstone& t) { t.reason = "\xFF"; }));
  CHECK(refused([](Tombstone& t) { t.removed_paths = {"memory/\xFF.md"}; }));
  CHECK(refused([](Tombstone& t) { t.removed_paths.assign(2'000, std::string(60, 'x')); }));
}

TEST_CASE("a vault whose memory is a link gets no tombstone") {
  const Vault vault;
  std::filesystem::rename(vault.at("vault/memory"), vault.at("elsewhere"));
  vault.make_link("vault/memory", vault.at("elsewhere"));
  CHECK_FALSE(write_tombstone(base::real_disk(), vault.workspace(), example()).ok());
  CHECK(std::filesystem::is_empty(vault.at("elsewhere")));
}

TEST_CASE("every tombstone is read back as it was written without findings") {
  REQUIRE(rc::check("tombstone", [] {
    const auto odd = support::text_made_of(
        {"a", "\"",   "\\", "\n",     "\t",   ": ",   "# ", "- ",  "[", "]", "{", "'",     "|",
         "~", "null", "修", "\u2028", "\x01", "\x7F", " ",  "---", "%", "&", "*", "\uFEFF"});
    Tombstone tombstone;
    tombstone.agent_id = *rc::gen::element<std::string>("default", "a.b-c_D", "0", "null", "-1");
    tombstone.token = SessionToken::derive(tombstone.agent_id, *odd);
    tombstone.removed_at = Timestamp{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000)};
    if (*rc::gen::arbitrary<bool>()) {
      tombstone.lifted_at = Timestamp{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000)};
    }
    tombstone.reason = *odd;
    tombstone.scope =
        *rc::gen::element(lineage::TombstoneScope::session, lineage::TombstoneScope::paths);
    tombstone.removed_paths = *rc::gen::container<std::vector<std::string>>(
        rc::gen::map(odd, [](const std::string& text) { return "memory/" + text; }));
    for (const auto& text : *rc::gen::container<std::vector<std::string>>(odd)) {
      tombstone.removed_sha256.push_back(base::sha256(text));
      tombstone.also_tokens.push_back(SessionToken::derive("x", text));
    }
    const auto text = tombstone_text(tombstone);
    RC_ASSERT(text.ok());
    const auto read = read_back(*text, tombstone_path(tombstone));
    RC_ASSERT(read.has_value());
    if (tombstone.reason.empty()) {
      tombstone.reason = "unspecified";
    }
    RC_ASSERT(same(*read, tombstone));
  }));
}

TEST_CASE("a tombstone of something learned says its id and is read back as it was") {
  for (const auto scope :
       {lineage::TombstoneScope::learning, lineage::TombstoneScope::revocation}) {
    const Vault vault;
    Tombstone tombstone = example();
    tombstone.scope = scope;
    tombstone.learning_id = 4711;
    tombstone.token = lineage::learning_token("default", 4711);
    tombstone.also_tokens.clear();
    tombstone.removed_paths.clear();
    const auto outcome = write_tombstone(base::real_disk(), vault.workspace(), tombstone);
    REQUIRE(outcome.ok());
    const auto known = read_back(vault.read("vault/" + outcome->path), outcome->path);
    REQUIRE(known);
    CHECK(same(*known, tombstone));
    CHECK(known->learning_id == 4711U);
    tombstone.learning_id.reset();
    CHECK_FALSE(tombstone_text(tombstone).ok());
  }
}

}  // namespace daybook::canon
