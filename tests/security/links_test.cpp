// SPDX-License-Identifier: MIT
//
// Links that lead out of the vault.
#include "security/hostile.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using support::CheckAnswer;

}  // namespace

TEST_CASE(
    "Symlink escape: links out of the vault, to a file or a folder, are unreadable and not "
    "followed") {
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

TEST_CASE("Symlink escape: an artifact that is a link is unreadable") {
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

TEST_CASE("Symlink escape: links in a circle lead nowhere") {
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

}  // namespace daybook::test
