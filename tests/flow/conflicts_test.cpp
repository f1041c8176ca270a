// SPDX-License-Identifier: MIT
//
// Conflict copies are known by name and content, and resolved without losing a byte: not beside a
// person who edits meanwhile, not in a crash, and not to the trash what was removed.
#include "daybook/service/conflicts.hpp"

#include "daybook/state/trash.hpp"
#include "support/child.hpp"
#include "support/indexed_vault.hpp"
#include "support/watched_disk.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <unistd.h>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using lineage::Kind;
using service::Conflict;
using service::ConflictAction;
using service::ConflictKind;
using service::ConflictOutcome;
using service::Conflicts;
using service::ConflictVerdict;
using support::IndexedVault;
using support::SessionFiles;

const std::string kSyncthing = ".sync-conflict-20260328-223406-ABCDEFG";
const std::string kObsidian = " (Conflicted copy phone 202603282234)";
const std::string kDropbox = " (Max's conflicted copy 2026-03-28)";
const std::string kNextcloud = " (conflicted copy 2026-03-28 223406)";
const std::string kIcloud = " 2";
const std::string kDrive = " (1)";
const std::string kOneDrive = "-LAPTOP";

SessionFiles session() { return {"default", "key-1", "2026-03-20T10:00:00.000Z"}; }

std::string with_mark(const std::string& path, const std::string& mark) {
  return path.substr(0, path.size() - 3) + mark + ".md";
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Every file below a folder with its bytes.
std::map<std::string, std::string> tree(const std::string& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), root).string()] = bytes_of(entry.path());
    }
  }
  return files;
}

std::vector<Conflict> find(const IndexedVault& vault) {
  const auto clock = vault.clock();
  auto found = Conflicts(base::real_disk(), vault.folder(), clock).find();
  INFO((found ? "" : found.error().message));
  REQUIRE(found);
  return std::move(found).value();
}

Conflict only(const IndexedVault& vault) {
  const auto found = find(vault);
  REQUIRE(found.size() == 1);
  return found.front();
}

std::vector<ConflictOutcome> resolve(const IndexedVault& vault,
                                     const std::vector<Conflict>& plan,
                                     base::Disk& disk = base::real_disk()) {
  const auto clock = vault.clock();
  auto outcomes = Conflicts(disk, vault.folder(), clock).resolve(plan);
  INFO((outcomes ? "" : outcomes.error().message));
  REQUIRE(outcomes);
  return std::move(outcomes).value();
}

std::vector<std::string> trashed(const IndexedVault& vault) {
  std::vector<std::string> bytes;
  const auto items = state::Trash(vault.folder()).items();
  REQUIRE(items);
  for (const auto& item : *items) {
    bytes.push_back(bytes_of(item.full_path()));
  }
  return bytes;
}

bool holds(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("a copy with its original's bytes goes to the trash, whoever made it") {
  IndexedVault vault;
  vault.add(session());
  vault.reindex();
  const std::string rows = vault.rows();
  const Kind kind = GENERATE(Kind::summary, Kind::transcript, Kind::manifest);
  const std::string mark =
      GENERATE(kSyncthing, kObsidian, kDropbox, kNextcloud, kIcloud, kDrive, kOneDrive);
  const std::string path = session().file(kind).path();
  const std::string copy = with_mark(path, mark);
  const std::string bytes = vault.read(path);
  vault.write(copy, bytes);
  vault.reindex();
  CAPTURE(copy);
  CHECK(vault.codes(copy) == std::vector<std::string>{"conflict-copy"});
  const Conflict conflict = only(vault);
  CHECK(conflict.path == copy);
  CHECK(conflict.original == path);
  CHECK(conflict.agent_id == "default");
  CHECK(to_string(conflict.kind) == to_string(kind));
  CHECK(conflict.verdict == ConflictVerdict::same_bytes);
  const auto outcomes = resolve(vault, {conflict});
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes.front().done == ConflictAction::trash);
  CHECK(bytes_of(outcomes.front().trash) == bytes);
  CHECK_FALSE(vault.exists(copy));
  CHECK(vault.read(path) == bytes);
  vault.reindex();
  CHECK(vault.rows() == rows);
  CHECK(find(vault).empty());
  auto state = vault.open_state();
  const auto entry = state.audit().recent(1).value().front();
  CHECK(entry.action == state::AuditAction::resolve_conflict);
  CHECK(entry.subject == copy);
}

TEST_CASE("of immutable files that differ both are kept") {
  IndexedVault vault;
  vault.add(session());
  vault.reindex();
  const Kind kind = GENERATE(Kind::summary, Kind::transcript);
  const std::string path = session().file(kind).path();
  const std::string copy = with_mark(path, GENERATE(kSyncthing, kIcloud, kDrive));
  const std::string bytes = vault.read(path);
  std::string other = bytes;
  SECTION("longer") { other += "And more.\n"; }
  SECTION("of the same size") { other.back() = other.back() == '\n' ? ' ' : '\n'; }
  vault.write(copy, other);
  const Conflict conflict = only(vault);
  CHECK(conflict.verdict == ConflictVerdict::differs);
  CHECK_THAT(conflict.reason, Contains("both are kept"));
  const auto outcomes = resolve(vault, {conflict});
  CHECK(outcomes.front().done == ConflictAction::keep);
  CHECK(vault.read(path) == bytes);
  CHECK(vault.read(copy) == other);
  CHECK(trashed(vault).empty());
  vault.reindex();
  CHECK(vault.codes(copy) == std::vector<std::string>{"conflict-copy"});  // still flagged
}

TEST_CASE("a copy that speaks of another session than its name is told apart") {
  IndexedVault vault;
  vault.add(session());
  const SessionFiles stranger("default", "another", "2026-03-21T10:00:00.000Z");
  vault.write(with_mark(session().summary.path(), kIcloud), stranger.text(Kind::summary));
  const Conflict conflict = only(vault);
  CHECK(conflict.verdict == ConflictVerdict::differs);
  CHECK_THAT(conflict.reason, Contains("frontmatter"));
}

TEST_CASE("a copy whose original is missing stays, because it may be the only one") {
  IndexedVault vault;
  const SessionFiles files = session();
  vault.add(files);
  const std::string copy = with_mark(files.summary.path(), GENERATE(kSyncthing, kIcloud));
  fs::rename(vault.at(files.summary.path()), vault.at(copy));
  const Conflict conflict = only(vault);
  CHECK(conflict.verdict == ConflictVerdict::no_original);
  CHECK(resolve(vault, {conflict}).front().done == ConflictAction::keep);
  CHECK(vault.exists(copy));
}

TEST_CASE("people's notes: a mark of a synchroniser counts, a number only with the same bytes") {
  IndexedVault vault;
  const std::string text =
      "# Plan\n\nA plan that is long enough not to be the same as another one by chance.\n";
  vault.write("memory/Plan.md", text);
  SECTION("a synchroniser's copy that differs is left to the person") {
    vault.write(with_mark("memory/Plan.md", kObsidian), text + "More.\n");
    const Conflict conflict = only(vault);
    CHECK(conflict.kind == ConflictKind::note);
    CHECK(conflict.verdict == ConflictVerdict::differs);
  }
  SECTION("a synchroniser's copy without a difference goes") {
    vault.write(with_mark("memory/Plan.md", kObsidian), text);
    CHECK(resolve(vault, find(vault)).front().done == ConflictAction::trash);
  }
  SECTION("a number and the same bytes") {
    vault.write("memory/Plan 2.md", text);
    vault.write("memory/Plan (1).md", text);
    const auto outcomes = resolve(vault, find(vault));
    REQUIRE(outcomes.size() == 2);
    CHECK_FALSE(vault.exists("memory/Plan 2.md"));
    CHECK_FALSE(vault.exists("memory/Plan (1).md"));
  }
  SECTION("a number and other bytes, of another size or not, is a note of its own") {
    vault.write("memory/Plan 2.md", text + "More.\n");
    vault.write("memory/Plan 3.md", replaced(text, "A plan", "B plan"));
    CHECK(find(vault).empty());
  }
  SECTION("a number and no original") {
    vault.write("memory/Chapter 2.md", text);
    CHECK(find(vault).empty());
  }
  SECTION("short notes are alike by chance") {
    vault.write("memory/Untitled.md", "");
    vault.write("memory/Untitled 2.md", "");
    vault.write("memory/List.md", "- milk\n");
    vault.write("memory/List (1).md", "- milk\n");
    CHECK(find(vault).empty());
  }
  SECTION("a machine's name behind an ordinary note") {
    vault.write("memory/Plan-LAPTOP.md", text);
    CHECK(find(vault).empty());
  }
  CHECK(vault.read("memory/Plan.md") == text);
}

TEST_CASE("copies of MEMORY.md go to the trash: it is derived") {
  IndexedVault vault;
  vault.add(session());
  vault.add({"scribe", "key-1", "2026-03-20T10:00:00.000Z"});
  vault.reindex();
  const std::string ours = vault.memory_md();
  const std::string theirs = vault.memory_md("scribe");
  vault.write(with_mark("MEMORY.md", kSyncthing), ours);
  vault.write(with_mark("MEMORY.md", kObsidian), "edited by a person\n");
  vault.write("MEMORY 2.md", ours);
  vault.write(with_mark("agents/scribe/MEMORY.md", kDrive), theirs);
  // Not ours to judge:
  vault.write("MEMORY 3.md", "# Chapter three of my memories\n");
  vault.write("Plan 2.md", ours);
  vault.write("notes/MEMORY 2.md", ours);
  const auto found = find(vault);
  REQUIRE(found.size() == 4);
  for (const Conflict& conflict : found) {
    CHECK(conflict.kind == ConflictKind::memory_md);
    CHECK(conflict.verdict == ConflictVerdict::derived);
  }
  CHECK(std::count_if(found.begin(), found.end(), [](const Conflict& conflict) {
          return conflict.agent_id == "scribe" && conflict.original == "agents/scribe/MEMORY.md";
        }) == 1);
  resolve(vault, found);
  vault.reindex();
  CHECK(find(vault).empty());
  CHECK(vault.memory_md() == ours);
  CHECK(vault.memory_md("scribe") == theirs);
  CHECK(vault.exists("MEMORY 3.md"));
  CHECK(vault.exists("Plan 2.md"));
  CHECK(vault.exists("notes/MEMORY 2.md"));
  CHECK(trashed(vault).size() == 4);
  CHECK(holds(trashed(vault), "edited by a person\n"));
}

TEST_CASE("one agent's conflicts can be asked for alone") {
  IndexedVault vault;
  const SessionFiles theirs("scribe", "key-1", "2026-03-20T10:00:00.000Z");
  for (const SessionFiles& files : {session(), theirs}) {
    vault.add(files);
    vault.write(with_mark(files.summary.path(), kSyncthing), vault.read(files.summary.path()));
  }
  service::ConflictSearch search;
  search.agent = "scribe";
  const auto found = service::find_conflicts(base::real_disk(), vault.workspace(), search);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front().original == theirs.summary.path());
}

TEST_CASE("a manifest and its copy become one by revision") {
  IndexedVault vault;
  const SessionFiles files = session();
  vault.add(files);
  vault.reindex();
  const std::string path = files.manifest.path();
  const std::string copy = with_mark(path, kSyncthing);
  const std::string before = vault.read(path);
  const std::string later = "memory/2026-03-21T10-00-00.000Z--" + files.token() + "--summary.md";
  SECTION("the copy is the newer one") {
    const std::string newer =
        replaced(replaced(before, "revision: 1", "revision: 5"), "---\n", "---\nmine: kept\n");
    vault.write(copy, newer);
    const Conflict conflict = only(vault);
    CHECK(conflict.verdict == ConflictVerdict::mergeable);
    CHECK_THAT(conflict.reason, Contains("the copy has the higher revision, 5 against 1"));
    const auto outcome = resolve(vault, {conflict}).front();
    CHECK(outcome.done == ConflictAction::merge);
    CHECK_THAT(vault.read(path), Contains("revision: 6") && Contains("mine: kept"));
    CHECK(holds(trashed(vault), newer));
    CHECK(holds(trashed(vault), before));  // what was replaced is not lost either
  }
  SECTION("the original is the newer one and lacks a file that the copy names") {
    SessionFiles resumed("default", "key-1", "2026-03-21T10:00:00.000Z");
    resumed.summary.fields.set_text("manifest_path", path);
    vault.write(later, resumed.text(Kind::summary));
    vault.write(path, replaced(before, "revision: 1", "revision: 5"));
    vault.write(copy, replaced(before, files.summary.path(), later));
    resolve(vault, find(vault));
    CHECK_THAT(vault.read(path), Contains("revision: 6") && Contains(later));
    CHECK_THAT(vault.read(path), Contains(files.summary.path()));
    vault.reindex();
    CHECK(vault.codes(later).empty());
  }
  SECTION("the original says it all") {
    vault.write(path, replaced(before, "revision: 1", "revision: 5"));
    vault.write(copy, before);
    resolve(vault, find(vault));
    CHECK_THAT(vault.read(path), Contains("revision: 5"));
  }
  CHECK_FALSE(vault.exists(copy));
  vault.reindex();
  CHECK(vault.codes(path).empty());
  CHECK(find(vault).empty());
  CHECK_THAT(vault.memory_md(), Contains("session=key-1"));
}

TEST_CASE("a manifest that cannot be read is merged with nothing") {
  IndexedVault vault;
  const SessionFiles files = session();
  vault.add(files);
  const std::string copy = with_mark(files.manifest.path(), kSyncthing);
  vault.write(copy, "half of a fi");
  const Conflict conflict = only(vault);
  CHECK(conflict.verdict == ConflictVerdict::differs);
  CHECK_THAT(conflict.reason, Contains("cannot be merged"));
  resolve(vault, {conflict});
  CHECK(vault.read(copy) == "half of a fi");
}

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

// --- removals ------------------------------------------------------------------------------------

namespace {

const std::string kSecret = "xenolithword";

SessionFiles secret_session(const std::string& body_end) {
  SessionFiles files("default", "secret", "2026-03-20T10:00:00.000Z");
  for (const Kind kind : {Kind::summary, Kind::transcript}) {
    files.file(kind).fields.set_text(
        "memory_sentence",
        "Stored the " + kSecret +
            " of the harbour gate in src/gate/secret.cpp of tidewater, and "
            "then rotated it at once.");
    files.file(kind).body = std::string(to_string(kind)) + " " + kSecret + body_end;
  }
  return files;
}

}  // namespace

TEST_CASE("a removal reaches into the trash: no byte of the text stays in the state folder") {
  IndexedVault vault;
  // Short bodies are not named by their hash, so that they must be known otherwise.
  const SessionFiles files = secret_session(
      GENERATE("\n", " is told here in a body that is long enough to be named by its hash.\n"));
  vault.add(files);
  vault.add({"default", "other", "2026-03-21T10:00:00.000Z"});
  vault.reindex();
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
    const std::string path = files.file(kind).path();
    vault.write(with_mark(path, kSyncthing), vault.read(path));
  }
  vault.write(with_mark("MEMORY.md", kSyncthing), vault.memory_md());
  vault.write(with_mark("MEMORY.md", kObsidian),
              "By hand: " + files.summary.body + "Stored the " + kSecret +
                  " of the harbour gate in src/gate/secret.cpp of tidewater, and then rotated it "
                  "at once.\n");
  const std::string innocent =
      SessionFiles("default", "other", "2026-03-21T10:00:00.000Z").summary.path();
  vault.write(with_mark(innocent, kSyncthing), vault.read(innocent));
  resolve(vault, find(vault));
  vault.reindex();
  REQUIRE(trashed(vault).size() == 6);
  // A copy that a crash cut off in the middle.
  vault.place().write("state/trash/2026-03-30T12-00-00.000Z/memory/.daybook-aaaaaaaaaaaaaaaa.tmp",
                      kSecret);
  SECTION("of the whole session") {
    vault.remove_session("secret");
    CHECK(vault.state_files_with(kSecret).empty());
    CHECK(vault.state_files_with(files.token() + "--summary").empty() == false);  // the audit
    CHECK(trashed(vault) == std::vector<std::string>{vault.read(innocent)});
  }
  SECTION("of one file after the other") {
    for (const Kind kind : {Kind::summary, Kind::transcript}) {
      service::Decisions decisions = vault.decisions();
      const auto plan = decisions.plan_removal(
          {capture::RemovalTarget::By::path, files.file(kind).path(), {}}, "a test");
      REQUIRE(plan);
      REQUIRE(decisions.remove(*plan));
      vault.reindex();
      vault.set_now("2026-03-30T12:01:00.000Z");  // each tombstone has a time of its own
    }
    CHECK(vault.state_files_with(kSecret).empty());
    CHECK(holds(trashed(vault), vault.read(innocent)));
  }
}

TEST_CASE("a tombstone that arrives by sync empties the trash of its session, too") {
  IndexedVault vault;
  SessionFiles files = secret_session("\n");
  vault.add(files);
  vault.reindex();
  vault.write(with_mark(files.summary.path(), kSyncthing), vault.read(files.summary.path()));
  resolve(vault, find(vault));
  REQUIRE(trashed(vault).size() == 1);
  files.tombstone.present = true;
  files.tombstone.name = "2026-03-25T10-00-00.000Z--" + files.token() + "--tombstone.md";
  files.tombstone.fields.set_text("removed_at", "2026-03-25T10:00:00.000Z");
  files.write(vault.place(), "vault");
  vault.reindex();
  CHECK(trashed(vault).empty());
  CHECK(vault.state_files_with(kSecret).empty());
}

TEST_CASE("what was removed is never put into the trash") {
  IndexedVault vault;
  SessionFiles files = secret_session("\n");
  vault.add(files);
  vault.reindex();
  const std::string memory_md = vault.memory_md();
  const std::string summary = vault.read(files.summary.path());
  vault.remove_session("secret");
  vault.write(files.summary.path(), summary);
  vault.write(with_mark(files.summary.path(), kSyncthing), summary);
  vault.write(with_mark("MEMORY.md", kSyncthing), memory_md);
  const bool state_is_lost = GENERATE(false, true);  // then the tombstone in the vault tells it
  if (state_is_lost) {
    vault.use_state("another-device");
  }
  const auto found = find(vault);
  REQUIRE(found.size() == 2);
  CHECK(found[0].kind == ConflictKind::memory_md);
  CHECK(found[0].verdict == ConflictVerdict::derived_removed);
  CHECK(found[1].verdict == ConflictVerdict::removed_content);
  CHECK_THAT(found[1].reason, Contains("remove --purge"));
  const auto outcomes = resolve(vault, found);
  CHECK(outcomes[0].done == ConflictAction::remove);
  CHECK(outcomes[1].done == ConflictAction::keep);
  CHECK_FALSE(vault.exists(with_mark("MEMORY.md", kSyncthing)));
  CHECK(trashed(vault).empty());
  CHECK(vault.state_files_with(kSecret).empty());
}

}  // namespace daybook
