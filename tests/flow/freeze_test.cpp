// SPDX-License-Identifier: MIT
//
// What cannot be read is not gone: a vault, a folder or a file that refuses freezes what is known,
// and an index that cannot be used is made anew.
#include "flow/disturbance.hpp"
#include "flow/ending_disk.hpp"
#include "support/child.hpp"
#include "support/eventually.hpp"
#include "support/indexed_vault.hpp"
#include "support/text_lines.hpp"
#include "support/watched_disk.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using Catch::EndsWith;
using Catch::VectorContains;
using service::Extent;
using support::IndexedVault;
using support::SessionFiles;

void add_sessions(const IndexedVault& vault, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string day = std::to_string(i % 10);
    const std::string hour = std::to_string(i / 10 % 10);
    const std::string minute = std::to_string(i / 100 % 10);
    vault.add({"default",
               "key-" + std::to_string(i),
               "2026-03-2" + day + "T1" + hour + ":0" + minute + ":00Z"});
  }
}

void give_to(const IndexedVault& vault, uid_t user) {
  for (const auto& entry : fs::recursive_directory_iterator(vault.place().path())) {
    REQUIRE(::lchown(entry.path().c_str(), user, user) == 0);
  }
  REQUIRE(::chown(vault.place().path().c_str(), user, user) == 0);
}

std::vector<std::string> rows_about(const IndexedVault& vault, std::string_view path) {
  std::vector<std::string> lines;
  for (const std::string& line : support::lines_of(vault.rows())) {
    if (line.find(path) != std::string::npos) {
      lines.push_back(line);
    }
  }
  return lines;
}

/// One pass as an ordinary user, whom permissions stop; root reads everything.
std::string reindex_unprivileged(IndexedVault& vault, Extent extent) {
  constexpr uid_t kNobody = 65534;
  give_to(vault, kNobody);
  const auto outcome = support::run_in_child([&]() -> std::string {
    if (!support::drop_privileges()) {
      return "still root";
    }
    const auto report = vault.try_reindex(extent);
    return report ? "ok"
                  : std::to_string(static_cast<int>(report.error().kind)) + " " +
                        report.error().message;
  });
  give_to(vault, 0);
  return outcome.answer;
}

}  // namespace

TEST_CASE("a missing memory/ is an error that changes nothing") {
  IndexedVault vault;
  SECTION("never indexed before: there is no workspace") {
    fs::remove(vault.at("memory"));
    const auto report = vault.try_reindex();
    REQUIRE_FALSE(report);
    CHECK(report.error().kind == ErrorKind::no_workspace);
    CHECK_FALSE(vault.exists("MEMORY.md"));
  }
  SECTION("indexed before: everything stays as it was") {
    add_sessions(vault, 3);
    vault.reindex();
    const std::string rows = vault.rows();
    const std::string memory = vault.memory_md();
    fs::rename(vault.at("memory"), vault.at("unmounted"));
    const Extent extent = GENERATE(Extent::changes, Extent::everything);
    const auto report = vault.try_reindex(extent);
    REQUIRE_FALSE(report);
    CHECK(report.error().kind == ErrorKind::io);
    CHECK_THAT(report.error().hint, Contains("mounted"));
    CHECK(vault.rows() == rows);
    CHECK(vault.memory_md() == memory);
    fs::rename(vault.at("unmounted"), vault.at("memory"));
    CHECK(vault.reindex().removed == 0);
  }
}

TEST_CASE("an unreadable memory/ is an error, an unreadable folder or file is a finding") {
  if (::geteuid() != 0) {
    return;  // only root can make files that another user then cannot read
  }
  IndexedVault vault;
  add_sessions(vault, 3);
  const SessionFiles deep("default", "deep", "2026-03-28T10:00:00Z");
  vault.write("memory/deep/" + deep.summary.name, deep.text(lineage::Kind::summary));
  vault.reindex();
  const std::string memory = vault.memory_md();
  REQUIRE_THAT(memory, Contains("session=deep"));
  const Extent extent = GENERATE(Extent::changes, Extent::everything);

  SECTION("memory/ itself") {
    ::chmod(vault.at("memory").c_str(), 0);
    CHECK_THAT(reindex_unprivileged(vault, extent), Contains("Permission denied"));
    ::chmod(vault.at("memory").c_str(), 0755);
    CHECK(vault.memory_md() == memory);
    CHECK(vault.reindex().removed == 0);
  }
  SECTION("a folder") {
    const auto known = rows_about(vault, "memory/deep/");
    REQUIRE(known.size() == 3);  // the file, its link, its finding
    ::chmod(vault.at("memory/deep").c_str(), 0);
    CHECK(reindex_unprivileged(vault, extent) == "ok");
    CHECK(rows_about(vault, "memory/deep/") == known);
    CHECK_THAT(vault.codes("memory/deep"), VectorContains(std::string("unreadable")));
    CHECK_THAT(vault.memory_md(), Contains("session=deep"));
    ::chmod(vault.at("memory/deep").c_str(), 0755);
    vault.reindex();
    CHECK(vault.codes("memory/deep").empty());
    CHECK_THAT(vault.memory_md(), Contains("session=deep"));
  }
  SECTION("a file") {
    const std::string path = "memory/deep/" + deep.summary.name;
    ::chmod(vault.at(path).c_str(), 0);
    CHECK(reindex_unprivileged(vault, extent) == "ok");
    CHECK_THAT(vault.codes(path), VectorContains(std::string("unreadable")));
    CHECK_THAT(vault.memory_md(), Contains("session=deep"));
    ::chmod(vault.at(path).c_str(), 0644);
    vault.reindex();
    CHECK_THAT(vault.codes(path), !VectorContains(std::string("unreadable")));
  }
}

TEST_CASE(
    "a file that can be read again is no longer a matter for MEMORY.md, by a narrow pass too") {
  if (::geteuid() != 0) {
    return;
  }
  IndexedVault vault;
  add_sessions(vault, 2);
  vault.reindex();
  const SessionFiles first("default", "key-0", "2026-03-20T10:00:00Z");
  const SessionFiles second("default", "key-1", "2026-03-21T10:00:00Z");
  const std::string path = "memory/" + first.file_name(lineage::Kind::summary);
  REQUIRE(vault.exists(path));
  ::chmod(vault.at(path).c_str(), 0);
  REQUIRE(reindex_unprivileged(vault, Extent::changes) == "ok");
  REQUIRE_THAT(vault.memory_md(), Contains("Attention: "));
  // The service has seen all that is there, and knows that it is published.
  const std::string other = "memory/" + second.file_name(lineage::Kind::summary);
  REQUIRE(vault.follow({other}).narrow);
  REQUIRE_THAT(vault.memory_md(), Contains("Attention: "));

  ::chmod(vault.at(path).c_str(), 0644);
  const auto report = vault.follow({path});
  CHECK(report.narrow);
  CHECK(report.rows_changed);
  CHECK(vault.codes(path).empty());
  CHECK_THAT(vault.memory_md(), !Contains("Attention: "));
  CHECK_FALSE(vault.follow({path}).rows_changed);
}

/// What arrives by sync when another device has removed the session.
void add_tombstone(const IndexedVault& vault, SessionFiles session) {
  for (const lineage::Kind kind :
       {lineage::Kind::summary, lineage::Kind::transcript, lineage::Kind::manifest}) {
    session.file(kind).present = false;
  }
  session.tombstone.present = true;
  session.tombstone.name = "2026-03-29T10-00-00.000Z--" + session.token() + "--tombstone.md";
  session.tombstone.fields.set_text("removed_at", "2026-03-29T10:00:00.000Z");
  vault.add(session);
}

TEST_CASE("what was removed is not kept because its folder cannot be read") {
  if (::geteuid() != 0) {
    return;  // only root can make files that another user then cannot read
  }
  IndexedVault vault;
  add_sessions(vault, 3);
  SessionFiles deep("default", "deep", "2026-03-28T10:00:00Z");
  deep.set_everywhere("session_id", "\"deep-id\"");
  deep.summary.body = "# Deep\n\nA xunkenword of this session, and no other's.\n";
  vault.write("memory/deep/" + deep.summary.name, deep.text(lineage::Kind::summary));
  vault.reindex();
  REQUIRE_FALSE(vault.state_files_with("xunkenword").empty());
  const Extent extent = GENERATE(Extent::changes, Extent::everything);
  if (GENERATE(true, false)) {
    add_tombstone(vault, deep);
  } else {  // by the other of its two tokens
    const auto by_id = lineage::SessionToken::derive("default", "deep-id").to_string();
    vault.write("memory/2026-03-29T10-00-00.000Z--" + by_id + "--tombstone.md", "unreadable\n");
  }
  ::chmod(vault.at("memory/deep").c_str(), 0);
  CHECK(reindex_unprivileged(vault, extent) == "ok");
  CHECK(rows_about(vault, "memory/deep/").empty());
  CHECK_THAT(vault.memory_md(), !Contains("session=deep"));
  CHECK(vault.state_files_with("xunkenword").empty());
  ::chmod(vault.at("memory/deep").c_str(), 0755);
  vault.reindex();
  CHECK(vault.state_files_with("xunkenword").empty());
}

TEST_CASE("an erasure that cannot read a note of the same month does not forget its full text") {
  if (::geteuid() != 0) {
    return;  // only root can make files that another user then cannot read
  }
  IndexedVault vault;
  const auto march = [](int day) {
    SessionFiles session(
        "default", "march-" + std::to_string(day), "2026-03-" + std::to_string(day) + "T10:00:00Z");
    // FTS5 stores a word without what it shares with the one before: this one shares nothing.
    session.summary.body = std::string("# A day\n\nThe ") + (day == 10 ? "xylograph" : "plank") +
                           std::to_string(day) + " was laid.\n";
    return session;
  };
  for (int day = 10; day < 22; ++day) {
    vault.add(march(day));
  }
  const SessionFiles elsewhere("default", "elsewhere", "2026-02-10T10:00:00Z");
  vault.add(elsewhere);
  vault.reindex();
  vault.unlink(march(10).summary.path());
  vault.reindex();
  REQUIRE_FALSE(vault.state_files_with("xylograph10").empty());  // only hidden
  add_tombstone(vault, elsewhere);
  const std::string refused = march(11).summary.path();
  ::chmod(vault.at(refused).c_str(), 0);
  CHECK(reindex_unprivileged(vault, Extent::changes) == "ok");
  CHECK(vault.state_files_with("xylograph10").empty());
  CHECK(vault.search("plank11").empty());
  ::chmod(vault.at(refused).c_str(), 0644);
  vault.reindex();
  CHECK(vault.search("plank11").size() == 1);
}

TEST_CASE("an index that cannot be used is set aside and made anew") {
  IndexedVault vault;
  add_sessions(vault, 4);
  vault.reindex();
  const std::string rows = vault.rows();
  const std::string memory = vault.memory_md();
  const std::string path = vault.folder().file("index.db");
  const std::string bytes = vault.place().read("state/index.db");
  bool told = true;

  SECTION("not a database") { std::ofstream(path, std::ios::binary) << std::string(8192, 'x'); }
  SECTION("another program's") {
    fs::remove(path);
    auto foreign = store::Database::open(path);
    REQUIRE(foreign);
    REQUIRE(foreign->execute("CREATE TABLE theirs(a)"));
  }
  SECTION("truncated") { fs::resize_file(path, fs::file_size(path) / 2 + 100); }
  SECTION("empty") {
    fs::resize_file(path, 0);
    told = false;  // what a crash while making it leaves
  }
  SECTION("with zeros in the middle") {
    std::string damaged = bytes;
    std::fill(damaged.begin() + 4096, damaged.begin() + 65536, '\0');
    std::ofstream(path, std::ios::binary) << damaged;
  }
  SECTION("of another schema") {
    auto database = store::Database::open(path);
    REQUIRE(database);
    REQUIRE(database->execute("PRAGMA user_version = 999"));
  }
  // The first damaged page may be one that only a change meets.
  vault.add({"default", "late", "2026-03-29T10:00:00Z"});
  const auto report = vault.reindex();
  CHECK(report.sessions == 5);
  CHECK(report.notices.empty() == !told);
  for (const std::string& notice : report.notices) {
    CHECK_THAT(notice, Contains("anew"));
  }
  CHECK(vault.search("tidewater").size() == 10);
  vault.unlink("memory/2026-03-29T10-00-00.000Z--" +
               SessionFiles("default", "late", "2026-03-29T10:00:00Z").token() + "--summary.md");
}

TEST_CASE("an index that a power cut took back further than the rest is published again") {
  IndexedVault vault;
  vault.add(flow::session(1, flow::Naming::by_path));
  vault.reindex();
  const std::string index = vault.folder().file("index.db");
  fs::copy_file(index, index + ".before");
  for (int number = 2; number < 5; ++number) {
    vault.add(flow::session(number, flow::Naming::by_path));
    vault.reindex();
  }
  for (const char* rest : {"-wal", "-shm"}) {
    fs::remove(index + rest);
  }
  fs::rename(index + ".before", index);
  const auto added = flow::session(6, flow::Naming::by_path);
  vault.add(added);
  SECTION("by a look at everything") { vault.reindex(); }
  SECTION("by one at what is told") { vault.follow({"memory/" + added.summary.name}); }
  CHECK(vault.memory_md().find("session=key-6 ") != std::string::npos);
}

TEST_CASE("a new index counts on from the highest published generation") {
  IndexedVault vault;
  add_sessions(vault, 2);
  vault.reindex();
  vault.add({"default", "late", "2026-03-29T10:00:00Z"});
  const auto before = vault.reindex();
  vault.delete_state_file("index.db");
  vault.add({"default", "later", "2026-03-29T11:00:00Z"});
  const auto after = vault.reindex();
  CHECK(after.generation > before.generation);
  CHECK_THAT(vault.memory_md(), Contains("session=later"));
}

TEST_CASE("a file written in the instant in which it was indexed is looked at again") {
  // The real disk: every file here is younger than the granularity of its times.
  IndexedVault vault;
  const SessionFiles session("default", "racy", "2026-03-20T10:00:00Z");
  vault.add(session);
  const base::FixedClock clock(support::kTestNow);
  const auto pass = [&] {
    service::WorkProgress progress;
    const auto report =
        service::Pipeline(base::real_disk(), vault.folder(), clock).run({}, progress);
    REQUIRE(report);
    return *report;
  };
  pass();
  // The same size, and the old times set again: only a reading can tell.
  const std::string path = vault.at(session.summary.path());
  struct stat before {};
  REQUIRE(::stat(path.c_str(), &before) == 0);
  std::string text = vault.read(session.summary.path());
  text.replace(text.find("claude-code"), 11, "claude-c0de");
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file << text;
  }
  const timespec times[2] = {before.st_atim, before.st_mtim};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  CHECK(pass().changed == 1);
  CHECK_THAT(vault.codes(session.summary.path()), VectorContains(std::string("immutable-changed")));
}

TEST_CASE("MEMORY.md that is a link or a folder, or a vault that cannot be written, is told") {
  IndexedVault vault;
  add_sessions(vault, 2);
  SECTION("a symbolic link") {
    vault.place().write("elsewhere.md", "precious\n");
    fs::create_symlink(vault.place().at("elsewhere.md"), vault.at("MEMORY.md"));
    const auto report = vault.try_reindex();
    REQUIRE_FALSE(report);
    CHECK_THAT(report.error().path + report.error().message, Contains("MEMORY.md"));
    CHECK(vault.place().read("elsewhere.md") == "precious\n");
  }
  SECTION("a folder") {
    fs::create_directory(vault.at("MEMORY.md"));
    CHECK_FALSE(vault.try_reindex());
    CHECK(fs::is_directory(vault.at("MEMORY.md")));
  }
  SECTION("a person's own file is kept as a copy") {
    vault.write("MEMORY.md", "My own words\n");
    const auto report = vault.reindex();
    REQUIRE(report.notices.size() == 1);
    CHECK_THAT(report.notices.front(), Contains("replaced"));
    CHECK_FALSE(vault.state_files_with("My own words").empty());
    CHECK_THAT(vault.memory_md(), Contains("session=key-0"));
  }
  SECTION("an altered or missing one is restored") {
    vault.reindex();
    const std::string memory = vault.memory_md();
    vault.write("MEMORY.md", memory.substr(0, 100));
    vault.reindex();
    CHECK(vault.memory_md() == memory);
    vault.unlink("MEMORY.md");
    vault.set_now(support::kTestNow + 3'600'000);
    vault.reindex();
    CHECK(vault.memory_md() == memory);
  }
}

TEST_CASE("a pass that is stopped in the middle leaves what was there, and the next one goes on") {
  IndexedVault vault;
  const int sessions = GENERATE(3, 40);  // examined by one thread, and by several
  add_sessions(vault, sessions);
  const auto expected = static_cast<std::uint64_t>(sessions);
  /// Stops the pass when it opens its second file.
  const auto stop_early = [&]() -> std::uint64_t {
    service::WorkProgress progress;
    support::WatchedDisk disk([&progress](int opened) { progress.cancelled = opened >= 2; });
    const base::FixedClock clock(support::kTestNow);
    service::PassRequest request;
    request.extent = Extent::everything;
    const auto report = service::Pipeline(disk, vault.folder(), clock).run(request, progress);
    REQUIRE(report);
    return progress.files_done;
  };
  const std::string half_done = vault.folder().file("index.db.new");
  CHECK(stop_early() < 3 * expected);  // a first index
  CHECK_FALSE(std::filesystem::exists(half_done));
  CHECK_FALSE(vault.exists("MEMORY.md"));
  CHECK(vault.reindex().sessions == expected);
  const std::string rows = vault.rows();
  vault.add({"default", "late", "2026-03-29T10:00:00Z"});
  CHECK(stop_early() < 3 * expected);  // a new one in its place
  CHECK_FALSE(std::filesystem::exists(half_done));
  CHECK(vault.rows() == rows);
  CHECK(vault.reindex().sessions == expected + 1);
}

TEST_CASE("a file that is deleted between the listing and its reading is not taken to be there") {
  IndexedVault vault;
  add_sessions(vault, 2);
  vault.reindex();
  const auto extent = GENERATE(Extent::changes, Extent::everything);
  const SessionFiles late{"default", "late", "2026-03-29T10:00:00Z"};
  const std::string summary = "memory/" + late.summary.name;
  vault.add(late);
  vault.write("memory/other.md", "See [[" + summary + "]].\n");
  // Until their times can be trusted: else they are read again in any case.
  CHECK_FALSE(support::eventually([] { return false; }, std::chrono::milliseconds(2'200)));
  const auto pass = [&vault](base::Disk& disk, Extent wanted) {
    service::WorkProgress progress;
    const base::FixedClock clock(support::kTestNow);
    service::PassRequest request;
    request.extent = wanted;
    REQUIRE(service::Pipeline(disk, vault.folder(), clock).run(request, progress));
  };
  test::EndingDisk disk(".md", 1, [&] { vault.unlink(summary); });
  pass(disk, extent);
  REQUIRE_FALSE(vault.exists(summary));

  pass(base::real_disk(), Extent::changes);
  const std::string rows = vault.rows();
  vault.use_state("rebuilt");
  vault.reindex();
  CHECK(rows == vault.rows());
}

TEST_CASE("a disk that is full while rows are written is an error, and nothing is lost") {
  IndexedVault vault;
  add_sessions(vault, 300);
  vault.reindex();  // so that state.db is there and need not grow
  const std::string memory = vault.memory_md();
  const std::string rows = vault.rows();
  const auto outcome = support::run_in_child([&]() -> std::string {
    ::signal(SIGXFSZ, SIG_IGN);
    const auto size = std::filesystem::file_size(vault.folder().file("index.db"));
    const rlimit small{size / 2, size / 2};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto report = vault.try_reindex(Extent::everything);
    return report ? "no error" : report.error().path;
  });
  CHECK(outcome.signal == 0);
  CHECK_THAT(outcome.answer, EndsWith("index.db.new"));
  CHECK_FALSE(std::filesystem::exists(vault.folder().file("index.db.new")));
  CHECK(vault.memory_md() == memory);
  CHECK(vault.rows() == rows);
  CHECK(vault.reindex(Extent::everything).sessions == 300);
}

}  // namespace daybook
