// SPDX-License-Identifier: MIT
#include "daybook/redact/literals.hpp"

#include "support/temp_folder.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {

using redact::parse_literals;
using redact::read_literals;

TEST_CASE("Literals are one a line; empty lines and comments say nothing") {
  const auto literals = parse_literals(
      "# names\n\n  Project Heron \r\nabc#def\n\tl\xc3\xa4ngere W\xc3\xb6rter\n", "f");
  REQUIRE(literals);
  CHECK(*literals ==
        std::vector<std::string>{"Project Heron", "abc#def", "l\xc3\xa4ngere W\xc3\xb6rter"});
  CHECK(parse_literals("", "f")->empty());
}

TEST_CASE("A literal that cannot be used is refused with its line") {
  for (const std::string bad : {"tiny1",
                                "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4",
                                "redacted",
                                "<redacted",
                                "private-key",
                                "not \xff utf-8",
                                "con\x01trol"}) {
    const auto literals = parse_literals("# one\n" + bad + "\n", "secrets.txt");
    INFO(bad);
    REQUIRE_FALSE(literals);
    CHECK(literals.error().kind == ErrorKind::usage);
    CHECK(literals.error().message.find("line 2") != std::string::npos);
    CHECK(literals.error().path == "secrets.txt");
    // The message goes into logs: it does not repeat the literal.
    CHECK(literals.error().message.find(bad) == std::string::npos);
  }
}

TEST_CASE("A file of literals that cannot be read is an error, never an empty list") {
  const support::TempFolder folder;
  const std::string path = (folder.path() / "literals.txt").string();
  CHECK_FALSE(read_literals(base::real_disk(), path));
  CHECK(read_literals(base::real_disk(), path).error().path == path);
  folder.write("literals.txt", "Project Heron\n");
  CHECK(*read_literals(base::real_disk(), path) == std::vector<std::string>{"Project Heron"});
  folder.write("large.txt", std::string(redact::kMostLiteralsFile + 1, 'x'));
  CHECK_FALSE(read_literals(base::real_disk(), (folder.path() / "large.txt").string()));
}

}  // namespace daybook::test
