// SPDX-License-Identifier: MIT
#include "daybook/base/path.hpp"

#include <catch2/catch.hpp>

namespace daybook::base {

TEST_CASE("a file's name is what stands behind the last slash") {
  CHECK(file_name_of("memory/deep/note.md") == "note.md");
  CHECK(file_name_of("note.md") == "note.md");
  CHECK(file_name_of("/note.md") == "note.md");
  CHECK(file_name_of("memory/").empty());
  CHECK(file_name_of("").empty());
}

}  // namespace daybook::base
