// SPDX-License-Identifier: MIT
#include "model/host_addresses.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace daybook::model {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Addresses = std::vector<std::string>;

/// A name server that says nothing before the test ends.
class MuteServer {
 public:
  MuteServer() : ends_(end_.get_future()) {}
  ~MuteServer() { end_.set_value(); }
  MuteServer(const MuteServer&) = delete;
  MuteServer& operator=(const MuteServer&) = delete;
  Resolver resolver() const {
    return [ends = ends_](const std::string&) {
      ends.wait();
      return Addresses{"127.0.0.9"};
    };
  }

 private:
  std::promise<void> end_;
  std::shared_future<void> ends_;
};

}  // namespace

TEST_CASE("an address is taken as it is, and no name server is asked") {
  const Resolver never = [](const std::string&) -> Addresses {
    FAIL("it was asked");
    return {};
  };
  for (const std::string address : {"127.0.0.1", "::1"}) {
    const Lookup found = look_up(address, Clock::now() + 60s, nullptr, never);
    CHECK(found.end == LookupEnd::found);
    CHECK(found.addresses == Addresses{address});
  }
}

TEST_CASE("a name has the addresses that the name server tells, in their order") {
  const auto told = [](const std::string& host) { return Addresses{"10.0.0.2", host + "!"}; };
  const Lookup found = look_up("machine.test", Clock::now() + 60s, nullptr, told);
  CHECK(found.end == LookupEnd::found);
  CHECK(found.addresses == Addresses{"10.0.0.2", "machine.test!"});
  const auto nobody = [](const std::string&) { return Addresses(); };
  CHECK(look_up("machine.test", Clock::now() + 60s, nullptr, nobody).end == LookupEnd::unknown);
}

TEST_CASE("a name server that says nothing is waited for until the deadline, or the wish to end") {
  const MuteServer server;
  CHECK(look_up("a.test", Clock::now() + 50ms, nullptr, server.resolver()).end ==
        LookupEnd::too_slow);
  const std::atomic<bool> cancelled{true};
  CHECK(look_up("a.test", Clock::now() + 600s, &cancelled, server.resolver()).end ==
        LookupEnd::too_slow);
}

TEST_CASE("names that nobody waits for any more do not gather threads without end") {
  const MuteServer server;
  const auto asked = std::make_shared<std::atomic<int>>(0);  // threads may outlive the test
  const Resolver counting = [asked, mute = server.resolver()](const std::string& host) {
    ++*asked;
    return mute(host);
  };
  const std::atomic<bool> cancelled{true};
  for (int i = 0; i < 100; ++i) {
    CHECK(look_up("a.test", Clock::now() + 600s, &cancelled, counting).end == LookupEnd::too_slow);
  }
  CHECK(*asked <= 16);
}

TEST_CASE("the host of an origin has neither scheme nor port nor brackets") {
  CHECK(host_of("https://api.example.com") == "api.example.com");
  CHECK(host_of("http://127.0.0.1:8080") == "127.0.0.1");
  CHECK(host_of("http://[::1]:8080") == "::1");
}

}  // namespace daybook::model
