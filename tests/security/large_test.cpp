// SPDX-License-Identifier: MIT
//
// Files too large and folders too full.
#include "cli/daybook_program.hpp"
#include "security/hostile.hpp"
#include "security/trial_size.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace daybook::test {
namespace {

namespace fs = std::filesystem;
using support::CheckAnswer;

/// Makes the file larger without taking room on the disk.
void stretch(const HostileVault& vault, const std::string& path, std::uintmax_t bytes) {
  fs::resize_file(vault.folder.at(path), bytes);
}

}  // namespace

TEST_CASE("Huge file: a summary of two gigabytes is too large, and not read") {
  HostileVault vault;
  vault.session.write(vault.folder);
  stretch(vault, vault.session.summary.path(), 2ULL << 30U);
  const CheckAnswer answer = vault.check();
  CHECK(answer.codes_at(vault.session.summary.path()) == Codes{"too-large"});
  CHECK(answer.findings.size() == 1);
}

TEST_CASE("Huge file: a transcript of two gigabytes is too large, and not read") {
  HostileVault vault;
  vault.session.write(vault.folder);
  stretch(vault, vault.session.transcript.path(), 2ULL << 30U);
  const CheckAnswer answer = vault.check();
  CHECK(answer.codes_at(vault.session.transcript.path()) == Codes{"too-large"});
  CHECK(answer.findings.size() == 1);
}

TEST_CASE("Huge file: a summary of seventy megabytes of text is too large, and not read") {
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

TEST_CASE("Huge file: an ordinary note of two gigabytes costs nothing either") {
  HostileVault vault;
  vault.folder.write("memory/dump.md", "x");
  stretch(vault, "memory/dump.md", 2ULL << 30U);
  CHECK(vault.check().codes_at("memory/dump.md") == Codes{"too-large"});
}

TEST_CASE(
    "Many files: folders two hundred deep are reported where it becomes too deep, and the rest is "
    "checked") {
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

TEST_CASE("Huge file: two gigabytes are neither indexed nor found, and cost nothing") {
  HostileVault vault;
  vault.session.write(vault.folder);
  stretch(vault, vault.session.summary.path(), 2ULL << 30U);
  stretch(vault, vault.session.transcript.path(), 2ULL << 30U);
  vault.folder.write("memory/pinned.md", "# Pinned\n");
  stretch(vault, "memory/pinned.md", 2ULL << 30U);
  vault.folder.write("MEMORY.md", "mine");
  stretch(vault, "MEMORY.md", 64ULL << 20U);  // kept whole before it is replaced
  const auto run = [&vault](const std::vector<std::string>& words) {
    return run_daybook(support::on_vault(vault.folder.path(), vault.state.at("state"), words));
  };
  for (const std::vector<std::string>& words : {std::vector<std::string>{"reindex"},
                                                {"reindex", "--full"},
                                                {"search", "--fresh", "word"},
                                                {"show", "healthy"},
                                                {"status"},
                                                {"doctor", "--deep"},
                                                {"render"}}) {
    const auto outcome = run(words);
    INFO(words[0] << outcome.out << outcome.err);
    CHECK(outcome.signal == 0);
    CHECK(outcome.exit_code <= 1);
    if (!support::is_sanitized()) {
      CHECK(outcome.peak_kb < kMostKilobytes);
      CHECK(outcome.cpu_ms < 2'000);  // the one copy of MEMORY.md included
    }
  }
  CHECK(run({"--json", "log", "--all"}).out.find("\"healthy\"") != std::string::npos);
}

TEST_CASE(
    "Many files: a folder of very many entries is listed whole, within its measure of memory") {
  // DAYBOOK_SECURITY_ENTRIES=1000000 for a million.
  const std::size_t count = trial_size("ENTRIES", 10'000);
  HostileVault vault;
  fs::create_directories(vault.folder.at("memory/heap"));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "memory/heap/" + std::to_string(i) + (i % 2 == 0 ? ".md" : ".txt");
    const int file = ::open(vault.folder.at(name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    REQUIRE(file >= 0);
    ::close(file);
  }
  const std::vector<std::string> place{"--workspace",
                                       vault.folder.path(),
                                       "--state-dir",
                                       vault.state.at("state"),
                                       "--now",
                                       "2026-03-30T00:00:00Z"};
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", "--json"},
                                                {"reindex"},
                                                {"reindex"},
                                                {"search", "--fresh", "healthy"},
                                                {"conflicts"},
                                                {"doctor"}}) {
    std::vector<std::string> all = place;
    all.insert(all.end(), words.begin(), words.end());
    const auto outcome = run_daybook(all);
    INFO(words[0] << outcome.out.substr(0, 1000) << outcome.err.substr(0, 1000));
    CHECK(outcome.exit_code >= 0);
    CHECK(outcome.exit_code <= 1);
    if (!support::is_sanitized()) {
      // Beside what it takes anyway, a kilobyte an entry.
      CHECK(outcome.peak_kb < kMostKilobytes + static_cast<long>(count));
      CHECK(outcome.cpu_ms < 1'000 + static_cast<long>(count / 10));
    }
  }
}

}  // namespace daybook::test
