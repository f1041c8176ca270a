// SPDX-License-Identifier: MIT
//
// Removal holds: nothing brings the text back into index, search or MEMORY.md, and no byte of it
// stays in the state folder.
#include "cli/daybook_program.hpp"
#include "support/eventually.hpp"
#include "support/indexed_vault.hpp"
#include "support/removed_session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using Catch::VectorContains;
using lineage::Kind;
using service::Extent;
using support::check_gone;
using support::IndexedVault;
using support::kSecret;
using support::other_session;
using support::secret_session;
using support::SessionFiles;

/// Months of full text are named after themselves.
bool is_in_full_text(const IndexedVault& vault, std::string_view bytes) {
  const auto files = vault.state_files_with(bytes);
  return std::any_of(files.begin(), files.end(), [](const std::string& file) {
    return file.starts_with("2026-");
  });
}

std::string crlf(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result.append(c == '\n' ? "\r\n" : std::string(1, c));
  }
  return result;
}

/// Every file below the folder, whatever it is for, that holds the bytes.
std::string files_with(const support::TempFolder& place, const std::string& bytes) {
  std::string found;
  for (const auto& entry : fs::recursive_directory_iterator(place.path())) {
    const std::string name = entry.path().lexically_relative(place.path()).string();
    if (entry.is_regular_file() && place.read(name).find(bytes) != std::string::npos) {
      found += name + "\n";
    }
  }
  return found;
}

}  // namespace

TEST_CASE("Tombstone bypass: a removal survives every way to bring the text back") {
  IndexedVault vault;
  const SessionFiles session = secret_session();
  vault.add(session);
  vault.add(other_session());
  vault.reindex();
  REQUIRE(vault.search(kSecret).size() == 2);
  REQUIRE_THAT(vault.memory_md(), Contains(kSecret));
  const std::string old_index = vault.place().read("state/index.db");
  const std::string summary = vault.read(session.summary.path());
  const std::string transcript = vault.read(session.transcript.path());
  vault.remove_session("secret");

  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
    CHECK_FALSE(vault.exists(session.file(kind).path()));
  }
  check_gone(vault);
  const std::string tombstone = [&] {
    for (const auto& entry : fs::directory_iterator(vault.at("memory"))) {
      if (entry.path().string().ends_with("--tombstone.md")) {
        return "memory/" + entry.path().filename().string();
      }
    }
    return std::string();
  }();
  REQUIRE_FALSE(tombstone.empty());
  CHECK_THAT(vault.read(tombstone), !Contains(kSecret));

  SECTION("restored as it was, from git") { session.write(vault.place(), "vault"); }
  SECTION("renamed") { vault.write("memory/My own note.md", summary); }
  SECTION("copied beside its old name") {
    vault.write("memory/" + session.file_name(Kind::summary) + " copy.md", summary);
  }
  SECTION("under another token") {
    vault.write("memory/2026-03-22T10-00-00.000Z--abcdefghijklmnop--summary.md", summary);
  }
  SECTION("as another session with the same body") {
    SessionFiles forged("default", "forged", "2026-03-22T10:00:00.000Z");
    forged.summary.body = session.summary.body;
    forged.transcript.body = session.transcript.body;
    vault.add(forged);
    vault.reindex();
    CHECK_THAT(vault.codes(forged.summary.path()),
               VectorContains(std::string("removed-content-present")));
  }
  SECTION("with edited frontmatter") {
    std::string edited = summary;
    edited.replace(edited.find("harness: "), 9, "harness: another-one #");
    vault.write(session.summary.path(), edited);
    vault.write("memory/edited.md", edited);
  }
  SECTION("with an edited body, under a name of its own") {
    vault.write("memory/edited.md", summary + "\nAnd more.\n");
  }
  SECTION("with an older index.db") {
    session.write(vault.place(), "vault");
    vault.delete_state_file("index.db");
    vault.place().write("state/index.db", old_index);
  }
  SECTION("with state.db deleted") {
    session.write(vault.place(), "vault");
    vault.delete_state_file("state.db");
  }
  SECTION("with the tombstone's file deleted") {
    session.write(vault.place(), "vault");
    vault.unlink(tombstone);
    vault.reindex();
    CHECK(vault.exists(tombstone));  // written again from the copy
  }
  SECTION("in a sub-folder") {
    vault.write("memory/archive/2026/" + session.summary.name, summary);
  }
  SECTION("with another case in its name") {
    std::string shouting = session.summary.name;
    for (char& c : shouting) {
      c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    vault.write("memory/" + shouting.substr(0, shouting.size() - 3) + ".md", summary);
  }
  SECTION("with CRLF line ends") { vault.write("memory/windows.md", crlf(summary)); }
  SECTION("with blanks at the ends of its lines") {
    std::string blanks = transcript;
    blanks.insert(blanks.rfind('\n'), "  \t");
    vault.write("memory/blanks.md", blanks + "\n\n\n");
  }
  vault.reindex();
  check_gone(vault);
  vault.reindex(Extent::everything);
  check_gone(vault);
  vault.delete_state_file("index.db");
  vault.reindex();
  check_gone(vault);
}

TEST_CASE(
    "Removal leaves bytes: what was only hidden from searches before its session was removed is "
    "erased, too") {
  IndexedVault vault;
  SessionFiles session = secret_session();
  vault.add(session);
  vault.add(other_session());
  // So many that its month is not worth building anew for a few documents less.
  for (int i = 10; i < 20; ++i) {
    vault.add(
        {"default", "key-" + std::to_string(i), "2026-03-" + std::to_string(i) + "T09:00:00Z"});
  }
  vault.reindex();
  REQUIRE_FALSE(vault.state_files_with(kSecret).empty());
  const std::vector<std::string> paths{
      session.summary.path(), session.transcript.path(), session.manifest.path()};
  std::vector<std::string> hints = paths;
  hints.push_back(other_session().summary.path());  // else so many gone would be doubted
  const bool text_follows = GENERATE(true, false);
  const auto look = [&] {
    const auto report = text_follows ? vault.reindex() : vault.follow(hints);
    REQUIRE(report.narrow == !text_follows);
    REQUIRE(is_in_full_text(vault, kSecret));
  };
  SECTION("edited, and so no longer trusted") {
    for (const std::string& path : paths) {
      vault.write(path, vault.read(path) + "Added later.\n");
    }
    look();
    vault.remove_session("secret");
  }
  SECTION("deleted, before the tombstone arrived") {
    for (const std::string& path : paths) {
      vault.unlink(path);
    }
    look();
    SessionFiles removed = secret_session();
    removed.summary.present = removed.transcript.present = removed.manifest.present = false;
    removed.tombstone.present = true;
    removed.tombstone.name = "2026-03-25T10-00-00.000Z--" + removed.token() + "--tombstone.md";
    removed.tombstone.fields.set_text("removed_at", "2026-03-25T10:00:00.000Z");
    vault.add(removed);
    vault.reindex();
  }
  check_gone(vault);
}

TEST_CASE(
    "Removal leaves bytes: text that no row speaks of any more, because the index went back, is "
    "erased, too") {
  IndexedVault vault;
  vault.add(other_session());
  vault.reindex();
  const std::string index = vault.folder().file("index.db");
  fs::copy_file(index, index + ".before");
  SessionFiles session = secret_session();
  vault.add(session);
  vault.reindex();
  REQUIRE(is_in_full_text(vault, kSecret));
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
    vault.unlink(session.file(kind).path());
    session.file(kind).present = false;
  }
  for (const char* rest : {"-wal", "-shm"}) {
    fs::remove(index + rest);
  }
  fs::rename(index + ".before", index);
  session.tombstone.present = true;
  session.tombstone.name = "2026-03-25T10-00-00.000Z--" + session.token() + "--tombstone.md";
  session.tombstone.fields.set_text("removed_at", "2026-03-25T10:00:00.000Z");
  vault.add(session);
  vault.reindex();
  check_gone(vault);
}

TEST_CASE("Removal leaves bytes: none, beside a service that has everything open") {
  const support::TempFolder place;
  secret_session().write(place, "vault");
  other_session().write(place, "vault");
  const auto program = [&place](std::vector<std::string> words) {
    return test::daybook(
        support::on_vault(place.at("vault"), place.at("state"), words, "2026-03-30T12:00:00Z"));
  };
  const auto finds = [&program] {
    return support::run(program({"search", kSecret})).out.find("--summary.md") != std::string::npos;
  };
  auto service = program({"--verbose", "watch"});
  service.meanwhile = [&](pid_t process) {
    REQUIRE(support::eventually(finds));
    REQUIRE(support::run(program({"show", "secret"})).exit_code == 0);
    // A copy in each place that keeps copies.
    const std::string copy = secret_session().transcript.path();
    place.write(
        "vault/" + copy.substr(0, copy.size() - 3) + ".sync-conflict-20260328-223406-ABCDEFG.md",
        place.read("vault/" + copy));
    place.write("vault/MEMORY (1).md", place.read("vault/MEMORY.md"));
    REQUIRE(support::run(program({"conflicts", "resolve", "--yes"})).exit_code == 0);
    place.write("vault/MEMORY.md", place.read("vault/MEMORY.md") + "mine\n");
    support::run(program({"render"}));
    REQUIRE(files_with(place, kSecret).find("state/text/") != std::string::npos);
    REQUIRE(files_with(place, kSecret).find("state/trash/") != std::string::npos);
    const auto removed =
        support::run(program({"remove", "--session", "secret", "--reason", "a test", "--yes"}));
    INFO(removed.out << removed.err);
    CHECK(removed.exit_code == 0);
    CHECK(files_with(place, kSecret) == "");
    CHECK_FALSE(finds());
    ::kill(process, SIGTERM);
  };
  const auto served = support::run(service);
  CHECK(served.exit_code == 0);
  CHECK_THAT(served.out + served.err, !Contains(kSecret));
  CHECK(files_with(place, kSecret) == "");
}

}  // namespace daybook
