// SPDX-License-Identifier: MIT
#include "daybook/canon/manifest_merge.hpp"

#include "daybook/lineage/artifact_name.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"
#include "support/watched_disk.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace daybook::canon {
namespace {

using Catch::Contains;
using lineage::Kind;
using support::SessionFiles;
using support::TempFolder;

const lineage::Timestamp kNow = lineage::parse_timestamp("2026-04-01T08:00:00.000Z").value();

SessionFiles session() { return {"default", "key-1", "2026-03-28T22:34:06.792Z"}; }

std::string path_at(const std::string& time, const std::string& kind) {
  return "memory/" + time + "--" + session().token() + "--" + kind + ".md";
}

const std::string kOld = path_at("2026-03-20T00-00-00.000Z", "summary");
const std::string kNew = path_at("2026-03-30T00-00-00.000Z", "summary");
const std::string kCompaction = path_at("2026-03-29T00-00-00.000Z", "compaction");

/// A manifest of that session with a revision and fields of its own.
std::string manifest(int revision,
                     const std::vector<std::pair<std::string, std::string>>& fields = {},
                     const std::string& body = "") {
  SessionFiles files = session();
  files.manifest.fields.set("revision", std::to_string(revision));
  for (const auto& [key, yaml] : fields) {
    files.manifest.fields.set(key, yaml);
  }
  files.manifest.body = body;
  TempFolder place;
  files.write(place);
  return place.read(files.manifest.path());
}

lineage::Manifest read(const std::string& bytes) {
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> diagnostics;
  REQUIRE(parse::read_frontmatter(parse::split_file(bytes).yaml, fields, diagnostics));
  const std::string name = session().file_name(Kind::manifest);
  const auto record = parse::read_record(fields, lineage::read_artifact_name(name), diagnostics);
  CHECK(diagnostics.empty());
  return std::get<lineage::Manifest>(record);
}

FileExists these(std::set<std::string> paths) {
  return [paths = std::move(paths)](const std::string& path) { return paths.contains(path); };
}

Result<MergedManifest> merge(const std::string& original,
                             const std::string& copy,
                             const FileExists& exists) {
  return merged_manifest(
      original, copy, "memory/" + session().file_name(Kind::manifest), exists, kNow);
}

std::set<std::string> some_of(const std::vector<std::string>& pool) {
  const auto mask = *rc::gen::inRange(0U, 1U << pool.size());
  std::set<std::string> chosen;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if ((mask >> i & 1U) != 0) {
      chosen.insert(pool[i]);
    }
  }
  return chosen;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::vector<std::string> earlier_of(const lineage::Manifest& manifest) {
  std::vector<std::string> paths;
  for (const auto& path : manifest.earlier_paths) {
    paths.push_back(path.path);
  }
  return paths;
}

}  // namespace

TEST_CASE("the higher revision is taken whole, and the result is higher than both") {
  const std::string low = manifest(3, {{"mine", "\"of the lower\""}}, "\nLower body.\n");
  const std::string high = manifest(7, {{"mine", "\"of the higher\""}}, "\nHigher body.\n");
  const auto copy_wins = merge(low, high, these({}));
  REQUIRE(copy_wins);
  CHECK(copy_wins->winner == MergeWinner::copy);
  REQUIRE(copy_wins->text);
  CHECK(read(*copy_wins->text).revision == 8);
  CHECK(read(*copy_wins->text).updated_at == kNow);
  CHECK_THAT(*copy_wins->text, Contains("of the higher") && Contains("Higher body."));
  const auto original_wins = merge(high, low, these({}));
  REQUIRE(original_wins);
  CHECK(original_wins->winner == MergeWinner::original);
  CHECK_FALSE(original_wins->text);  // the lower one adds nothing
}

TEST_CASE("a manifest whose revision cannot grow is not merged") {
  const std::string last = manifest(1, {{"revision", "9007199254740991"}});
  const auto merged = merge(manifest(3), last, these({}));
  REQUIRE_FALSE(merged.ok());
  CHECK(merged.error().kind == ErrorKind::damaged);
  CHECK_THAT(merged.error().message, Contains("revision"));
}

TEST_CASE("of equal revisions the one that names more files that are there counts") {
  const std::string less = manifest(3, {{"summary_path", "null"}});
  const std::string more = manifest(3, {{"summary_path", quoted(kOld)}});
  CHECK(merge(less, more, these({kOld}))->winner == MergeWinner::copy);
  CHECK(merge(more, less, these({kOld}))->winner == MergeWinner::original);
  CHECK(merge(less, more, these({}))->winner == MergeWinner::original);  // nothing of it is there
}

TEST_CASE("what only the other one names, and is there, is kept") {
  const std::string winner = manifest(5, {{"summary_path", quoted(kNew)}});
  const std::string other = manifest(4,
                                     {{"summary_path", quoted(kOld)},
                                      {"compaction_path", quoted(kCompaction)},
                                      {"compaction_sha256", quoted(std::string(64, 'a'))}});
  const auto merged = merge(winner, other, these({kOld, kNew, kCompaction}));
  REQUIRE(merged);
  REQUIRE(merged->text);
  const lineage::Manifest result = read(*merged->text);
  CHECK(result.revision == 6);
  CHECK(result.summary.path->path == kNew);
  CHECK(result.compaction.path->path == kCompaction);  // the winner knew of none
  CHECK(base::to_hex(result.compaction.seal.value()) == std::string(64, 'a'));
  CHECK(earlier_of(result) == std::vector<std::string>{kOld});
}

TEST_CASE("a newer file of a kind takes the place, and what stood there becomes an earlier one") {
  const std::string winner = manifest(
      5, {{"summary_path", quoted(kOld)}, {"summary_sha256", quoted(std::string(64, 'b'))}});
  const std::string other = manifest(4, {{"summary_path", quoted(kNew)}});
  const auto merged = merge(winner, other, these({kOld, kNew}));
  REQUIRE(merged);
  const lineage::Manifest result = read(merged->text.value());
  CHECK(result.summary.path->path == kNew);
  CHECK_FALSE(result.summary.seal);  // it was the other file's
  CHECK(earlier_of(result) == std::vector<std::string>{kOld});
}

TEST_CASE("links to nothing and to files of others are not taken over") {
  const std::string foreign = "memory/2026-03-20T00-00-00.000Z--aaaaaaaaaaaaaaaa--summary.md";
  const std::string winner = manifest(5, {{"summary_path", quoted(kNew)}});
  const std::string other =
      manifest(4, {{"earlier_paths", "[" + quoted(foreign) + ", " + quoted(kOld) + "]"}});
  const auto everything = [](const std::string&) { return true; };
  const auto merged = merge(winner, other, everything);
  REQUIRE(merged);
  CHECK_THAT(merged->text.value(), !Contains("aaaaaaaaaaaaaaaa"));
  const auto nothing = merge(winner, other, these({kNew}));
  REQUIRE(nothing);
  CHECK_FALSE(nothing->text);
}

TEST_CASE("what is no manifest of this session is not merged") {
  const std::string right = manifest(5);
  SessionFiles stranger("default", "another", "2026-03-28T22:34:06.792Z");
  TempFolder place;
  stranger.write(place);
  for (const std::string& wrong : {std::string("no frontmatter"),
                                   std::string(),
                                   place.read(stranger.manifest.path()),
                                   right + "\xFF"}) {
    for (const bool copy_is_wrong : {true, false}) {
      const auto merged =
          copy_is_wrong ? merge(right, wrong, these({})) : merge(wrong, right, these({}));
      REQUIRE_FALSE(merged);
      CHECK(merged.error().kind == ErrorKind::damaged);
      CHECK_THAT(merged.error().message, Contains(copy_is_wrong ? "the copy" : "the original"));
    }
  }
}

TEST_CASE("a merge loses no link to a file that is there, whichever wins, and settles") {
  const std::vector<std::string> pool{kOld,
                                      kNew,
                                      kCompaction,
                                      path_at("2026-03-21T00-00-00.000Z", "summary"),
                                      path_at("2026-03-22T00-00-00.000Z", "transcript"),
                                      path_at("2026-03-23T00-00-00.000Z", "transcript")};
  CHECK(rc::check("union", [&] {
    const auto side = [&] {
      std::vector<std::pair<std::string, std::string>> fields;
      for (const std::string kind : {"summary", "transcript", "compaction"}) {
        const auto path = *rc::gen::elementOf(pool);
        const bool fits = path.ends_with("--" + kind + ".md");
        fields.emplace_back(kind + "_path", fits ? quoted(path) : "null");
      }
      std::string list;
      for (const std::string& path : some_of(pool)) {
        if (std::none_of(fields.begin(), fields.end(), [&](const auto& field) {
              return field.second == quoted(path);
            })) {
          list += (list.empty() ? "" : ", ") + quoted(path);
        }
      }
      fields.emplace_back("earlier_paths", "[" + list + "]");
      return manifest(*rc::gen::inRange(1, 4), fields);
    };
    const std::string original = side();
    const std::string copy = side();
    const auto existing = some_of(pool);
    const auto merged = merge(original, copy, these(existing));
    RC_ASSERT(merged.ok());
    const std::string result = merged->text.value_or(original);
    for (const std::string& path : existing) {
      const bool was_named =
          original.find(path) != std::string::npos || copy.find(path) != std::string::npos;
      RC_ASSERT(!was_named || result.find(path) != std::string::npos);
    }
    const auto again = merge(result, copy, these(existing));
    RC_ASSERT(again.ok());
    RC_ASSERT(!again->text);  // running it twice changes nothing more
  }));
}

TEST_CASE("whoever edits the original during the merge loses nothing") {
  const TempFolder folder;
  SessionFiles files = session();
  files.write(folder, "vault");
  const FilePlace place{folder.at("vault"), files.manifest.path(), folder.at("locks")};
  const std::string path = "vault/" + files.manifest.path();
  const std::string before = folder.read(path);
  ManifestMerge merge;
  merge.copy = manifest(9);
  merge.exists = these({});
  std::vector<std::string> kept;
  merge.before_replacing = [&kept](std::string_view replaced) {
    kept.emplace_back(replaced);
    return Result<void>();
  };
  // The second opening is the look directly before the rename.
  support::WatchedDisk disk([&](int opened) {
    if (opened == 2) {
      folder.write(path, before + "\nWritten by a person.\n");
    }
  });
  REQUIRE(merge_manifest(disk, place, kNow, merge).value() == ManifestWrite::written);
  CHECK(read(folder.read(path)).revision == 10);
  REQUIRE(kept.size() == 2);
  CHECK_THAT(kept.back(), Contains("Written by a person."));
  CHECK(merge_manifest(disk, place, kNow, merge).value() == ManifestWrite::unchanged);
  // When what is replaced cannot be kept, nothing is replaced.
  merge.copy = manifest(20);
  merge.before_replacing = [](std::string_view) {
    return Result<void>(Error{ErrorKind::io, "no room", {}, {}});
  };
  CHECK_FALSE(merge_manifest(disk, place, kNow, merge));
  CHECK(read(folder.read(path)).revision == 10);
}

}  // namespace daybook::canon
