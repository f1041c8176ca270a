// SPDX-License-Identifier: MIT
//
// What reaches the socket that NOTIFY_SOCKET names. The environment is changed in children only.
#include "daybook/host/notify_socket.hpp"

#include "daybook/base/descriptor.hpp"
#include "host/unix_address.hpp"
#include "support/child.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdlib>
#include <functional>
#include <string>
#include <unistd.h>
#include <utility>

namespace daybook::host {
namespace {

using base::Descriptor;
using support::run_in_child;
using support::TempFolder;

/// The end that systemd would hold.
class Listener {
 public:
  explicit Listener(std::string name)
      : name_(std::move(name)), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const auto address = unix_address(name_);
    REQUIRE(address);
    REQUIRE(::bind(socket_.get(),
                   reinterpret_cast<const sockaddr*>(&address->name),
                   address->size) == 0);
  }

  const std::string& name() const { return name_; }

  /// Every datagram that has arrived, with a bar behind each.
  std::string heard() const {
    std::string all;
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (count < 0) {
        return all;
      }
      all.append(buffer.data(), static_cast<std::size_t>(count)).append("|");
    }
  }

 private:
  std::string name_;
  Descriptor socket_;
};

/// What a child with this NOTIFY_SOCKET does.
std::string in_child(const std::string& socket, const std::function<std::string()>& work) {
  const auto outcome = run_in_child([&] {
    ::setenv("NOTIFY_SOCKET", socket.c_str(), 1);
    return work();
  });
  CHECK(outcome.signal == 0);
  CHECK(outcome.exit_code == 0);
  return outcome.answer;
}

std::string period_with(const char* microseconds, const std::string& pid) {
  return in_child("/nonexistent/socket", [&] {
    ::setenv("WATCHDOG_USEC", microseconds, 1);
    pid.empty() ? ::unsetenv("WATCHDOG_PID") : ::setenv("WATCHDOG_PID", pid.c_str(), 1);
    if (pid == "own") {
      ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
    }
    const auto period = Notifier::from_environment().watchdog_period();
    return period ? std::to_string(period->count()) : std::string("none");
  });
}

}  // namespace

TEST_CASE("each state of the service is one message in the words of sd_notify") {
  const TempFolder folder;
  const Listener listener(folder.at("notify"));
  in_child(listener.name(), [] {
    Notifier notifier = Notifier::from_environment();
    notifier.status("sweeping");
    notifier.ready("3 sessions");
    notifier.alive();
    notifier.stopping();
    return "";
  });
  CHECK(listener.heard() == "STATUS=sweeping|READY=1\nSTATUS=3 sessions|WATCHDOG=1|STOPPING=1|");
}

TEST_CASE("a reload says when it began, as systemd asks of it") {
  const TempFolder folder;
  const Listener listener(folder.at("notify"));
  in_child(listener.name(), [] {
    Notifier::from_environment().reloading();
    return "";
  });
  const std::string heard = listener.heard();
  const std::string begin = "RELOADING=1\nMONOTONIC_USEC=";
  REQUIRE(heard.starts_with(begin));
  CHECK(heard.find_first_not_of("0123456789", begin.size()) == heard.size() - 1);
}

#ifdef __linux__
TEST_CASE("an abstract socket is reached by its name with an at sign") {
  const Listener listener("@daybook-test-" + std::to_string(::getpid()));
  in_child(listener.name(), [] {
    Notifier::from_environment().ready("here");
    return "";
  });
  CHECK(listener.heard() == "READY=1\nSTATUS=here|");
}
#endif

TEST_CASE("a status is one short line of valid UTF-8, whatever it is made of") {
  const TempFolder folder;
  const Listener listener(folder.at("notify"));
  in_child(listener.name(), [] {
    Notifier notifier = Notifier::from_environment();
    notifier.status("a\nREADY=1\x1b\xff");
    std::string long_text;
    for (int i = 0; i < 400; ++i) {
      long_text += "é";
    }
    notifier.status("x" + long_text);
    return "";
  });
  const std::string heard = listener.heard();
  const std::string first = "STATUS=a\\nREADY=1\\x1b\\xff|";
  REQUIRE(heard.starts_with(first));
  CHECK(heard.size() == first.size() + std::string("STATUS=").size() + 511 + 1);
  CHECK(heard.ends_with("é|"));
}

TEST_CASE("without a socket, or with one that is gone, nothing happens and nothing fails") {
  const TempFolder folder;
  folder.write("file", "");
  for (const std::string& name : {std::string(),
                                  std::string("relative"),
                                  std::string("@"),
                                  std::string("vsock:2:1"),
                                  folder.at("gone"),
                                  folder.at("file"),
                                  folder.at(std::string(300, 'x'))}) {
    CHECK(in_child(name, [] {
            Notifier notifier = Notifier::from_environment();
            notifier.ready("x");
            notifier.reloading();
            notifier.status("y");
            notifier.alive();
            notifier.stopping();
            return "done";
          }) == "done");
  }
}

TEST_CASE("a listener that does not read blocks nobody, and still learns of readiness later") {
  const TempFolder folder;
  const Listener listener(folder.at("notify"));
  const std::string answer = in_child(listener.name(), [&] {
    Notifier notifier = Notifier::from_environment();
    for (int i = 0; i < 5000; ++i) {
      notifier.status("again");
    }
    notifier.ready("late");
    const std::string early = listener.heard();  // makes room
    notifier.alive();
    return early.find("READY=1") == std::string::npos ? "was lost at first" : "was never lost";
  });
  CHECK(answer == "was lost at first");
  CHECK(listener.heard() == "READY=1\nSTATUS=late|WATCHDOG=1|");
}

TEST_CASE("the watchdog wants a sign of life after half of its time, from its own process only") {
  CHECK(period_with("120000000", "") == "60000");
  CHECK(period_with("120000000", "own") == "60000");
  CHECK(period_with("120000000", "1") == "none");
  CHECK(period_with("120000000", "x") == "none");
  CHECK(period_with("1", "") == "1");
  CHECK(period_with("0", "") == "none");
  CHECK(period_with("-5", "") == "none");
  CHECK(period_with("5s", "") == "none");
  CHECK(period_with("18446744073709551615", "") == "none");
}

TEST_CASE("a notifier that was moved still speaks, and the one it came from is silent") {
  const TempFolder folder;
  const Listener listener(folder.at("notify"));
  in_child(listener.name(), [] {
    Notifier first = Notifier::from_environment();
    Notifier second = std::move(first);
    first.status("ghost");  // NOLINT(bugprone-use-after-move): what is tested
    second.status("second");
    Notifier third = Notifier::from_environment();
    third = std::move(second);
    third.status("third");
    return "";
  });
  CHECK(listener.heard() == "STATUS=second|STATUS=third|");
}

}  // namespace daybook::host
