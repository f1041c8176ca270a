// SPDX-License-Identifier: MIT
//
// Resolving conflict copies loses nothing beside a person who edits meanwhile, nor in a crash.
#include "flow/conflict_copies.hpp"
#include "support/child.hpp"
#include "support/watched_disk.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

namespace daybook::test {

using Catch::Contains;

TEST_CASE("what was changed between plan and deed is left") {
  IndexedVault vault;
  const SessionFiles files = session();
  vault.add(files);
  const std::string path = files.summary.path();
  const std::string copy = with_mark(path, kSyncthing);
  const std::string bytes = vault.read(path);
  vault.write(copy, bytes);
  const auto plan = find(vault);
  SECTION("the copy") { vault.write(copy, bytes + "New text.\n"); }
  SECTION("the original") { vault.write(path, bytes + "New text.\n"); }
  SECTION("the original is gone") { vault.unlink(path); }
  SECTION("a link in its place") {
    vault.unlink(copy);
    fs::create_symlink(vault.at(path), vault.at(copy));
  }
  const auto before = tree(vault.workspace());
  const auto outcome = resolve(vault, plan).front();
  CHECK(outcome.done == ConflictAction::keep);
  CHECK_FALSE(outcome.note.empty());
  CHECK(tree(vault.workspace()) == before);
}

TEST_CASE("a manifest that is edited between plan and deed is merged as it then is") {
  IndexedVault vault;
  const SessionFiles files = session();
  vault.add(files);
  const std::string path = files.manifest.path();
  const std::string before = vault.read(path);
  vault.write(with_mark(path, kSyncthing), replaced(before, "revision: 1", "revision: 3"));
  const auto plan = find(vault);
  vault.write(path, replaced(before, "revision: 1", "revision: 9") + "\nBy hand.\n");
  CHECK(resolve(vault, plan).front().done == ConflictAction::merge);
  CHECK_THAT(vault.read(path), Contains("revision: 9") && Contains("By hand."));
}

TEST_CASE("somebody who writes in the middle of it loses nothing, at whatever moment") {
  // At the n-th opening of a file one of the files gets new text; afterwards each text that ever
  // stood in the vault stands in the vault or in the trash.
  const std::string target = GENERATE("copy", "original");
  for (int moment = 1; moment <= 24; ++moment) {
    CAPTURE(target, moment);
    IndexedVault vault;
    const SessionFiles files = session();
    vault.add(files);
    const std::string path = files.manifest.path();
    const std::string copy = with_mark(path, kSyncthing);
    const std::string before = vault.read(path);
    const std::string newer = replaced(before, "revision: 1", "revision: 3");
    vault.write(copy, newer);
    const auto plan = find(vault);
    const std::string& victim = target == "copy" ? copy : path;
    const std::string written = vault.read(victim) + "\nWritten meanwhile.\n";
    bool wrote = false;
    support::WatchedDisk disk([&](int opened) {
      if (opened == moment) {
        vault.write(victim, written);
        wrote = true;
      }
    });
    resolve(vault, plan, disk);
    if (!wrote) {
      break;
    }
    std::vector<std::string> everything = trashed(vault);
    for (const auto& [name, bytes] : tree(vault.workspace())) {
      everything.push_back(bytes);
    }
    const bool is_there =
        std::any_of(everything.begin(), everything.end(), [](const std::string& bytes) {
          return bytes.find("Written meanwhile.") != std::string::npos;
        });
    CHECK(is_there);
    resolve(vault, find(vault));
    CHECK(find(vault).empty());
  }
}

TEST_CASE("a crash at any moment loses nothing, and the next run goes on") {
  for (int moment = 1; moment <= 60; ++moment) {
    CAPTURE(moment);
    IndexedVault vault;
    const SessionFiles files = session();
    vault.add(files);
    vault.reindex();
    const std::string manifest = vault.read(files.manifest.path());
    const std::string newer = replaced(manifest, "revision: 1", "revision: 3");
    const std::string summary = vault.read(files.summary.path());
    vault.write(with_mark(files.manifest.path(), kSyncthing), newer);
    vault.write(with_mark(files.summary.path(), kIcloud), summary);
    vault.write(with_mark("MEMORY.md", kObsidian), "edited by a person\n");
    const auto plan = find(vault);
    REQUIRE(plan.size() == 3);
    const auto outcome = support::run_in_child([&] {
      support::WatchedDisk disk([moment](int opened) {
        if (opened == moment) {
          ::_exit(9);
        }
      });
      const auto clock = vault.clock();
      return std::string(Conflicts(disk, vault.folder(), clock).resolve(plan).ok() ? "done"
                                                                                   : "failed");
    });
    const auto everything = [&] {
      std::vector<std::string> all = trashed(vault);
      for (const auto& [name, bytes] : tree(vault.workspace())) {
        all.push_back(bytes);
      }
      return all;
    };
    for (const std::string& text :
         {manifest, newer, summary, std::string("edited by a person\n")}) {
      CHECK(holds(everything(), text));
    }
    resolve(vault, find(vault));
    CHECK(find(vault).empty());
    for (const std::string& text : {newer, summary, std::string("edited by a person\n")}) {
      CHECK(holds(everything(), text));
    }
    vault.reindex();
    CHECK(vault.codes(files.manifest.path()).empty());
    if (outcome.exit_code == 0) {
      CHECK(outcome.answer == "done");
      return;
    }
  }
  FAIL("it never came to its end");
}

TEST_CASE("looking changes nothing, and needs no state") {
  IndexedVault vault;
  vault.add(session());
  vault.write(with_mark(session().summary.path(), kSyncthing),
              vault.read(session().summary.path()));
  vault.write(with_mark("MEMORY.md", kSyncthing), "text\n");
  const auto before = tree(vault.place().path().string());
  CHECK(service::find_conflicts(base::real_disk(), vault.workspace())->size() == 2);
  CHECK(find(vault).size() == 2);
  CHECK(tree(vault.place().path().string()) == before);
}

}  // namespace daybook::test
