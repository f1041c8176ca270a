// SPDX-License-Identifier: MIT
#include "daybook/lineage/project.hpp"

#include <catch2/catch.hpp>

namespace daybook::lineage {

TEST_CASE("a project is named by its whole path or by its last parts") {
  CHECK(names_project("/home/me/tidewater", "/home/me/tidewater"));
  CHECK(names_project("/home/me/tidewater", "tidewater"));
  CHECK(names_project("/home/me/tidewater", "me/tidewater"));
  CHECK(names_project("tidewater", "tidewater"));
}

TEST_CASE("a project is not named by a part of a name, nor by what stands before its end") {
  CHECK_FALSE(names_project("/home/me/tidewater", "water"));
  CHECK_FALSE(names_project("/home/me/tidewater", "/tidewater"));
  CHECK_FALSE(names_project("/home/me/tidewater", "me"));
  CHECK_FALSE(names_project("/home/me/tidewater", ""));
  CHECK_FALSE(names_project("tidewater", "/home/me/tidewater"));
  CHECK_FALSE(names_project("", "tidewater"));
}

}  // namespace daybook::lineage
