// SPDX-License-Identifier: MIT
//
// Frontmatter and settings as an attacker writes them, through the real program.
#include "security/hostile.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {
namespace {

using lineage::Kind;
using support::CheckAnswer;

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

constexpr std::size_t kNearlyAllFrontmatter = 63'000;  // the limit is 64 KiB, a right summary 1,000

}  // namespace

TEST_CASE("YAML: a bomb of YAML aliases is forbidden, not expanded") {
  check_frontmatter(alias_bomb(), {"yaml-forbidden"});
}

TEST_CASE("YAML: a YAML list that contains itself is forbidden, not followed") {
  check_frontmatter("a: &x [*x]\n", {"yaml-forbidden"});
  check_frontmatter("a: &x {k: *x}\n", {"yaml-forbidden"});
}

TEST_CASE("YAML: lists and maps ten thousand deep are forbidden, and overflow no stack") {
  check_frontmatter("a: " + std::string(10'000, '[') + std::string(10'000, ']') + "\n",
                    {"yaml-forbidden"});
  check_frontmatter("a: " + std::string(10'000, '[') + "\n", {"yaml-forbidden"});
  check_frontmatter("a: " + repeated("{a: ", 40'000) + "x" + std::string(10'000, '}') + "\n",
                    {"yaml-forbidden"});
  check_frontmatter("a:\n" + repeated("- ", 20'000) + "x\n", {"yaml-forbidden"});
  check_frontmatter(repeated("? ", 20'000) + "x\n", {"yaml-forbidden"});
}

TEST_CASE("YAML: frontmatter that is nothing but nesting is forbidden as well") {
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

TEST_CASE("YAML: a key that stands twice is reported at its second line") {
  HostileVault vault;
  vault.session.summary.extra_frontmatter = "note: 1\nnote: 2\n";
  const CheckAnswer answer = vault.check_file(Kind::summary, {"duplicate-key"});
  CHECK(answer.findings.front().line == kBodyLine);  // in the place of the closing fence
}

TEST_CASE("YAML: ten thousand different keys are allowed, and one twice among them is found") {
  check_frontmatter(different_keys(10'000, ""), {});
  check_frontmatter(different_keys(10'000, "") + "AAA:\n", {"duplicate-key"});
  // A comment takes them away from the fast reader.
  check_frontmatter("# by hand\n" + different_keys(10'000, ""), {});
  check_frontmatter("# by hand\n" + different_keys(10'000, "") + "AAA:\n", {"duplicate-key"});
}

TEST_CASE("YAML: a long key that stands twice is cut in the message") {
  const std::string key(1'000, 'k');  // YAML allows no more
  check_frontmatter(key + ": 1\n" + key + ": 2\n", {"duplicate-key"});
}

TEST_CASE("YAML: a second YAML document is a mistake") {
  check_frontmatter("--- # and another\nkind: summary\n", {"yaml-syntax"});
  check_frontmatter("...\nkind: summary\n", {"yaml-syntax"});
}

TEST_CASE("YAML: frontmatter beyond 64 KiB is not read") {
  check_frontmatter("a: " + std::string(1'000'000, 'x') + "\n", {"too-large"});
  check_frontmatter(repeated("# x\n", 1'000'000), {"too-large"});
  check_frontmatter("a: " + std::string(65'536, 'x') + "\n", {"too-large"});
}

TEST_CASE("YAML: one value may nearly fill the frontmatter, in each of YAML's forms") {
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

TEST_CASE("YAML: a quote that is never closed is a mistake of its line, however much follows") {
  check_frontmatter("a: \"" + std::string(kNearlyAllFrontmatter, 'x') + "\n", {"yaml-syntax"});
  check_frontmatter("a: '" + repeated("x\n", kNearlyAllFrontmatter) + "\n", {"yaml-syntax"});
}

TEST_CASE("YAML: huge values of known fields are cut in messages") {
  const std::string huge(15'000, 'x');
  HostileVault vault;
  vault.session.summary.fields.set_text("captured_at", huge);
  vault.session.summary.fields.set_text("memory_sentence_quality", huge);
  vault.session.summary.fields.set_text("manifest_path", huge);
  vault.session.summary.fields.set_text("content_sha256", huge);
  vault.check_file(Kind::summary,
                   {"bad-timestamp", "link-not-root-relative", "wrong-type", "wrong-type"});
}

TEST_CASE("YAML: a huge token in a tombstone is cut in the message") {
  HostileVault vault;
  vault.session.summary.present = vault.session.transcript.present = false;
  vault.session.manifest.present = false;
  vault.session.tombstone.present = true;
  vault.session.tombstone.fields.set_text("session_token", std::string(60'000, 'x'));
  vault.session.write(vault.folder);
  CHECK(vault.check().codes_at(vault.session.tombstone.path()) == Codes{"token-mismatch"});
}

TEST_CASE("YAML: NUL and EOT in frontmatter are mistakes; what follows is not taken for read") {
  using namespace std::string_literals;
  check_frontmatter("a: x\0y\n"s, {"yaml-syntax"});
  check_frontmatter("a: x\x04\nb: y\n", {"yaml-syntax"});
  check_frontmatter("a: \"x\0y\"\n"s, {"yaml-syntax"});
}

TEST_CASE("YAML: a path field of tens of thousands of parts costs little") {
  for (const char* part : {"./", "/", "x/"}) {
    INFO(part);
    HostileVault vault;
    vault.session.summary.fields.set_text("manifest_path",
                                          "memory/" + repeated(part, 60'000) + "gone.md");
    vault.check_file(Kind::summary, {"link-missing-target"});
  }
}

TEST_CASE("YAML: thousands of wrong paths in one field are a few findings") {
  HostileVault vault;
  vault.session.manifest.extra_frontmatter =
      "earlier_paths:\n" + repeated("- x\n", kNearlyAllFrontmatter);
  vault.session.write(vault.folder);
  const CheckAnswer answer = vault.check();
  CHECK(answer.errors > 0);
  CHECK(answer.findings.size() <= 102);
}

TEST_CASE("YAML: thousands of wrong entries in a tombstone are a few findings") {
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

TEST_CASE("YAML: a hostile daybook.yaml costs little and is told by its line") {
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

TEST_CASE("YAML: an empty file with an artifact's name has no frontmatter") {
  HostileVault vault;
  vault.session.summary.bytes = "";
  vault.check_file(Kind::summary, {"missing-frontmatter"});
}

}  // namespace daybook::test
