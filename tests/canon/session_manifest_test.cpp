// SPDX-License-Identifier: MIT
#include "daybook/canon/session_manifest.hpp"

#include "canon/manifest_text.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

using namespace daybook;
using lineage::Kind;

namespace {

lineage::SessionFields session() {
  lineage::SessionFields fields;
  fields.agent_id = "default";
  fields.session_id = "run-1";
  fields.captured_at = {1'700'000'000'000};
  return fields;
}

std::string path_at(Kind kind, std::int64_t ms) {
  const auto token = lineage::SessionToken::derive("default", "run-1");
  return "memory/" + to_string(lineage::ArtifactName{token, {ms}, kind});
}

std::vector<canon::WrittenArtifact> compactions(std::int64_t from, std::size_t count) {
  std::vector<canon::WrittenArtifact> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({Kind::compaction,
                   path_at(Kind::compaction, from + static_cast<std::int64_t>(i)),
                   canon::ArtifactWrite::created,
                   {}});
  }
  return all;
}

}  // namespace

TEST_CASE(
    "A session may be compacted for ever: its manifest lists the newest of the earlier files") {
  const support::TempFolder place;
  place.make_folder("vault/memory");
  const std::int64_t begin = session().captured_at.ms;
  const canon::FilePlace manifest{
      place.at("vault"), path_at(Kind::manifest, begin), place.at("locks")};
  const auto record = [&](const std::vector<canon::WrittenArtifact>& artifacts) {
    const auto done = canon::record_in_manifest(
        base::real_disk(), manifest, {session(), "device", artifacts, {begin}});
    INFO((done ? "" : done.error().message));
    REQUIRE(done);
  };
  record(compactions(begin, 1));
  record(compactions(begin + 1, 1'500));
  record(compactions(begin + 1'501, 1));
  const std::string text = place.read("vault/" + manifest.path);
  const auto read = canon::read_manifest(text, manifest.path);
  REQUIRE(read);
  CHECK(read->compaction.path->path == path_at(Kind::compaction, begin + 1'501));
  REQUIRE(read->earlier_paths.size() == lineage::kMostEarlierPaths);
  CHECK(read->earlier_paths.front().path == path_at(Kind::compaction, begin + 1'501 - 400));
  CHECK(read->earlier_paths.back().path == path_at(Kind::compaction, begin + 1'500));

  SECTION("one that is older than all of them changes nothing") {
    record(compactions(begin + 7, 1));
    CHECK(place.read("vault/" + manifest.path) == text);
  }
}
