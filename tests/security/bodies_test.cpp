// SPDX-License-Identifier: MIT
//
// Bodies as an attacker writes them, through the real program: within 200 ms and 64 MB.
#include "security/hostile.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {
namespace {

using lineage::Kind;
using support::CheckAnswer;

}  // namespace

TEST_CASE("Markdown: a body of three megabytes is streamed: its hash and its links are right") {
  HostileVault vault;
  vault.session.summary.body = repeated("A line of text like any other.\n", 3'000'000) +
                               "and [[memory/gone.md]] at the end\n";
  vault.check_file(Kind::summary, {"links-scanned-linearly", "link-missing-target"});
}

TEST_CASE("Markdown: shapes that are dear for markdown parsers cost little") {
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

TEST_CASE("Markdown: backticks in runs of every length cost little") {
  std::string body;
  for (std::size_t length = 1; body.size() < 64'000; ++length) {
    body += "a" + std::string(length, '`');
  }
  check_body(body);
}

TEST_CASE("Markdown: a link that is never closed is none, be it a megabyte long") {
  check_body("[[" + std::string(1'000'000, 'x'));
  check_body(repeated("[[", 1'000'000));
  check_body(repeated("[[a|", 1'000'000));
  check_body(repeated("[[x\n", 1'000'000));
}

TEST_CASE("Markdown: a hundred thousand missing links are a hundred findings and one sentence") {
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

TEST_CASE("Markdown: links of hundreds of parts cost little, be there a thousand of them") {
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

TEST_CASE("Markdown: a sentence of thousands of names is not sought for long in the body") {
  HostileVault vault;
  vault.session.summary.fields.set_text("project", "/x");
  vault.session.summary.fields.set_text("memory_sentence", repeated("XXy ", 60'000) + "end.");
  vault.session.summary.body = repeated("XX", 64'000) + "\n";
  vault.check_file(Kind::summary, {"sentence-quality"});
}

TEST_CASE("Markdown: a project's name that nearly stands in a sentence everywhere costs little") {
  HostileVault vault;
  vault.session.summary.fields.set_text("project", std::string(20'000, 'a') + "b");
  vault.session.summary.fields.set_text("memory_sentence", std::string(40'000, 'a') + ".");
  vault.check_file(Kind::summary, {"sentence-quality"});
}

TEST_CASE("Markdown: many links to a name that many notes share cost little") {
  HostileVault vault;
  for (int i = 0; i < 1'000; ++i) {
    vault.folder.write("notes/" + std::to_string(1000 + i) + "/index.md", "");
  }
  vault.session.summary.body = repeated("[[index]]\n", 300'000);
  vault.session.write(vault.folder);
  CHECK(vault.check().warnings >= 100);
}

}  // namespace daybook::test
