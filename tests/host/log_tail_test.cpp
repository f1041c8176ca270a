// SPDX-License-Identifier: MIT
#include "daybook/host/log_tail.hpp"

#include "support/outcome.hpp"
#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace daybook::host {
namespace {

using support::outcome_of;
using support::TempFolder;
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("the tail of a log is its last lines, the unfinished one included") {
  const TempFolder folder;
  folder.write("log", "one\ntwo\n\nthree");
  CHECK(log_tail(folder.at("log"), 2).value() == Lines{"", "three"});
  CHECK(log_tail(folder.at("log"), 9).value() == Lines{"one", "two", "", "three"});
  CHECK(log_tail(folder.at("log"), 0).value().empty());
  folder.write("log", "");
  CHECK(log_tail(folder.at("log"), 2).value().empty());
  folder.write("log", "\n");
  CHECK(log_tail(folder.at("log"), 2).value() == Lines{""});
}

TEST_CASE("what stood in a log before can be left out") {
  const TempFolder folder;
  folder.write("log", "old\nnew\n");
  CHECK(log_tail(folder.at("log"), 9, 4).value() == Lines{"new"});
  CHECK(log_tail(folder.at("log"), 9, 400).value().empty());
}

TEST_CASE("lines of a log cannot speak to the terminal") {
  const TempFolder folder;
  folder.write("log", "\x1b[2J\n");
  CHECK(log_tail(folder.at("log"), 9).value() == Lines{"\\x1b[2J"});
}

TEST_CASE("the tail of a large log costs no more than its last part") {
  const TempFolder folder;
  folder.write("log", std::string(40U << 20U, 'x') + "\nlast\n");
  const auto lines = log_tail(folder.at("log"), 1'000'000);
  REQUIRE(lines.ok());
  REQUIRE(lines->size() == 2);
  CHECK(lines->front().size() < (17U << 20U));
  CHECK(lines->back() == "last");
}

TEST_CASE("a log that is not there, a link or a pipe is an error") {
  const TempFolder folder;
  folder.make_link("link", "/etc/passwd");
  folder.make_pipe("pipe");
  CHECK(outcome_of(log_tail(folder.at("none"), 5)) == "not_found");
  CHECK(outcome_of(log_tail(folder.at("link"), 5)) == "not_regular");
  CHECK(outcome_of(log_tail(folder.at("pipe"), 5)) == "not_regular");
}

}  // namespace daybook::host
