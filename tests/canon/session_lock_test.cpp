// SPDX-License-Identifier: MIT
#include "daybook/canon/session_lock.hpp"

#include "support/child.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::canon {
namespace {

const lineage::SessionToken kToken = lineage::SessionToken::derive("default", "key-1");

/// Whether somebody holds the lock file just now.
bool is_held(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(fd >= 0);
  const bool held = ::flock(fd, LOCK_EX | LOCK_NB) != 0;
  ::close(fd);
  return held;
}

}  // namespace

TEST_CASE("a session's lock is held as long as the object lives") {
  const support::TempFolder place;
  const std::string folder = place.at("locks");
  const std::string file = folder + "/" + kToken.to_string() + ".lock";
  {
    const auto lock = SessionLock::take(folder, kToken);
    REQUIRE(lock.ok());
    CHECK(is_held(file));
    const auto other = SessionLock::take(folder, lineage::SessionToken::derive("default", "key-2"));
    CHECK(other.ok());  // another session is another lock
  }
  CHECK_FALSE(is_held(file));
  struct stat known {};
  REQUIRE(::stat(folder.c_str(), &known) == 0);
  CHECK((known.st_mode & 0777U) == 0700U);
  REQUIRE(::stat(file.c_str(), &known) == 0);
  CHECK((known.st_mode & 0777U) == 0600U);
}

TEST_CASE("only the first who ever holds a lock is told so, whoever has made its file") {
  const support::TempFolder place;
  place.write("locks/" + kToken.to_string() + ".lock", "");  // made by one who came too late
  CHECK(SessionLock::take(place.at("locks"), kToken)->is_first());
  CHECK_FALSE(SessionLock::take(place.at("locks"), kToken)->is_first());
  const auto other = lineage::SessionToken::derive("default", "key-2");
  CHECK(SessionLock::take(place.at("locks"), other)->is_first());
  CHECK_FALSE(SessionLock::take(place.at("locks"), other)->is_first());
}

TEST_CASE("a dead holder's lock is free") {
  const support::TempFolder place;
  const auto outcome = support::run_in_child([&place] {
    const auto lock = SessionLock::take(place.at("locks"), kToken);
    ::_exit(lock.ok() ? 7 : 8);  // without letting it go
    return std::string();
  });
  CHECK(outcome.exit_code == 7);
  CHECK(SessionLock::take(place.at("locks"), kToken).ok());
}

TEST_CASE("a lock that another process holds is busy in the end") {
  const support::TempFolder place;
  const auto lock = SessionLock::take(place.at("locks"), kToken);
  REQUIRE(lock.ok());
  const auto second = SessionLock::take(place.at("locks"), kToken, std::chrono::milliseconds(20));
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().kind == ErrorKind::busy);
  CHECK(second.error().path.ends_with(kToken.to_string() + ".lock"));
}

TEST_CASE("a lock file that is a link is refused") {
  const support::TempFolder place;
  place.make_folder("locks");
  place.write("precious", "untouched");
  place.make_link("locks/" + kToken.to_string() + ".lock", place.at("precious"));
  CHECK_FALSE(SessionLock::take(place.at("locks"), kToken).ok());
  CHECK(place.read("precious") == "untouched");
}

}  // namespace daybook::canon
