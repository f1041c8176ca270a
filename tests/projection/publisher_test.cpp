// SPDX-License-Identifier: MIT
#include "daybook/projection/publisher.hpp"

#include "projection/publishing.hpp"
#include "support/child.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace daybook;
using namespace daybook::projection;
using daybook::support::run_in_child;
namespace fs = std::filesystem;

namespace {

const std::string kOther = "# Notes by hand\n\nkeep me\n";

Desk opened(const Vault& vault) {
  auto desk = Desk::open(vault);
  INFO((desk ? "" : desk.error().message));
  REQUIRE(desk);
  return std::move(desk).value();
}

PublishOutcome published(const Vault& vault, Desk& desk, std::int64_t generation) {
  auto outcome = desk.publish(vault, {"MEMORY.md", version(generation), generation});
  INFO((outcome ? "" : outcome.error().message));
  REQUIRE(outcome);
  return *outcome;
}

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  if (fs::exists(path)) {
    for (const auto& entry : fs::directory_iterator(path)) {
      names.push_back(entry.path().filename().string());
    }
  }
  return names;
}

const std::vector<std::string> kOnlyMemoryMd{"MEMORY.md"};

}  // namespace

TEST_CASE("a projection is published once, and again only when its bytes differ") {
  const Vault vault;
  Desk desk = opened(vault);
  CHECK(published(vault, desk, 1).state == PublishState::published);
  CHECK(vault.temp.read("vault/MEMORY.md") == version(1));
  struct stat before {};
  REQUIRE(::stat(vault.temp.at("vault/MEMORY.md").c_str(), &before) == 0);

  const auto again = desk.publish(vault, {"MEMORY.md", version(1), 2});
  CHECK(again->state == PublishState::unchanged);
  struct stat after {};
  REQUIRE(::stat(vault.temp.at("vault/MEMORY.md").c_str(), &after) == 0);
  CHECK(after.st_ino == before.st_ino);

  CHECK(published(vault, desk, 3).state == PublishState::published);
  CHECK(vault.temp.read("vault/MEMORY.md") == version(3));
  const auto last = desk.database.publications().last("MEMORY.md").value();
  REQUIRE(last);
  CHECK(last->generation == 3);
  CHECK(last->fence == desk.lease.fence());
  CHECK(last->sha256 == base::sha256(version(3)));
  CHECK(desk.database.publications().highest_generation().value() == 3);
  CHECK(names_in(vault.temp.at("vault")) == kOnlyMemoryMd);
}

TEST_CASE("an older generation replaces nothing, also when the newer one found its bytes there") {
  const Vault vault;
  Desk desk = opened(vault);
  published(vault, desk, 5);
  CHECK(published(vault, desk, 4).state == PublishState::superseded);
  CHECK(desk.publish(vault, {"MEMORY.md", version(5), 7})->state == PublishState::unchanged);
  CHECK(desk.publish(vault, {"MEMORY.md", version(6), 6})->state == PublishState::superseded);
  CHECK(vault.temp.read("vault/MEMORY.md") == version(5));
}

TEST_CASE("another agent's projection gets its folders") {
  const Vault vault;
  Desk desk = opened(vault);
  const auto outcome = desk.publish(vault, {"agents/coder/MEMORY.md", version(1), 1});
  REQUIRE(outcome);
  CHECK(vault.temp.read("vault/agents/coder/MEMORY.md") == version(1));
  for (const char* path : {"", "../MEMORY.md", "agents/../../MEMORY.md", "/MEMORY.md", "agents/"}) {
    CAPTURE(path);
    CHECK_FALSE(desk.publish(vault, {path, version(2), 2}));
  }
}

TEST_CASE("what somebody else wrote is kept before it is replaced") {
  const Vault vault;
  vault.temp.write("vault/MEMORY.md", kOther);
  Desk desk = opened(vault);
  const auto outcome = published(vault, desk, 1);
  CHECK(outcome.state == PublishState::published);
  REQUIRE_FALSE(outcome.replaced_copy.empty());
  CHECK(outcome.replaced_copy.starts_with(vault.temp.at("state/replaced/2026-")));
  CHECK(outcome.replaced_copy.ends_with("-MEMORY.md"));
  struct stat status {};
  REQUIRE(::stat(outcome.replaced_copy.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  CHECK(vault.temp.read("state/replaced/" + fs::path(outcome.replaced_copy).filename().string()) ==
        kOther);
  CHECK(vault.temp.read("vault/MEMORY.md") == version(1));
}

TEST_CASE("a file too large to be ours is kept whole") {
  const Vault vault;
  const std::string large = std::string(std::size_t{6} << 20, 'x') + version(1);
  vault.temp.write("vault/MEMORY.md", large);
  Desk desk = opened(vault);
  const auto outcome = published(vault, desk, 1);
  REQUIRE_FALSE(outcome.replaced_copy.empty());
  CHECK(fs::file_size(outcome.replaced_copy) == large.size());
}

TEST_CASE("our own older version and a missing file are restored without a word") {
  Vault vault;
  Desk desk = opened(vault);
  published(vault, desk, 1);
  published(vault, desk, 2);
  for (int i = 0; i < 3; ++i) {
    vault.clock.now += 1000;
    vault.temp.write("vault/MEMORY.md", version(1));
    const auto restored = published(vault, desk, 2);
    CHECK(restored.state == PublishState::published);
    CHECK(restored.replaced_copy.empty());
    fs::remove(vault.temp.at("vault/MEMORY.md"));
    CHECK(published(vault, desk, 2).state == PublishState::published);
  }
}

TEST_CASE("replaced by others twice within ten minutes, publishing stops until it is cleared") {
  Vault vault;
  Desk desk = opened(vault);
  std::string theirs;
  SECTION("by hand") { theirs = kOther; }
  SECTION("by another device's Daybook") { theirs = version(77); }
  published(vault, desk, 1);
  vault.temp.write("vault/MEMORY.md", theirs);
  CHECK(published(vault, desk, 2).state == PublishState::published);
  vault.clock.now += 10 * 60 * 1000;
  vault.temp.write("vault/MEMORY.md", theirs);
  CHECK(published(vault, desk, 3).state == PublishState::contested);
  CHECK(vault.temp.read("vault/MEMORY.md") == theirs);
  vault.clock.now += 60 * 60 * 1000;
  CHECK(published(vault, desk, 4).state == PublishState::contested);
  CHECK(desk.database.publications().contested().value() == kOnlyMemoryMd);
  CHECK(desk.publish(vault, {"agents/x/MEMORY.md", version(4), 4})->state ==
        PublishState::published);

  REQUIRE(desk.database.publications().clear_contest("MEMORY.md"));
  CHECK(published(vault, desk, 5).state == PublishState::published);
  CHECK(vault.temp.read("vault/MEMORY.md") == version(5));
}

TEST_CASE("replaced by others now and then is no contest, nor is one replacement seen twice") {
  Vault vault;
  Desk desk = opened(vault);
  published(vault, desk, 1);
  for (int i = 2; i < 6; ++i) {
    vault.clock.now += 10 * 60 * 1000 + 1;
    vault.temp.write("vault/MEMORY.md", kOther + std::to_string(i));
    CHECK(published(vault, desk, i).state == PublishState::published);
  }
  // The same foreign file again and again, because publishing fails.
  vault.clock.now += 10 * 60 * 1000 + 1;
  vault.temp.write("vault/MEMORY.md", kOther);
  const std::size_t copies = names_in(vault.temp.at("state/replaced")).size();
  for (int i = 0; i < 3; ++i) {
    const auto failed = desk.publish(vault, {"MEMORY.md", version(9), 9}, [&](PublishStep step) {
      if (step == PublishStep::rename) {  // somebody writes at the last moment, every time
        vault.clock.now += 1000;
        vault.temp.write("vault/MEMORY.md", kOther);
      }
    });
    REQUIRE_FALSE(failed);
    CHECK(failed.error().kind == ErrorKind::busy);
  }
  CHECK(names_in(vault.temp.at("state/replaced")).size() == copies + 1);
  CHECK(published(vault, desk, 9).state == PublishState::published);
}

TEST_CASE("a file written between our look and our rename is looked at again") {
  const Vault vault;
  Desk desk = opened(vault);
  published(vault, desk, 1);
  bool written = false;
  const auto outcome = desk.publish(vault, {"MEMORY.md", version(2), 2}, [&](PublishStep step) {
    if (step == PublishStep::rename && !written) {
      written = true;
      vault.temp.write("vault/MEMORY.md", kOther);
    }
  });
  REQUIRE(outcome);
  CHECK(outcome->state == PublishState::published);
  CHECK_FALSE(outcome->replaced_copy.empty());
  CHECK(vault.temp.read("vault/MEMORY.md") == version(2));
}

TEST_CASE("a clock more than a day behind the last publication freezes publishing") {
  Vault vault;
  Desk desk = opened(vault);
  published(vault, desk, 1);
  const std::int64_t then = vault.clock.now;
  vault.clock.now = then - 24 * 60 * 60 * 1000;
  CHECK(published(vault, desk, 2).state == PublishState::published);
  vault.clock.now = then;
  published(vault, desk, 3);
  vault.clock.now = then - 24 * 60 * 60 * 1000 - 1;
  CHECK(published(vault, desk, 4).state == PublishState::frozen_by_clock);
  CHECK(vault.temp.read("vault/MEMORY.md") == version(3));
  REQUIRE(desk.database.publications().accept_clock({vault.clock.now}));
  CHECK(published(vault, desk, 4).state == PublishState::published);
}

TEST_CASE("a link or a folder in its place is a clear error and stays as it is") {
  const Vault vault;
  Desk desk = opened(vault);
  std::string path = "MEMORY.md";
  SECTION("a link to a file") {
    vault.temp.write("precious", "precious");
    vault.temp.make_link("vault/MEMORY.md", vault.temp.at("precious"));
  }
  SECTION("a link to nothing") {
    vault.temp.make_link("vault/MEMORY.md", vault.temp.at("precious"));
  }
  SECTION("a folder") { vault.temp.make_folder("vault/MEMORY.md"); }
  SECTION("a pipe") { vault.temp.make_pipe("vault/MEMORY.md"); }
  SECTION("a link on the way") {
    vault.temp.make_folder("elsewhere/x");
    vault.temp.make_link("vault/agents", vault.temp.at("elsewhere"));
    path = "agents/x/MEMORY.md";
  }
  const auto before = fs::symlink_status(vault.temp.at("vault/MEMORY.md")).type();
  const auto outcome = desk.publish(vault, {path, version(1), 1});
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().kind == ErrorKind::not_regular);
  CHECK_FALSE(outcome.error().hint.empty());
  CHECK(fs::symlink_status(vault.temp.at("vault/MEMORY.md")).type() == before);
  CHECK_FALSE(fs::exists(vault.temp.at("elsewhere/x/MEMORY.md")));
  if (fs::exists(vault.temp.at("precious"))) {
    CHECK(vault.temp.read("precious") == "precious");
  }
}

TEST_CASE("a link that appears at the last moment is not replaced") {
  const Vault vault;
  Desk desk = opened(vault);
  const auto outcome = desk.publish(vault, {"MEMORY.md", version(2), 2}, [&](PublishStep step) {
    if (step == PublishStep::rename) {
      vault.temp.make_link("vault/MEMORY.md", "nowhere");
    }
  });
  REQUIRE_FALSE(outcome);
  CHECK(fs::is_symlink(vault.temp.at("vault/MEMORY.md")));
}

TEST_CASE("a full disk leaves the old file, no temporary, and the next attempt works") {
  const Vault vault;
  {
    Desk desk = opened(vault);
    published(vault, desk, 1);
  }
  const auto child = run_in_child([&]() -> std::string {
    auto desk = Desk::open(vault);
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto outcome =
        desk->publish(vault, {"MEMORY.md", std::string(300'000, 'x') + version(2), 2});
    return outcome ? "published" : outcome.error().message + " at " + outcome.error().path;
  });
  CHECK(child.answer.find("cannot write the file") != std::string::npos);
  CHECK(child.answer.find(vault.temp.at("vault/MEMORY.md")) != std::string::npos);
  CHECK(vault.temp.read("vault/MEMORY.md") == version(1));
  CHECK(names_in(vault.temp.at("vault")) == kOnlyMemoryMd);
  Desk desk = opened(vault);
  CHECK(published(vault, desk, 3).state == PublishState::published);
}

TEST_CASE("a vault that cannot be written keeps its file, with a clear error") {
  const Vault vault;
  {
    Desk desk = opened(vault);
    published(vault, desk, 1);
  }
  fs::permissions(vault.temp.at("vault"), fs::perms(0555));
  if (::geteuid() == 0) {
    for (const char* name : {"state", "state/workspace.json", "state/state.db", "state/lease.db"}) {
      if (::chown(vault.temp.at(name).c_str(), 65534, 65534) != 0) {
        return;
      }
    }
  }
  const auto child = run_in_child([&]() -> std::string {
    if (!support::drop_privileges()) {
      return "not possible here";
    }
    auto desk = Desk::open(vault);
    if (!desk) {
      return desk.error().message;
    }
    const auto outcome = desk->publish(vault, {"MEMORY.md", version(2), 2});
    return outcome ? "published" : outcome.error().message;
  });
  CHECK(child.answer == "cannot create a temporary file beside it: Permission denied");
  CHECK(vault.temp.read("vault/MEMORY.md") == version(1));
}

TEST_CASE("damage to lease.db or state.db never blocks the next publication") {
  const std::vector<std::string> files{"state/lease.db", "state/state.db"};
  for (const std::string& file : files) {
    for (const char* damage : {"deleted", "emptied", "cut", "flipped", "foreign"}) {
      CAPTURE(file, damage);
      const Vault vault;
      {
        Desk desk = opened(vault);
        published(vault, desk, 1);
      }
      const std::string path = vault.temp.at(file);
      std::string bytes = vault.temp.read(file);
      if (damage == std::string("deleted")) {
        fs::remove(path);
      } else if (damage == std::string("emptied")) {
        fs::resize_file(path, 0);
      } else if (damage == std::string("cut")) {
        fs::resize_file(path, bytes.size() / 2 + 77);
      } else if (damage == std::string("flipped")) {
        bytes[4096] = static_cast<char>(bytes[4096] ^ 0x40);
        vault.temp.write(file, bytes);
      } else {
        vault.temp.write(file, std::string(10'000, '#'));
      }
      Desk desk = opened(vault);
      const auto outcome = published(vault, desk, 2);
      CHECK(outcome.state == PublishState::published);
      CHECK(outcome.replaced_copy.empty());
      CHECK(vault.temp.read("vault/MEMORY.md") == version(2));
      const bool set_aside = damage != std::string("deleted") && damage != std::string("emptied");
      CHECK(fs::exists(path + ".set-aside-1") == set_aside);
    }
  }
}

TEST_CASE("state.db damaged under an open publisher is told, and does not stop it") {
  const Vault vault;
  Desk desk = opened(vault);
  published(vault, desk, 1);
  const auto outcome = desk.publish(vault, {"MEMORY.md", version(2), 2}, [&](PublishStep step) {
    if (step == PublishStep::announce) {
      fs::resize_file(vault.temp.at("state/state.db"), 0);
      fs::resize_file(vault.temp.at("state/state.db-wal"), 0);
    }
  });
  REQUIRE(outcome);
  CHECK(outcome->state == PublishState::published);
  CHECK(vault.temp.read("vault/MEMORY.md") == version(2));
}

TEST_CASE("a temporary that a killed process left is removed when it is old") {
  Vault vault;
  Desk desk = opened(vault);
  const std::string old_one = "vault/.daybook-abcdefghijklmnop.tmp";
  vault.temp.write(old_one, "half");
  vault.temp.write("vault/.daybook-note.tmp", "a person's");
  vault.clock.now = base::SystemClock().now_ms();
  published(vault, desk, 1);
  CHECK(fs::exists(vault.temp.at(old_one)));
  vault.clock.now += 2 * 60 * 60 * 1000;
  published(vault, desk, 2);
  CHECK_FALSE(fs::exists(vault.temp.at(old_one)));
  CHECK(fs::exists(vault.temp.at("vault/.daybook-note.tmp")));
}
