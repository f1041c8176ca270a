// SPDX-License-Identifier: MIT
#include "daybook/scan/vault_listing.hpp"

#include "daybook/base/disk.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>

namespace {

using daybook::scan::VaultListing;
using daybook::support::TempFolder;

constexpr const char* kSummary = "2026-03-28T22-34-06.792Z--ly63agshl7q5mxfi--summary.md";
constexpr const char* kManifest = "2026-03-28T22-34-06.792Z--ly63agshl7q5mxfi--manifest.md";
constexpr const char* kLater = "2026-03-29T08-00-00.000Z--ly63agshl7q5mxfi--summary.md";
constexpr const char* kOther = "2026-03-28T22-34-06.792Z--bozi3yioxozgkljr--summary.md";
constexpr const char* kNoFraction = "2026-03-28T22-34-06Z--bozi3yioxozgkljr--transcript.md";

std::string in_memory(std::string_view name) { return "memory/" + std::string(name); }

VaultListing list(const TempFolder& folder) {
  auto root = daybook::base::real_disk().open_root(folder.path().string());
  REQUIRE(root.ok());
  auto listing = VaultListing::list(**root);
  REQUIRE(listing.ok());
  return std::move(listing).value();
}

std::set<std::string> paths(const VaultListing& listing) {
  std::set<std::string> all;
  for (VaultListing::Index i = 0; i < listing.entries().size(); ++i) {
    all.insert(listing.path(i));
  }
  return all;
}

daybook::Error listing_error(const TempFolder& folder) {
  auto root = daybook::base::real_disk().open_root(folder.path().string());
  REQUIRE(root.ok());
  auto listing = VaultListing::list(**root);
  REQUIRE_FALSE(listing.ok());
  return listing.error();
}

}  // namespace

TEST_CASE("Notes of memory/ and its folders are listed, everything else is not") {
  const TempFolder folder;
  folder.write(in_memory(kSummary), "x");
  folder.write(in_memory(kNoFraction), "x");
  folder.write("memory/sub/deep/Plan.md", "x");
  folder.write("memory/picture.png", "x");
  folder.write("memory/.hidden.md", "x");
  folder.write("memory/.trash/old.md", "x");
  folder.write("Outside.md", "x");
  const VaultListing listing = list(folder);
  CHECK(paths(listing) == std::set<std::string>{in_memory(kSummary),
                                                in_memory(kNoFraction),
                                                "memory/sub/deep/Plan.md"});
  CHECK(listing.unreadable().empty());
  CHECK(listing.contains_folder("memory/sub/deep"));
  CHECK_FALSE(listing.contains_folder("memory/.trash"));
}

TEST_CASE("The files of a session are one unit and every other file is its own") {
  const TempFolder folder;
  for (const char* name : {kLater, kOther, kManifest, kSummary, kNoFraction}) {
    folder.write(in_memory(name), "x");
  }
  folder.write(std::string("memory/old/") + kSummary, "x");
  folder.write("memory/a.md", "x");
  folder.write("memory/b.md", "x");
  const VaultListing listing = list(folder);
  REQUIRE(listing.entries().size() == 8);
  std::set<std::set<std::string>> units;
  const auto starts = listing.unit_starts();
  for (std::size_t unit = 0; unit < starts.size(); ++unit) {
    std::set<std::string> members;
    const std::size_t end = unit + 1 < starts.size() ? starts[unit + 1] : listing.entries().size();
    for (VaultListing::Index i = starts[unit]; i < end; ++i) {
      members.insert(listing.path(i));
    }
    units.insert(members);
  }
  CHECK(units == std::set<std::set<std::string>>{{in_memory(kSummary),
                                                  in_memory(kManifest),
                                                  in_memory(kLater),
                                                  std::string("memory/old/") + kSummary},
                                                 {in_memory(kOther), in_memory(kNoFraction)},
                                                 {"memory/a.md"},
                                                 {"memory/b.md"}});
}

TEST_CASE("contains knows exactly the listed paths") {
  const TempFolder folder;
  folder.write(in_memory(kSummary), "x");
  folder.write(in_memory(kNoFraction), "x");
  folder.write(std::string("memory/sub/") + kOther, "x");
  folder.write("memory/Plan.md", "x");
  const VaultListing listing = list(folder);
  for (const std::string& path : paths(listing)) {
    CHECK(listing.contains(path));
  }
  CHECK_FALSE(listing.contains(in_memory(kOther)));
  CHECK_FALSE(listing.contains(in_memory(kManifest)));
  CHECK_FALSE(listing.contains(std::string("memory/sub/") + kSummary));
  CHECK_FALSE(listing.contains("memory/plan.md"));
  CHECK_FALSE(listing.contains("Plan.md"));
  CHECK_FALSE(listing.contains("memory/2026-03-28T22-34-06.000Z--bozi3yioxozgkljr--transcript.md"));
}

TEST_CASE("path_less is the order of the paths as text") {
  const TempFolder folder;
  for (const char* name : {kSummary, kManifest, kLater, kOther, kNoFraction, "a.md", "Z.md"}) {
    folder.write(in_memory(name), "x");
    folder.write(std::string("memory/sub/") + name, "x");
    folder.write(std::string("memory/sub-2/") + name, "x");
  }
  const VaultListing listing = list(folder);
  const auto count = static_cast<VaultListing::Index>(listing.entries().size());
  REQUIRE(count == 21);
  for (VaultListing::Index i = 0; i < count; ++i) {
    for (VaultListing::Index j = 0; j < count; ++j) {
      CHECK(listing.path_less(i, j) == (listing.path(i) < listing.path(j)));
    }
  }
}

TEST_CASE("What is no regular file is told and not listed") {
  const TempFolder folder;
  folder.make_folder("memory");
  folder.write("elsewhere/secret.md", "x");
  folder.make_link("memory/link.md", folder.at("elsewhere/secret.md"));
  folder.make_link("memory/folder", folder.at("elsewhere"));
  folder.make_link("memory/loop", folder.at("memory"));
  folder.make_pipe("memory/pipe.md");
  folder.make_socket("memory/socket.md");
  folder.make_pipe("memory/other-pipe");
  const VaultListing listing = list(folder);
  CHECK(listing.entries().empty());
  std::set<std::string> told;
  for (const auto& [path, diagnostic] : listing.unreadable()) {
    told.insert(path);
    CHECK(diagnostic.code == daybook::lineage::Code::unreadable);
  }
  CHECK(
      told ==
      std::set<std::string>{
          "memory/link.md", "memory/folder", "memory/loop", "memory/pipe.md", "memory/socket.md"});
}

TEST_CASE("A missing memory/ is no workspace and a linked one is an error") {
  const TempFolder folder;
  CHECK(listing_error(folder).kind == daybook::ErrorKind::no_workspace);
  folder.make_folder("elsewhere");
  folder.make_link("memory", folder.at("elsewhere"));
  CHECK(listing_error(folder).kind == daybook::ErrorKind::io);
}

TEST_CASE("An entry stays small enough for hundreds of thousands") {
  CHECK(sizeof(VaultListing::Entry) <= 32);
}
