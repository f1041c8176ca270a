// SPDX-License-Identifier: MIT
//
// What can lie in a folder besides small regular files with decent names.
#include "cli/hostile.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using lineage::Kind;
using support::CheckAnswer;
using namespace std::string_literals;

/// Makes the file larger without taking room on the disk.
void stretch(const HostileVault& vault, const std::string& path, std::uintmax_t bytes) {
  fs::resize_file(vault.folder.at(path), bytes);
}

/// A note that says it is a summary: one finding, name-mismatch, at whatever name it has.
void write_pretender(const HostileVault& vault, const std::string& name) {
  vault.folder.write("memory/" + name, "---\nkind: summary\n---\n");
}

}  // namespace

TEST_CASE("A summary of two gigabytes is too large, and not read") {
  HostileVault vault;
  vault.session.write(vault.folder);
  stretch(vault, vault.session.summary.path(), 2ULL << 30U);
  const CheckAnswer answer = vault.check();
  CHECK(answer.codes_at(vault.session.summary.path()) == Codes{"too-large"});
  CHECK(answer.findings.size() == 1);
}

TEST_CASE("A transcript of two gigabytes is too large, and not read") {
  HostileVault vault;
  vault.session.write(vault.folder);
  stretch(vault, vault.session.transcript.path(), 2ULL << 30U);
  const CheckAnswer answer = vault.check();
  CHECK(answer.codes_at(vault.session.transcript.path()) == Codes{"too-large"});
  CHECK(answer.findings.size() == 1);
}

TEST_CASE("A summary of seventy megabytes of text is too large, and not read") {
  HostileVault vault;
  vault.session.write(vault.folder);
  {
    std::ofstream file(vault.folder.at(vault.session.summary.path()), std::ios::app);
    const std::string megabyte = repeated("text\n", 1'000'000);
    for (int i = 0; i < 70; ++i) {
      file << megabyte;
    }
  }
  const CheckAnswer answer = vault.check();
  CHECK(answer.codes_at(vault.session.summary.path()) == Codes{"too-large"});
}

TEST_CASE("An ordinary note of two gigabytes costs nothing either") {
  HostileVault vault;
  vault.folder.write("memory/dump.md", "x");
  stretch(vault, "memory/dump.md", 2ULL << 30U);
  CHECK(vault.check().codes_at("memory/dump.md") == Codes{"too-large"});
}

TEST_CASE("An empty file with an artifact's name has no frontmatter") {
  HostileVault vault;
  vault.session.summary.bytes = "";
  vault.check_file(Kind::summary, {"missing-frontmatter"});
}

TEST_CASE("Pipes and sockets are unreadable, and nobody waits for them") {
  HostileVault vault;
  vault.session.write(vault.folder);
  fs::remove(vault.folder.at(vault.session.transcript.path()));
  vault.folder.make_pipe(vault.session.transcript.path());
  vault.folder.make_socket("memory/socket.md");
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  CHECK(answer.codes_at(vault.session.transcript.path()) == Codes{"unreadable"});
  CHECK(answer.codes_at("memory/socket.md") == Codes{"unreadable"});
}

TEST_CASE("A pipe in the place of daybook.yaml is an error, and nobody waits for it") {
  HostileVault vault;
  vault.folder.make_pipe("daybook.yaml");
  const auto outcome = run_within_bounds({"check", vault.folder.path()});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find("daybook.yaml") != std::string::npos);
}

TEST_CASE("Links out of the vault, to a file or a folder, are unreadable and not followed") {
  const support::TempFolder outside;
  outside.write("secret.md", "---\nkind: summary\n---\nsecret-of-the-outside\n");
  HostileVault vault;
  vault.folder.make_link("memory/file.md", outside.at("secret.md"));
  vault.folder.make_link("memory/folder", outside.path());
  vault.folder.make_link("memory/dangling.md", outside.at("gone.md"));
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  for (const char* path : {"memory/file.md", "memory/folder", "memory/dangling.md"}) {
    CHECK(answer.codes_at(path) == Codes{"unreadable"});
  }
  CHECK(answer.findings.size() == 3);
  CHECK(answer.files == 3);
}

TEST_CASE("An artifact that is a link is unreadable") {
  HostileVault vault;
  vault.session.write(vault.folder);
  const std::string summary = vault.session.summary.path();
  fs::rename(vault.folder.at(summary), vault.folder.at("elsewhere.md"));
  vault.folder.make_link(summary, "../elsewhere.md");
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  CHECK(answer.codes_at(summary) == Codes{"unreadable"});
  // The manifest names it: a path through a link is never followed.
  CHECK(answer.codes_at(vault.session.manifest.path()) == Codes{"link-escapes-workspace"});
}

TEST_CASE("Links in a circle lead nowhere") {
  HostileVault vault;
  vault.folder.make_link("memory/self", "self");
  vault.folder.make_link("memory/up", "..");
  vault.folder.make_link("memory/a.md", "b.md");
  vault.folder.make_link("memory/b.md", "a.md");
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  for (const char* path : {"memory/self", "memory/up", "memory/a.md", "memory/b.md"}) {
    CHECK(answer.codes_at(path) == Codes{"unreadable"});
  }
}

TEST_CASE("File names of any bytes are checked, and told so that they can be found") {
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

TEST_CASE("A name with a line break is one line in the gcc form") {
  HostileVault vault;
  write_pretender(vault, "two\nlines.md");
  const auto outcome = run_within_bounds({"check", "--format", "gcc", vault.folder.path()});
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 1);
  CHECK(outcome.out.starts_with("memory/two\\nlines.md:2: error: "));
}

TEST_CASE("An artifact in a folder whose name is not UTF-8 is invalid: nothing can name it") {
  HostileVault vault;
  vault.session.summary.folder = "memory/caf\xe9";
  vault.session.manifest.fields.set("summary_path", "null");
  vault.session.write(vault.folder);
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  const auto codes = answer.codes_at("memory/caf\\xe9/" + vault.session.summary.name);
  CHECK(std::count(codes.begin(), codes.end(), "invalid-utf8") == 1);
}

TEST_CASE(
    "Folders two hundred deep are reported where it becomes too deep, and the rest is checked") {
  HostileVault vault;
  std::string path = "memory";
  for (int i = 0; i < 200; ++i) {
    path += "/d";
  }
  vault.folder.write(path + "/deep.md", "---\nkind: summary\n---\n");
  vault.session.summary.folder = "memory/d/d/d";
  vault.session.summary.body = "[[memory/gone.md]]\n";
  vault.session.write(vault.folder);
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  CHECK(answer.codes_at(vault.session.summary.path()) == Codes{"link-missing-target"});
  CHECK(answer.findings.size() == 2);
  CHECK(answer.findings.back().code == "unreadable");
  CHECK(answer.files == 6);
}

TEST_CASE("A folder with an artifact's name is no artifact") {
  HostileVault vault;
  vault.session.summary.present = false;
  vault.session.write(vault.folder);
  vault.folder.make_folder(vault.session.summary.path());
  const CheckAnswer answer = vault.check();
  INFO(answer.to_text());
  CHECK(answer.findings.empty());
}

}  // namespace daybook::test
