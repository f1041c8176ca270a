// SPDX-License-Identifier: MIT
//
// The vaults that tests build are right until a test spoils them, and stay consistent when it
// changes a body, a name or a folder.
#include "support/vault_builder.hpp"

#include "cli/daybook_program.hpp"
#include "support/check_answer.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {
namespace {

using lineage::Kind;
using support::CheckAnswer;
using support::SessionFiles;
using support::TempFolder;
using Codes = std::vector<std::string>;

const std::string kTime = "2026-03-28T22:34:06.792Z";

CheckAnswer check(const TempFolder& vault) {
  const auto outcome = run_daybook({"check", "--json", vault.path()});
  INFO(outcome.out << outcome.err);
  REQUIRE((outcome.exit_code == 0 || outcome.exit_code == 1));
  return support::read_check_answer(outcome.out);
}

}  // namespace

TEST_CASE("A built session is free of findings in each of its forms") {
  const TempFolder vault;
  SessionFiles all("default", "own-1", kTime);
  all.compaction.present = true;
  all.seal().write(vault);
  SessionFiles("alice", "", kTime, "id-of-alice").write(vault);
  SessionFiles elsewhere("default", "own-2", kTime);
  elsewhere.summary.folder = "memory/2026/03";
  elsewhere.summary.body =
      "Another body, with [[memory/2026/03/" + elsewhere.summary.name + "]].\n";
  elsewhere.seal().write(vault);
  SessionFiles removed("default", "own-3", kTime);
  removed.summary.present = removed.transcript.present = removed.manifest.present = false;
  removed.tombstone.present = true;
  removed.write(vault);
  support::write_sessions(vault, 3);
  const CheckAnswer answer = check(vault);
  INFO(answer.to_text());
  CHECK(answer.findings.empty());
  CHECK(answer.files == 4 + 3 + 3 + 1 + 9);
}

TEST_CASE("What a test sets in a built session is what is checked") {
  const TempFolder vault;
  SessionFiles session("default", "key-1", kTime);
  session.summary.fields.set_text("content_sha256", std::string(64, '0'));
  session.transcript.fields.remove("sanitizer_version");
  session.manifest.fields.set("revision", "[1]");
  session.write(vault);
  const CheckAnswer answer = check(vault);
  INFO(answer.to_text());
  CHECK(answer.codes_at(session.summary.path()) == Codes{"checksum-mismatch"});
  CHECK(answer.codes_at(session.transcript.path()) == Codes{"missing-field"});
  CHECK(answer.codes_at(session.manifest.path()) == Codes{"wrong-type"});
}

TEST_CASE("A seal is that of the file as it was when the session was sealed") {
  const TempFolder vault;
  SessionFiles session("default", "key-1", kTime);
  session.seal().write(vault);
  session.summary.fields.set_text("project", "/home/dev/another-tidewater");
  vault.write(session.summary.path(), session.text(Kind::summary));
  CHECK(check(vault).codes_at(session.summary.path()) == Codes{"immutable-changed"});
}

TEST_CASE("Text is quoted as JSON does it") {
  CHECK(support::json_quoted("a \"b\" \\ \n \x1b ü") == "\"a \\\"b\\\" \\\\ \\u000a \\u001b ü\"");
}

}  // namespace daybook::test
