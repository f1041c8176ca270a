// SPDX-License-Identifier: MIT
#include "daybook/lineage/kind.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::lineage {

TEST_CASE("each kind has its word and is read back from it") {
  CHECK(to_string(Kind::summary) == "summary");
  CHECK(to_string(Kind::transcript) == "transcript");
  CHECK(to_string(Kind::compaction) == "compaction");
  CHECK(to_string(Kind::manifest) == "manifest");
  CHECK(to_string(Kind::tombstone) == "tombstone");
  for (const Kind kind :
       {Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest, Kind::tombstone}) {
    CHECK(kind_from_string(to_string(kind)) == kind);
  }
}

TEST_CASE("no other word is a kind") {
  for (const std::string word :
       {"", "Summary", "SUMMARY", "summaries", "summar", " summary", "summary ", "learning"}) {
    CAPTURE(word);
    CHECK_FALSE(kind_from_string(word).has_value());
  }
}

TEST_CASE("summary and transcript and compaction never change and the others may") {
  CHECK(is_immutable(Kind::summary));
  CHECK(is_immutable(Kind::transcript));
  CHECK(is_immutable(Kind::compaction));
  CHECK_FALSE(is_immutable(Kind::manifest));
  CHECK_FALSE(is_immutable(Kind::tombstone));
}

}  // namespace daybook::lineage
