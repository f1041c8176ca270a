// SPDX-License-Identifier: MIT
#include "daybook/state/state_folder.hpp"

#include "daybook/state/pipeline_lock.hpp"
#include "daybook/state/state_db.hpp"
#include "support/child.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace daybook;
using namespace daybook::state;
using daybook::support::run_in_child;
using daybook::support::TempFolder;
namespace fs = std::filesystem;

namespace {

const std::string kWorkspace = "/home/me/vault";

StateFolder opened(const std::string& path, const std::string& workspace = kWorkspace) {
  auto folder = StateFolder::open(path, workspace, Create::if_missing);
  REQUIRE(folder);
  return std::move(folder).value();
}

unsigned mode_of(const fs::path& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

}  // namespace

TEST_CASE("the default place follows XDG_STATE_HOME, and ignores a relative one") {
  const std::string id = "a5c5d3f0b3e5a1c5";
  const std::string by_home = default_state_path("/v", "", "/home/me");
  CHECK(by_home.starts_with("/home/me/.local/state/daybook/"));
  CHECK(by_home.size() == std::string("/home/me/.local/state/daybook/").size() + id.size());
  CHECK(default_state_path("/v", "/x", "/home/me") == "/x" + by_home.substr(21));
  CHECK(default_state_path("/v", "x", "/home/me") == by_home);
  CHECK(default_state_path("/w", "", "/home/me") != by_home);
}

TEST_CASE("a state folder keeps its device and is private whatever the umask") {
  for (const mode_t mask : {mode_t{0}, mode_t{077}}) {
    CAPTURE(mask);
    const TempFolder temp;
    const std::string path = temp.at("a/b/state");
    const mode_t before = ::umask(mask);
    auto folder = StateFolder::open(path, kWorkspace, Create::if_missing);
    auto replaced = folder ? folder->make_private_folder("replaced") : folder.error();
    auto lock = folder ? PipelineLock::acquire(*folder, {"test", {}, {}}) : folder.error();
    auto db = folder ? StateDb::open(*folder) : folder.error();
    ::umask(before);
    REQUIRE(replaced);
    REQUIRE(lock);
    REQUIRE(db);
    CHECK(folder->device().size() == 16);
    CHECK(opened(path).device() == folder->device());
    int files = 0;
    for (const char* parent : {"a", "a/b", "a/b/state", "a/b/state/replaced"}) {
      CHECK(mode_of(temp.at(parent)) == 0700);
    }
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.is_regular_file()) {
        CAPTURE(entry.path().string());
        CHECK(mode_of(entry.path()) == 0600);
        ++files;
      }
    }
    CHECK(files >= 5);  // workspace.json, pipeline.lock, state.db with -wal and -shm
  }
}

TEST_CASE("a folder has state as soon as there is a state.db, which asking does not make") {
  TempFolder temp;
  const StateFolder folder = opened(temp.at("state"));
  CHECK_FALSE(folder.has_state());
  CHECK_FALSE(fs::exists(temp.at("state/state.db")));
  REQUIRE(StateDb::open(folder));
  CHECK(folder.has_state());
}

TEST_CASE("a folder that was open to others is closed to them") {
  const TempFolder temp;
  opened(temp.at("state"));
  REQUIRE(::chmod(temp.at("state").c_str(), 0755) == 0);
  opened(temp.at("state"));
  CHECK(mode_of(temp.at("state")) == 0700);
}

TEST_CASE("the state of another workspace or a newer program is refused with what to do") {
  const TempFolder temp;
  opened(temp.at("state"));
  const auto other = StateFolder::open(temp.at("state"), "/elsewhere", Create::if_missing);
  REQUIRE_FALSE(other);
  CHECK(other.error().kind == ErrorKind::usage);
  CHECK(other.error().message.find(kWorkspace) != std::string::npos);
  CHECK(other.error().hint.find("daybook reindex") != std::string::npos);

  temp.write("state/workspace.json", R"({"schema": 99, "program_version": "9.9"})");
  const auto newer = StateFolder::open(temp.at("state"), kWorkspace, Create::if_missing);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().kind == ErrorKind::usage);
  CHECK(newer.error().message.find("9.9") != std::string::npos);
  CHECK(temp.read("state/workspace.json").find("99") != std::string::npos);
}

TEST_CASE("a workspace path that is no UTF-8 is told from others") {
  const TempFolder temp;
  const std::string odd = "/vault-\xff";
  opened(temp.at("state"), odd);
  opened(temp.at("state"), odd);
  CHECK_FALSE(StateFolder::open(temp.at("state"), "/vault-\xfe", Create::if_missing));
}

TEST_CASE("a damaged workspace.json is set aside and said so") {
  for (const char* bytes : {"", "{", "[]", R"({"schema":1})", "\xff\xff"}) {
    CAPTURE(bytes);
    const TempFolder temp;
    opened(temp.at("state"));
    temp.write("state/workspace.json", bytes);
    const StateFolder folder = opened(temp.at("state"));
    REQUIRE(folder.notices().size() == 1);
    CHECK(folder.notices()[0].find("workspace.json.set-aside-1") != std::string::npos);
    CHECK(folder.set_aside_files().value() ==
          std::vector{temp.at("state/workspace.json.set-aside-1")});
    CHECK(opened(temp.at("state")).notices().empty());
  }
}

TEST_CASE("a folder with other things in it, a link, and a missing one are refused untouched") {
  const TempFolder temp;
  temp.write("documents/letter.txt", "dear");
  REQUIRE(::chmod(temp.at("documents").c_str(), 0755) == 0);
  const auto taken = StateFolder::open(temp.at("documents"), kWorkspace, Create::if_missing);
  REQUIRE_FALSE(taken);
  CHECK(taken.error().kind == ErrorKind::usage);
  CHECK(mode_of(temp.at("documents")) == 0755);

  opened(temp.at("state"));
  temp.make_link("link", temp.at("state"));
  const auto linked = StateFolder::open(temp.at("link"), kWorkspace, Create::if_missing);
  REQUIRE_FALSE(linked);
  CHECK(linked.error().kind == ErrorKind::not_regular);

  const auto missing = StateFolder::open(temp.at("none"), kWorkspace, Create::never);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::not_found);
  CHECK_FALSE(fs::exists(temp.at("none")));

  temp.write("file", "");
  CHECK_FALSE(StateFolder::open(temp.at("file"), kWorkspace, Create::if_missing));
}

TEST_CASE("who only looks at a state folder makes and mends nothing") {
  const TempFolder temp;
  const auto look = [&temp](const std::string& workspace) {
    return StateFolder::open(temp.at("state"), workspace, Create::look_only);
  };
  CHECK(look(kWorkspace).error().kind == ErrorKind::not_found);
  CHECK_FALSE(fs::exists(temp.at("state")));
  const std::string device = opened(temp.at("state")).device();
  REQUIRE(::chmod(temp.at("state").c_str(), 0755) == 0);
  REQUIRE(look(kWorkspace));
  CHECK(look(kWorkspace)->device() == device);
  CHECK(look("/elsewhere").error().kind == ErrorKind::usage);
  CHECK(mode_of(temp.at("state")) == 0755);
  temp.write("state/workspace.json", "{");
  CHECK(look(kWorkspace).error().kind == ErrorKind::damaged);
  CHECK(temp.read("state/workspace.json") == "{");
  fs::remove(temp.at("state/workspace.json"));
  temp.write("state/state.db", "");
  CHECK(look(kWorkspace).error().kind == ErrorKind::damaged);
  fs::rename(temp.at("state/state.db"), temp.at("state/letter.txt"));
  CHECK(look(kWorkspace).error().kind == ErrorKind::usage);
  CHECK_FALSE(fs::exists(temp.at("state/workspace.json")));
}

TEST_CASE("a folder of another user is refused") {
  if (::geteuid() != 0) {
    return;  // nobody else's folder can be made
  }
  const TempFolder temp;
  temp.make_folder("state");
  REQUIRE(::chown(temp.at("state").c_str(), 65534, 65534) == 0);
  const auto foreign = StateFolder::open(temp.at("state"), kWorkspace, Create::if_missing);
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().kind == ErrorKind::not_permitted);
}

TEST_CASE("processes that make the same folder at once agree on one device") {
  const TempFolder temp;
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto folder = StateFolder::open(temp.at("state"), kWorkspace, Create::if_missing);
      temp.write("device-" + std::to_string(i), folder ? folder->device() : "failed");
      ::_exit(0);
    }
    children.push_back(child);
  }
  std::set<std::string> devices;
  for (std::size_t i = 0; i < children.size(); ++i) {
    ::waitpid(children[i], nullptr, 0);
    devices.insert(temp.read("device-" + std::to_string(i)));
  }
  CHECK(devices == std::set{opened(temp.at("state")).device()});
}

TEST_CASE("a second pass is told who holds the first, and proceeds once that one ends") {
  const TempFolder temp;
  const StateFolder folder = opened(temp.at("state"));
  const PassRequest request{"daybook reindex", {1'700'000'000'000}, {}};
  {
    auto first = PipelineLock::acquire(folder, request);
    REQUIRE(first);
    const auto second =
        PipelineLock::acquire(folder, {"daybook watch", {}, std::chrono::milliseconds{30}});
    REQUIRE_FALSE(second);
    CHECK(second.error().kind == ErrorKind::busy);
    CHECK(second.error().message.find("held by pid " + std::to_string(::getpid()) +
                                      " (daybook reindex)") != std::string::npos);
    CHECK(second.error().message.find("since 2023-11-14T22:13:20.000Z") != std::string::npos);
    CHECK_FALSE(second.error().hint.empty());
  }
  CHECK(PipelineLock::acquire(folder, request));
}

TEST_CASE("a pass that is killed leaves the lock free, and a link is not locked through") {
  const TempFolder temp;
  const StateFolder folder = opened(temp.at("state"));
  const auto outcome = run_in_child([&]() -> std::string {
    const auto lock = PipelineLock::acquire(folder, {"daybook reindex", {}, {}});
    ::raise(SIGKILL);
    return lock ? "held" : "not held";
  });
  CHECK(outcome.signal == SIGKILL);
  CHECK(PipelineLock::acquire(folder, {"next", {}, {}}));

  fs::remove(folder.file("pipeline.lock"));
  temp.make_link("state/pipeline.lock", temp.at("elsewhere"));
  const auto linked = PipelineLock::acquire(folder, {"next", {}, {}});
  REQUIRE_FALSE(linked);
  CHECK(linked.error().kind == ErrorKind::not_regular);
  CHECK_FALSE(fs::exists(temp.at("elsewhere")));
}
