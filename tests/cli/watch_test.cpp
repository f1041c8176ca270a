// SPDX-License-Identifier: MIT
//
// `daybook watch` as a process: signals, one instance, what systemd is told. Dropped events and
// sudden ends are rows of the gauntlet: overflow, sudden-end.
#include "cli/served_vault.hpp"
#include "support/eventually.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::eventually;
using support::SessionFiles;
using support::TempFolder;

SessionFiles session(int number) { return served_session(number); }

/// What somebody who was told NOTIFY_SOCKET gets to hear.
class Ear {
 public:
  explicit Ear(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  ~Ear() { ::close(socket_); }
  bool hears(const std::string& word) {
    return eventually([&] {
      std::array<char, 4096> buffer{};
      const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (count > 0) {
        heard_.append(buffer.data(), static_cast<std::size_t>(count)).append("\n");
      }
      return heard_.find(word) != std::string::npos;
    });
  }
  void forget() { heard_.clear(); }

 private:
  int socket_;
  std::string heard_;
};

}  // namespace

TEST_CASE("Beside the service nobody is told to make the full text by hand") {
  const ServedVault vault;
  vault.add(session(1));
  REQUIRE(vault.ask({"reindex", "--no-text"}).exit_code == 0);
  vault.place().write("state/text", "In the way, so that there is never any full text.\n");
  const auto words = [&vault] {
    return vault.ask({"search", "harbour"}).err + vault.ask({"status"}).out;
  };
  const std::string alone = words();
  CHECK_THAT(alone, Catch::Contains("the full text is behind; 'daybook reindex' brings it up"));
  CHECK_THAT(alone, Catch::Contains("the full text is older than the index; 'daybook reindex'"));
  vault.serve([&](pid_t service) {
    CHECK(eventually([&] { return vault.is_ready(); }));
    const std::string beside = words();
    CHECK_THAT(beside, Catch::Contains("the full text is behind; the service is bringing it up"));
    CHECK_THAT(beside, Catch::Contains("the full text is older than the index; the service is"));
    ::kill(service, SIGTERM);
  });
}

TEST_CASE("watch follows the files, answers status, allows no second one, and ends when told") {
  const ServedVault vault;
  vault.add(session(1));
  const int signal = GENERATE(SIGTERM, SIGINT);
  const auto outcome = vault.serve([&](pid_t pid) {
    CHECK(eventually([&] { return vault.is_ready(); }));
    CHECK(vault.shows("session=key-1 "));
    const json status = vault.status();
    CHECK(status["running"] == true);
    CHECK(status["backend"] == "inotify");
    CHECK(status["service"]["pid"] == pid);
    CHECK(status["service"]["folders_watched"] == 1);
    vault.add(session(2));
    CHECK(eventually([&] { return vault.shows("session=key-2 "); }));

    const auto second = vault.ask({"watch"});
    CHECK(second.exit_code == 3);
    CHECK(second.err.find("pid " + std::to_string(pid)) != std::string::npos);

    vault.place().write("vault/daybook.yaml", "noise: [\"/home/*\"]\nwatch: {settle_ms: 40}\n");
    ::kill(pid, SIGHUP);
    CHECK(eventually([&] { return vault.shows("No session in the last 30 days"); }));
    ::kill(pid, signal);
  });
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("info watch: watching: 1 folder, inotify") != std::string::npos);
  CHECK_FALSE(fs::exists(vault.place().at("state/service.sock")));
  CHECK(vault.status()["running"] == false);
}

TEST_CASE("watch tells whoever started it when it is ready, that it lives, and that it stops") {
  const ServedVault vault;
  vault.add(session(1));
  Ear ear(vault.place().at("notify"));
  const auto outcome = vault.serve(
      [&](pid_t pid) {
        CHECK(ear.hears("READY=1"));
        CHECK(vault.shows("session=key-1 "));
        CHECK(ear.hears("WATCHDOG=1"));
        ear.forget();
        ::kill(pid, SIGHUP);
        CHECK(ear.hears("RELOADING=1"));
        CHECK(ear.hears("READY=1"));
        ::kill(pid, SIGTERM);
        CHECK(ear.hears("STOPPING=1"));
      },
      {"NOTIFY_SOCKET=" + vault.place().at("notify"), "WATCHDOG_USEC=2500000"});
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("watch without a workspace, or with a wrong configuration, says what to do") {
  const TempFolder place;
  place.make_folder("empty");
  const auto none =
      run_daybook({"watch", "--workspace", place.at("empty"), "--state-dir", place.at("state")});
  CHECK(none.exit_code == 4);
  CHECK(none.err.find("daybook init") != std::string::npos);
  const ServedVault vault;
  vault.place().write("vault/daybook.yaml", "watch: {settel_ms: 3}\n");
  const auto wrong = vault.ask({"watch"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("watch.settle_ms") != std::string::npos);
}

TEST_CASE("status beside wrong settings says that the service goes on with those it had") {
  const ServedVault vault;
  vault.add(session(1));
  vault.serve([&](pid_t pid) {
    CHECK(eventually([&] { return vault.is_ready(); }));
    vault.place().write("vault/daybook.yaml", "nois: []\n");
    const auto outcome = vault.ask({"status"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("Did you mean 'noise'?") != std::string::npos);
    CHECK(outcome.err.find("pid " + std::to_string(pid)) != std::string::npos);
    CHECK(outcome.err.find("goes on with the settings it had") != std::string::npos);
    ::kill(pid, SIGTERM);
  });
  CHECK(vault.ask({"status"}).err.find("goes on") == std::string::npos);
}

TEST_CASE("watch --once is one look at every file") {
  const ServedVault vault;
  vault.add(session(1));
  const auto once = vault.ask({"watch", "--once", "--json"});
  CHECK(once.exit_code == 0);
  CHECK(json::parse(once.out)["added"] == 3);
  CHECK(vault.shows("session=key-1 "));
  // With a clock that is two days behind nothing is published, and that is no success.
  const auto behind = run_daybook({"watch",
                                   "--once",
                                   "--workspace",
                                   vault.place().at("vault"),
                                   "--state-dir",
                                   vault.place().at("state"),
                                   "--now",
                                   "2026-03-28T12:00:00Z"});
  CHECK(behind.exit_code == 1);
  CHECK(behind.err.find("the clock is more than a day behind") != std::string::npos);
  CHECK(vault.shows("session=key-1 "));
}

TEST_CASE("watch ends soon after it was told to, wherever it is, and the next one goes on") {
  const ServedVault vault;
  for (int i = 1; i <= 400; ++i) {
    vault.add(session(i));
  }
  std::mt19937_64 random(3);
  for (int round = 0; round < 12; ++round) {
    fs::remove_all(vault.place().at("state/index.db"));
    const auto moment = std::chrono::milliseconds(random() % 400);
    const auto outcome = vault.serve([&](pid_t pid) {
      static_cast<void>(eventually([] { return false; }, moment));
      ::kill(pid, SIGTERM);
    });
    // Before it has said what signals mean to it, the signal itself ends it.
    CHECK((outcome.exit_code == 0 || outcome.signal == SIGTERM));
  }
  vault.serve([&](pid_t pid) {
    CHECK(eventually([&] { return vault.is_ready(); }));
    CHECK(vault.shows("session=key-1 "));
    ::kill(pid, SIGTERM);
  });
}

}  // namespace daybook::test
