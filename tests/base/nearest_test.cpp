// SPDX-License-Identifier: MIT
#include "daybook/base/nearest.hpp"

#include <catch2/catch.hpp>

using daybook::base::edit_distance;
using daybook::base::nearest;

TEST_CASE("The edit distance counts insertions, deletions, substitutions and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("check", "check") == 0);
  CHECK(edit_distance("chek", "check") == 1);
  CHECK(edit_distance("cheeck", "check") == 1);
  CHECK(edit_distance("chack", "check") == 1);
  CHECK(edit_distance("hceck", "check") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("The nearest known word is suggested, or none") {
  const std::vector<std::string> known{"check", "init", "completion"};
  CHECK(nearest("chekc", known) == "check");
  CHECK(nearest("inti", known) == "init");
  CHECK(nearest("serve", known).empty());
  CHECK(nearest("", known).empty());
  CHECK(nearest(std::string(100'000, 'c'), known).empty());
}
