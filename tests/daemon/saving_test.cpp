// SPDX-License-Identifier: MIT
//
// However a program saves a file, it is one change, and what is half written is never shown.
#include "daemon/watched_vault.hpp"
#include "flow/disturbance.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <fstream>
#include <functional>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace daybook::daemon {
namespace {

namespace fs = std::filesystem;
using support::eventually;

void write_at(const std::string& path, std::string_view bytes, int flags) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | flags, 0644);
  REQUIRE(file >= 0);
  REQUIRE(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  ::close(file);
}

struct Way {
  const char* name;
  /// Puts the bytes at `path`; `elsewhere` is a folder on the same disk that is not watched.
  std::function<void(
      const std::string& path, const std::string& bytes, const std::string& elsewhere)>
      save;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> all{
      {"in place",
       [](const auto& path, const auto& bytes, const auto&) { write_at(path, bytes, O_TRUNC); }},
      {"truncated, and written in two steps",
       [](const auto& path, const auto& bytes, const auto&) {
         write_at(path, {}, O_TRUNC);
         write_at(path, std::string_view(bytes).substr(0, bytes.size() / 2), O_APPEND);
         write_at(path, std::string_view(bytes).substr(bytes.size() / 2), O_APPEND);
       }},
      {"a temporary beside it, renamed over it",
       [](const auto& path, const auto& bytes, const auto&) {
         write_at(path + ".tmp", bytes, O_TRUNC);
         fs::rename(path + ".tmp", path);
       }},
      {"a temporary from elsewhere, renamed over it",
       [](const auto& path, const auto& bytes, const auto& elsewhere) {
         write_at(elsewhere + "/save", bytes, O_TRUNC);
         fs::rename(elsewhere + "/save", path);
       }},
      {"vim: the old one becomes a backup, which goes at the end",
       [](const auto& path, const auto& bytes, const auto&) {
         fs::rename(path, path + "~");
         write_at(path, bytes, O_TRUNC);
         fs::remove(path + "~");
       }},
      {"deleted and written anew",
       [](const auto& path, const auto& bytes, const auto&) {
         fs::remove(path);
         write_at(path, bytes, O_TRUNC);
       }},
      {"exchanged with another file",
       [](const auto& path, const auto& bytes, const auto& elsewhere) {
         write_at(elsewhere + "/save", bytes, O_TRUNC);
         REQUIRE(::syscall(SYS_renameat2,
                           AT_FDCWD,
                           (elsewhere + "/save").c_str(),
                           AT_FDCWD,
                           path.c_str(),
                           RENAME_EXCHANGE) == 0);
       }},
      {"a hard link in its place", [](const auto& path, const auto& bytes, const auto& elsewhere) {
         write_at(elsewhere + "/save", bytes, O_TRUNC);
         fs::remove(path);
         fs::create_hard_link(elsewhere + "/save", path);
       }}};
  return all;
}

}  // namespace

TEST_CASE("Every way of saving is one change with the right content") {
  WatchedVault watched;
  fs::create_directories(watched.vault().place().at("elsewhere"));
  watched.vault().add(flow::session(1, flow::Naming::by_path));
  watched.vault().write("memory/pinned.md", "The first version.\n");
  watched.start();
  REQUIRE(watched.shows("The first version."));
  int version = 1;
  for (const Way& way : ways()) {
    INFO(way.name);
    const std::uint64_t before = watched.health().publications;
    const std::string words = "Saved as version " + std::to_string(++version) + ".";
    fs::remove(watched.vault().place().at("elsewhere/save"));
    way.save(watched.at("memory/pinned.md"), words + "\n", watched.vault().place().at("elsewhere"));
    CHECK(watched.shows(words));
    CHECK(watched.equals_rebuild());
    CHECK(eventually([&] { return watched.health().publications > before; }));
    CHECK(watched.health().publications == before + 1);
  }
}

TEST_CASE("A half-written session is never shown, and the whole one is") {
  WatchedVault watched;
  watched.start();
  const auto session = flow::session(1, flow::Naming::by_path);
  watched.vault().add(session);
  const std::string path = watched.at("memory/" + session.summary.name);
  const std::string whole = watched.vault().read("memory/" + session.summary.name);
  REQUIRE(watched.shows("session=key-1 "));
  watched.stop();
  watched.vault().delete_state_file("index.db");
  watched.vault().delete_state_file("state.db");
  for (const auto& entry : fs::directory_iterator(watched.at("memory"))) {
    fs::remove(entry.path());
  }
  watched.vault().reindex();
  watched.start();
  // Half of it, and then nothing for far longer than the settle time.
  const std::uint64_t passes = watched.health().narrow_passes;
  std::ofstream(path) << whole.substr(0, whole.size() - 20) << std::flush;
  REQUIRE(eventually([&] { return watched.health().narrow_passes > passes; }));
  CHECK_FALSE(watched.shows_now("session=key-1 "));
  std::ofstream(path, std::ios::app) << whole.substr(whole.size() - 20) << std::flush;
  CHECK(watched.shows("session=key-1 "));
  CHECK(watched.equals_rebuild());
}

TEST_CASE("What Daybook writes itself causes no further pass") {
  WatchedVault watched;
  auto session = flow::session(1, flow::Naming::by_path);
  session.manifest.fields.set_text("device", watched.vault().folder().device());
  watched.start();
  watched.vault().add(session);
  REQUIRE(watched.shows("session=key-1 "));
  const std::string manifest = "memory/" + session.manifest.name;
  REQUIRE(eventually([&] {
    return watched.vault().read(manifest).find("MEMORY.md#Session Ledger") != std::string::npos;
  }));
  REQUIRE(watched.equals_rebuild());
  const Health before = watched.health();
  // Whatever the manifest's own change has caused is over when a later one is done.
  watched.vault().write("memory/pinned.md", "Afterwards.\n");
  REQUIRE(watched.shows("Afterwards."));
  REQUIRE(eventually([&] { return watched.health().publications > before.publications; }));
  const Health after = watched.health();
  CHECK(after.publications == before.publications + 1);
  CHECK(after.generation == before.generation + 1);
}

}  // namespace daybook::daemon
