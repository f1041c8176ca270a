// SPDX-License-Identifier: MIT
//
// Hostile frontmatter and hostile bodies, through the real program.
#include "cli/hostile.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {
namespace {

using lineage::Kind;
using support::CheckAnswer;

/// Frontmatter lines behind those of a right summary; the findings must be these, at that line.
void check_frontmatter(const std::string& lines, const Codes& expected) {
  INFO(lines.substr(0, 200));
  HostileVault vault;
  vault.session.summary.extra_frontmatter = lines;
  vault.check_file(Kind::summary, expected);
}

/// `key000: …`, so many different ones, as short as possible.
std::string different_keys(int count, const std::string& value) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    std::string key;
    for (int rest = i; rest > 0 || key.size() < 3; rest /= 26) {
      key.push_back(static_cast<char>('A' + rest % 26));
    }
    lines += key + ":" + value + "\n";
  }
  return lines;
}

std::string alias_bomb() {
  std::string lines = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int level = 1; level <= 9; ++level) {
    const std::string alias = "*a" + std::to_string(level - 1);
    lines += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [" + alias;
    for (int i = 1; i < 9; ++i) {
      lines += "," + alias;
    }
    lines += "]\n";
  }
  return lines;
}

constexpr std::uint32_t kBodyLine = 20;                // behind 17 fields and two fences
constexpr std::size_t kNearlyAllFrontmatter = 63'000;  // the limit is 64 KiB, a right summary 1,000

/// A link to something missing on the first line, then the body; that link must still be found.
CheckAnswer check_body(const std::string& body) {
  HostileVault vault;
  vault.session.summary.body = "See [[memory/gone.md]].\n\n" + body + "\n";
  vault.session.write(vault.folder);
  CheckAnswer answer = vault.check();
  INFO(answer.to_text().substr(0, 3000));
  const std::string path = vault.session.summary.path();
  const bool linear = answer.infos > 0;
  CHECK(answer.codes_at(path) == (linear ? Codes{"links-scanned-linearly", "link-missing-target"}
                                         : Codes{"link-missing-target"}));
  CHECK(answer.findings.size() == (linear ? 2U : 1U));
  CHECK(answer.findings.back().line == kBodyLine);
  return answer;
}

}  // namespace

TEST_CASE("A bomb of YAML aliases is forbidden, not expanded") {
  check_frontmatter(alias_bomb(), {"yaml-forbidden"});
}

TEST_CASE("A YAML list that contains itself is forbidden, not followed") {
  check_frontmatter("a: &x [*x]\n", {"yaml-forbidden"});
  check_frontmatter("a: &x {k: *x}\n", {"yaml-forbidden"});
}

TEST_CASE("Lists and maps ten thousand deep are forbidden, and overflow no stack") {
  check_frontmatter("a: " + std::string(10'000, '[') + std::string(10'000, ']') + "\n",
                    {"yaml-forbidden"});
  check_frontmatter("a: " + std::string(10'000, '[') + "\n", {"yaml-forbidden"});
  check_frontmatter("a: " + repeated("{a: ", 40'000) + "x" + std::string(10'000, '}') + "\n",
                    {"yaml-forbidden"});
  check_frontmatter("a:\n" + repeated("- ", 20'000) + "x\n", {"yaml-forbidden"});
  check_frontmatter(repeated("? ", 20'000) + "x\n", {"yaml-forbidden"});
}

TEST_CASE("Frontmatter that is nothing but nesting is forbidden as well") {
  for (const std::string& yaml : {repeated("{a: ", 40'000),
                                  repeated("[", 10'000),
                                  repeated("- ", 20'000),
                                  repeated("? ", 20'000)}) {
    INFO(yaml.substr(0, 20));
    HostileVault vault;
    vault.session.summary.frontmatter = yaml + "\n";
    vault.session.write(vault.folder);
    const CheckAnswer answer = vault.check();
    INFO(answer.to_text());
    REQUIRE(answer.codes_at(vault.session.summary.path()).size() == 1);
    const std::string code = answer.codes_at(vault.session.summary.path()).front();
    CHECK((code == "yaml-forbidden" || code == "yaml-syntax"));
  }
}

TEST_CASE("A key that stands twice is reported at its second line") {
  HostileVault vault;
  vault.session.summary.extra_frontmatter = "note: 1\nnote: 2\n";
  const CheckAnswer answer = vault.check_file(Kind::summary, {"duplicate-key"});
  CHECK(answer.findings.front().line == kBodyLine);  // in the place of the closing fence
}

TEST_CASE("Ten thousand different keys are allowed, and one twice among them is found") {
  check_frontmatter(different_keys(10'000, ""), {});
  check_frontmatter(different_keys(10'000, "") + "AAA:\n", {"duplicate-key"});
  // A comment takes them away from the fast reader.
  check_frontmatter("# by hand\n" + different_keys(10'000, ""), {});
  check_frontmatter("# by hand\n" + different_keys(10'000, "") + "AAA:\n", {"duplicate-key"});
}

TEST_CASE("A long key that stands twice is cut in the message") {
  const std::string key(1'000, 'k');  // YAML allows no more
  check_frontmatter(key + ": 1\n" + key + ": 2\n", {"duplicate-key"});
}

TEST_CASE("A second YAML document is a mistake") {
  check_frontmatter("--- # and another\nkind: summary\n", {"yaml-syntax"});
  check_frontmatter("...\nkind: summary\n", {"yaml-syntax"});
}

TEST_CASE("Frontmatter beyond 64 KiB is not read") {
  check_frontmatter("a: " + std::string(1'000'000, 'x') + "\n", {"too-large"});
  check_frontmatter(repeated("# x\n", 1'000'000), {"too-large"});
  check_frontmatter("a: " + std::string(65'536, 'x') + "\n", {"too-large"});
}

TEST_CASE("One value may nearly fill the frontmatter, in each of YAML's forms") {
  const std::string words = repeated("word ", kNearlyAllFrontmatter) + "end";
  check_frontmatter("a: \"" + words + "\"\n", {});
  check_frontmatter("a: '" + words + "'\n", {});
  check_frontmatter("a: " + words + "\n", {});
  check_frontmatter("a: |\n  " + words + "\n", {});
  check_frontmatter("a: >\n" + repeated("  word\n", kNearlyAllFrontmatter), {});
  check_frontmatter("a: \"" + repeated("\\u0041", kNearlyAllFrontmatter) + "\"\n", {});
  check_frontmatter("a: '" + repeated("''", kNearlyAllFrontmatter) + "'\n", {});
  check_frontmatter("a: [" + repeated("x,", kNearlyAllFrontmatter) + "x]\n", {});
  check_frontmatter("a:\n" + repeated("- x\n", kNearlyAllFrontmatter), {});
}

TEST_CASE("A quote that is never closed is a mistake of its line, however much follows") {
  check_frontmatter("a: \"" + std::string(kNearlyAllFrontmatter, 'x') + "\n", {"yaml-syntax"});
  check_frontmatter("a: '" + repeated("x\n", kNearlyAllFrontmatter) + "\n", {"yaml-syntax"});
}

TEST_CASE("Huge values of known fields are cut in messages") {
  const std::string huge(15'000, 'x');
  HostileVault vault;
  vault.session.summary.fields.set_text("captured_at", huge);
  vault.session.summary.fields.set_text("memory_sentence_quality", huge);
  vault.session.summary.fields.set_text("manifest_path", huge);
  vault.session.summary.fields.set_text("content_sha256", huge);
  vault.check_file(Kind::summary,
                   {"bad-timestamp", "link-not-root-relative", "wrong-type", "wrong-type"});
}

TEST_CASE("A huge token in a tombstone is cut in the message") {
  HostileVault vault;
  vault.session.summary.present = vault.session.transcript.present = false;
  vault.session.manifest.present = false;
  vault.session.tombstone.present = true;
  vault.session.tombstone.fields.set_text("session_token", std::string(60'000, 'x'));
  vault.session.write(vault.folder);
  CHECK(vault.check().codes_at(vault.session.tombstone.path()) == Codes{"token-mismatch"});
}

TEST_CASE("NUL and EOT in frontmatter are mistakes; what follows is not taken for read") {
  using namespace std::string_literals;
  check_frontmatter("a: x\0y\n"s, {"yaml-syntax"});
  check_frontmatter("a: x\x04\nb: y\n", {"yaml-syntax"});
  check_frontmatter("a: \"x\0y\"\n"s, {"yaml-syntax"});
}

TEST_CASE("NUL in a body is a byte like any other, and links behind it are found") {
  using namespace std::string_literals;
  check_body("before\0after\n"s);
  HostileVault vault;
  vault.session.summary.body = "one\0\ntwo [[memory/gone.md]]\n"s;
  vault.check_file(Kind::summary, {"link-missing-target"});
}

TEST_CASE("Bytes that are no UTF-8 are reported with their line, in body and frontmatter") {
  HostileVault in_body;
  in_body.session.summary.body = "fine\nbroken \xff\xfe here\n";
  CHECK(in_body.check_file(Kind::summary, {"invalid-utf8"}).findings.front().line == kBodyLine + 1);
  check_frontmatter("a: \"\xc3\x28\"\n", {"invalid-utf8"});
  check_frontmatter("a: \xed\xa0\x80\n", {"invalid-utf8"});  // half of a surrogate pair
  check_frontmatter("\xc0\xaf: overlong\n", {"invalid-utf8"});
}

TEST_CASE("A body of three megabytes is streamed: its hash and its links are right") {
  HostileVault vault;
  vault.session.summary.body = repeated("A line of text like any other.\n", 3'000'000) +
                               "and [[memory/gone.md]] at the end\n";
  vault.check_file(Kind::summary, {"links-scanned-linearly", "link-missing-target"});
}

TEST_CASE("Shapes that are dear for markdown parsers cost little") {
  check_body("|" + repeated("a|", 6'000) + "\n|" + repeated("-|", 6'000) + "\n" +
             repeated("|\n", 3'000));  // the table bomb of cmark-gfm
  check_body(repeated("|\n|-|\n", 12'000));
  check_body(repeated(">", 300'000));
  check_body(repeated("> ", 300'000));
  check_body(repeated("- ", 64'000));
  check_body(repeated("[", 64'000));
  check_body(repeated("![", 64'000));
  check_body(repeated("*a ", 64'000));
  check_body(repeated("_", 64'000));
  check_body(repeated("<!--", 64'000));
  check_body(repeated("&#", 64'000));
  check_body(repeated("\\", 64'000));
  check_body(repeated("[a](<", 64'000));
  check_body(repeated("[a]: x\n", 64'000) + repeated("[a]", 64'000));
}

TEST_CASE("Backticks in runs of every length cost little") {
  std::string body;
  for (std::size_t length = 1; body.size() < 64'000; ++length) {
    body += "a" + std::string(length, '`');
  }
  check_body(body);
}

TEST_CASE("A link that is never closed is none, be it a megabyte long") {
  check_body("[[" + std::string(1'000'000, 'x'));
  check_body(repeated("[[", 1'000'000));
  check_body(repeated("[[a|", 1'000'000));
  check_body(repeated("[[x\n", 1'000'000));
}

TEST_CASE("A hundred thousand missing links are a hundred findings and one sentence") {
  for (const bool in_memory : {false, true}) {
    HostileVault vault;
    for (int i = 0; i < 100'000; ++i) {
      const std::string name = "n" + std::to_string(i);
      vault.session.summary.body +=
          in_memory ? "[[memory/" + name + ".md]]\n" : "[[" + name + "]]\n";
    }
    vault.session.write(vault.folder);
    const CheckAnswer answer = vault.check();
    CHECK(answer.warnings >= 100);
    CHECK(answer.warnings <= 101);
    CHECK(answer.findings.size() <= 102);
    CHECK(answer.to_text().size() < 64'000);
    CHECK(answer.to_text().find("99900 further links") != std::string::npos);
  }
}

TEST_CASE("Links of hundreds of parts cost little, be there a thousand of them") {
  for (const char* part : {"./", "/", "x/"}) {
    INFO(part);
    HostileVault vault;
    for (int i = 0; i < 1'000; ++i) {  // a link has at most 1 KiB
      vault.session.summary.body += "[[memory/" + repeated(part, 1'000) + "gone.md]]\n";
    }
    vault.session.write(vault.folder);
    CHECK(vault.check().codes_at(vault.session.summary.path()).size() >= 100);
  }
}

TEST_CASE("A path field of tens of thousands of parts costs little") {
  for (const char* part : {"./", "/", "x/"}) {
    INFO(part);
    HostileVault vault;
    vault.session.summary.fields.set_text("manifest_path",
                                          "memory/" + repeated(part, 60'000) + "gone.md");
    vault.check_file(Kind::summary, {"link-missing-target"});
  }
}

TEST_CASE("Thousands of wrong paths in one field are a few findings") {
  HostileVault vault;
  vault.session.manifest.extra_frontmatter =
      "earlier_paths:\n" + repeated("- x\n", kNearlyAllFrontmatter);
  vault.session.write(vault.folder);
  const CheckAnswer answer = vault.check();
  CHECK(answer.errors > 0);
  CHECK(answer.findings.size() <= 102);
}

TEST_CASE("Thousands of wrong entries in a tombstone are a few findings") {
  for (const char* field : {"removed_sha256", "also_tokens"}) {
    INFO(field);
    HostileVault vault;
    vault.session.summary.present = vault.session.transcript.present = false;
    vault.session.manifest.present = false;
    vault.session.tombstone.present = true;
    vault.session.tombstone.extra_frontmatter =
        field + (":\n" + repeated("- x\n", kNearlyAllFrontmatter));
    vault.session.write(vault.folder);
    const CheckAnswer answer = vault.check();
    CHECK(answer.errors > 0);
    CHECK(answer.findings.size() <= 102);
  }
}

TEST_CASE("A sentence of thousands of names is not sought for long in the body") {
  HostileVault vault;
  vault.session.summary.fields.set_text("project", "/x");
  vault.session.summary.fields.set_text("memory_sentence", repeated("XXy ", 60'000) + "end.");
  vault.session.summary.body = repeated("XX", 64'000) + "\n";
  vault.check_file(Kind::summary, {"sentence-quality"});
}

TEST_CASE("A project's name that nearly stands in a sentence everywhere costs little") {
  HostileVault vault;
  vault.session.summary.fields.set_text("project", std::string(20'000, 'a') + "b");
  vault.session.summary.fields.set_text("memory_sentence", std::string(40'000, 'a') + ".");
  vault.check_file(Kind::summary, {"sentence-quality"});
}

TEST_CASE("Many links to a name that many notes share cost little") {
  HostileVault vault;
  for (int i = 0; i < 1'000; ++i) {
    vault.folder.write("notes/" + std::to_string(1000 + i) + "/index.md", "");
  }
  vault.session.summary.body = repeated("[[index]]\n", 300'000);
  vault.session.write(vault.folder);
  CHECK(vault.check().warnings >= 100);
}

TEST_CASE("A hostile daybook.yaml costs little and is told by its line") {
  for (const std::string& yaml : {alias_bomb(),
                                  "noise: " + repeated("[", 60'000),
                                  repeated("{a: ", 60'000),
                                  repeated("- ", 60'000),
                                  std::string("noise: &x [*x]\n"),
                                  different_keys(10'000, "")}) {
    INFO(yaml.substr(0, 40));
    const support::TempFolder folder;
    folder.write("daybook.yaml", yaml);
    folder.make_folder("memory");
    const auto outcome = run_within_bounds({"check", folder.path()});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.starts_with("daybook: error: daybook.yaml:"));
    CHECK(outcome.err.size() < kMostMessageBytes);
  }
}

}  // namespace daybook::test
