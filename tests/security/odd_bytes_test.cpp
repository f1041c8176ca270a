// SPDX-License-Identifier: MIT
//
// Names and bytes that are no decent text.
#include "security/hostile.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace daybook::test {
namespace {

using lineage::Kind;
using support::CheckAnswer;
using namespace std::string_literals;

/// A note that says it is a summary: one finding, name-mismatch, at whatever name it has.
void write_pretender(const HostileVault& vault, const std::string& name) {
  vault.folder.write("memory/" + name, "---\nkind: summary\n---\n");
}

}  // namespace

TEST_CASE("Odd bytes: NUL in a body is a byte like any other, and links behind it are found") {
  using namespace std::string_literals;
  check_body("before\0after\n"s);
  HostileVault vault;
  vault.session.summary.body = "one\0\ntwo [[memory/gone.md]]\n"s;
  vault.check_file(Kind::summary, {"link-missing-target"});
}

TEST_CASE(
    "Odd bytes: bytes that are no UTF-8 are reported with their line, in body and frontmatter") {
  HostileVault in_body;
  in_body.session.summary.body = "fine\nbroken \xff\xfe here\n";
  CHECK(in_body.check_file(Kind::summary, {"invalid-utf8"}).findings.front().line == kBodyLine + 1);
  check_frontmatter("a: \"\xc3\x28\"\n", {"invalid-utf8"});
  check_frontmatter("a: \xed\xa0\x80\n", {"invalid-utf8"});  // half of a surrogate pair
  check_frontmatter("\xc0\xaf: overlong\n", {"invalid-utf8"});
}

TEST_CASE("Odd bytes: file names of any bytes are checked, and told so that they can be found") {
  HostileVault vault;
  const std::string long_name(247, 'n');  // 250 with .md; a file system takes 255
  write_pretender(vault, "two\nlines.md");
  write_pretender(vault, "esc\x1b[31m.md");
  write_pretender(vault, long_name + ".md");
  write_pretender(vault, "\xff\xfe.md");
  write_pretender(vault, " .md");
  write_pretender(vault, "-rf.md");
  write_pretender(vault, "a'b\"c$(d)`e`.md");
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  for (const std::string& name : {"two\nlines.md"s,
                                  "esc\x1b[31m.md"s,
                                  long_name + ".md",
                                  " .md"s,
                                  "-rf.md"s,
                                  "a'b\"c$(d)`e`.md"s}) {
    INFO(name);
    CHECK(answer.codes_at("memory/" + name) == Codes{"name-mismatch"});
  }
  CHECK(answer.codes_at("memory/\\xff\\xfe.md") == Codes{"invalid-utf8", "name-mismatch"});
  CHECK(answer.files == 10);
}

TEST_CASE("Odd bytes: a name with a line break is one line in the gcc form") {
  HostileVault vault;
  write_pretender(vault, "two\nlines.md");
  const auto outcome = run_within_bounds({"check", "--format", "gcc", vault.folder.path()});
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 1);
  CHECK(outcome.out.starts_with("memory/two\\nlines.md:2: error: "));
}

TEST_CASE(
    "Odd bytes: an artifact in a folder whose name is not UTF-8 is invalid: nothing can name it") {
  HostileVault vault;
  vault.session.summary.folder = "memory/caf\xe9";
  vault.session.manifest.fields.set("summary_path", "null");
  vault.session.write(vault.folder);
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  const auto codes = answer.codes_at("memory/caf\\xe9/" + vault.session.summary.name);
  CHECK(std::count(codes.begin(), codes.end(), "invalid-utf8") == 1);
}

}  // namespace daybook::test
