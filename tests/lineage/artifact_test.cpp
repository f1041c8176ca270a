// SPDX-License-Identifier: MIT
#include "daybook/lineage/artifact.hpp"

#include <catch2/catch.hpp>

namespace daybook::lineage {

TEST_CASE("a session counts as having happened when it ended or else when it was captured") {
  Artifact artifact;
  artifact.session.captured_at = Timestamp{2000};
  artifact.started_at = Timestamp{500};
  CHECK(artifact.membership() == Timestamp{2000});
  artifact.ended_at = Timestamp{1000};
  CHECK(artifact.membership() == Timestamp{1000});
  artifact.ended_at = Timestamp{0};  // the epoch is a time like others
  CHECK(artifact.membership() == Timestamp{0});
}

TEST_CASE("a manifest keeps one entry for each kind of immutable file") {
  Manifest manifest;
  manifest.entry(Kind::summary).path = PathField{"memory/s.md", 1};
  manifest.entry(Kind::transcript).path = PathField{"memory/t.md", 2};
  manifest.entry(Kind::compaction).path = PathField{"memory/c.md", 3};
  CHECK(manifest.summary.path->path == "memory/s.md");
  CHECK(manifest.transcript.path->path == "memory/t.md");
  CHECK(manifest.compaction.path->path == "memory/c.md");
  const Manifest& seen_by_others = manifest;
  CHECK(&seen_by_others.entry(Kind::summary) == &manifest.summary);
  CHECK(&seen_by_others.entry(Kind::transcript) == &manifest.transcript);
  CHECK(&seen_by_others.entry(Kind::compaction) == &manifest.compaction);
}

}  // namespace daybook::lineage
