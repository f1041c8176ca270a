// SPDX-License-Identifier: MIT
#include "security/hostile.hpp"

#include "cli/daybook_program.hpp"

#include <catch2/catch.hpp>

namespace daybook::test {

using lineage::Kind;
using support::CheckAnswer;

std::string repeated(std::string_view unit, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + unit.size());
  while (text.size() < bytes) {
    text += unit;
  }
  return text;
}

HostileVault::HostileVault()
    : session("default", "hostile", "2026-03-28T22:34:06.792Z"),
      healthy_("default", "healthy", "2026-03-27T10:00:00.000Z") {
  healthy_.write(folder);
}

support::ProgramOutcome run_within_bounds(const std::vector<std::string>& arguments) {
  const support::ProgramOutcome outcome = run_daybook(arguments);
  INFO(outcome.out.substr(0, 3000) << outcome.err.substr(0, 3000));
  REQUIRE(outcome.signal == 0);
  if (!support::is_sanitized()) {
    CAPTURE(outcome.cpu_ms, outcome.peak_kb);
    CHECK(outcome.cpu_ms < kMostMilliseconds);
    CHECK(outcome.peak_kb < kMostKilobytes);
  }
  return outcome;
}

CheckAnswer HostileVault::check() const {
  const auto outcome = run_within_bounds({"check", "--json", folder.path()});
  INFO(outcome.out.substr(0, 3000) << outcome.err.substr(0, 3000));
  REQUIRE((outcome.exit_code == 0 || outcome.exit_code == 1));
  CHECK(outcome.err.empty());
  CheckAnswer answer = support::read_check_answer(outcome.out);
  CHECK(outcome.exit_code == (answer.errors + answer.warnings > 0 ? 1 : 0));
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::manifest}) {
    CHECK(answer.codes_at(healthy_.file(kind).path()).empty());
  }
  for (const CheckAnswer::Finding& finding : answer.findings) {
    CHECK(finding.message.size() <= kMostMessageBytes);
  }
  return answer;
}

CheckAnswer HostileVault::check_file(Kind kind, const Codes& expected) {
  session.write(folder);
  CheckAnswer answer = check();
  INFO(answer.to_text().substr(0, 3000));
  for (const Kind other : {Kind::summary, Kind::transcript, Kind::manifest}) {
    INFO(to_string(other));
    CHECK(answer.codes_at(session.file(other).path()) == (other == kind ? expected : Codes{}));
  }
  CHECK(answer.findings.size() == expected.size());
  CHECK(answer.files == 6);
  return answer;
}

void check_frontmatter(const std::string& lines, const Codes& expected) {
  INFO(lines.substr(0, 200));
  HostileVault vault;
  vault.session.summary.extra_frontmatter = lines;
  vault.check_file(Kind::summary, expected);
}

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

}  // namespace daybook::test
