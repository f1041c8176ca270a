// SPDX-License-Identifier: MIT
//
// Paths in notes that lead out of the workspace, in every field that holds a path and in links:
// each is reported at its line, and what it names is neither opened nor looked at.
#include "cli/daybook_program.hpp"
#include "support/check_answer.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace daybook::test {
namespace {

using lineage::Kind;
using support::CheckAnswer;
using support::SessionFiles;
using support::TempFolder;

const std::string kSecret = "outside-secret";  // in no path but those that lead outside

/// The vault in a folder of its own, and beside it what its notes try to reach.
class Scene {
 public:
  Scene() {
    place_.write(kSecret + "/" + kSecret + ".md", "---\nkind: summary\n---\n" + kSecret + "\n");
    place_.make_folder("vault/memory");
    place_.make_link("vault/memory/link", place_.at(kSecret));
    place_.make_link("vault/memory/relative-link", "../../" + kSecret);
  }

  [[nodiscard]] std::string vault() const { return place_.at("vault"); }
  void write(const SessionFiles& session) const { session.write(place_, "vault"); }

  /// Every way to write the secret's path: each would get there in some program.
  [[nodiscard]] std::vector<std::string> escapes() const {
    const std::string tail = kSecret + "/" + kSecret + ".md";
    const std::string absolute = place_.at(tail);
    return {"../" + tail,
            "memory/../../" + tail,
            "memory/x/../../../" + tail,
            "./../" + tail,
            absolute,
            "//" + absolute,
            "file://" + absolute,
            "~/" + tail,
            "C:/" + tail,
            "C:\\" + kSecret + "\\" + kSecret + ".md",
            "..\\" + kSecret + "\\" + kSecret + ".md",
            "memory\\..\\..\\" + kSecret + "\\" + kSecret + ".md",
            "memory/..\\..\\" + kSecret + "\\" + kSecret + ".md",
            "\\\\host\\" + kSecret + ".md",
            "%2e%2e/" + tail,
            "memory/%2E%2E/%2e./" + tail,
            "%2e%2e%2f" + tail,
            "memory%2f..%2f..%2f" + tail,
            "%2F" + absolute.substr(1),
            "%5c%5chost%5c" + kSecret + ".md",
            "%252e%252e/" + tail,
            "memory/%25252e%25252e/" + tail,
            "memory/link/" + kSecret + ".md",
            "memory/relative-link/" + kSecret + ".md",
            "memory/./link/" + kSecret + ".md"};
  }

 private:
  TempFolder place_;
};

struct PathField {
  Kind kind;
  std::string name;
};

const std::vector<PathField> kPathFields{{Kind::summary, "manifest_path"},
                                         {Kind::transcript, "manifest_path"},
                                         {Kind::compaction, "manifest_path"},
                                         {Kind::manifest, "summary_path"},
                                         {Kind::manifest, "transcript_path"},
                                         {Kind::manifest, "compaction_path"},
                                         {Kind::manifest, "earlier_paths"}};

std::uint32_t line_of(const std::string& text, const std::string& field) {
  const std::size_t at = text.find("\n" + field + ":");
  REQUIRE(at != std::string::npos);
  return static_cast<std::uint32_t>(
      2 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

struct Attempt {
  std::string path;  // of the note
  std::string escape;
  std::uint32_t line;
};

/// A session for each escape in each field.
std::vector<Attempt> write_attempts(const Scene& scene) {
  std::vector<Attempt> attempts;
  for (const PathField& field : kPathFields) {
    for (const std::string& escape : scene.escapes()) {
      SessionFiles session(
          "default", "attempt-" + std::to_string(attempts.size()), "2026-03-28T22:34:06.792Z");
      session.compaction.present = true;
      auto& fields = session.file(field.kind).fields;
      if (field.name == "earlier_paths") {
        fields.set_list(field.name, {escape});
      } else {
        fields.set_text(field.name, escape);
      }
      scene.write(session);
      attempts.push_back({session.file(field.kind).path(),
                          field.name + ": " + escape,
                          line_of(session.text(field.kind), field.name)});
    }
  }
  return attempts;
}

/// A summary that links to every escape, one a line.
SessionFiles session_with_links(const Scene& scene) {
  SessionFiles session("default", "links", "2026-03-29T08:00:00.000Z");
  session.summary.body.clear();
  for (const std::string& escape : scene.escapes()) {
    session.summary.body += "- [[" + escape + "]]\n";
  }
  return session;
}

CheckAnswer checked(const Scene& scene) {
  const auto outcome = run_daybook({"check", "--json", scene.vault()});
  INFO(outcome.out.substr(0, 2000) << outcome.err);
  REQUIRE(outcome.exit_code == 1);
  return support::read_check_answer(outcome.out);
}

}  // namespace

TEST_CASE("A path field that leads out of the workspace is reported at its line, in any spelling") {
  const Scene scene;
  const auto attempts = write_attempts(scene);
  const CheckAnswer answer = checked(scene);
  CHECK(attempts.size() == 7 * scene.escapes().size());
  for (const Attempt& attempt : attempts) {
    INFO(attempt.escape);
    const auto found = std::find_if(
        answer.findings.begin(), answer.findings.end(), [&attempt](const auto& finding) {
          return finding.path == attempt.path && finding.line == attempt.line;
        });
    REQUIRE(found != answer.findings.end());
    CHECK(found->code == "link-escapes-workspace");
    CHECK(found->severity == "error");
    CHECK(answer.codes_at(attempt.path).size() == 1);
  }
}

TEST_CASE("A link that leads out of the workspace is reported at its line, in any spelling") {
  const Scene scene;
  const SessionFiles session = session_with_links(scene);
  scene.write(session);
  const CheckAnswer answer = checked(scene);
  const auto codes = answer.codes_at(session.summary.path());
  INFO(answer.to_text());
  CHECK(codes.size() == scene.escapes().size());
  CHECK(std::count(codes.begin(), codes.end(), "link-escapes-workspace") ==
        static_cast<std::ptrdiff_t>(scene.escapes().size()));
}

TEST_CASE("Links of a transcript that lead out of the workspace are quoted speech") {
  const Scene scene;
  SessionFiles session = session_with_links(scene);
  session.transcript.body = session.summary.body;
  session.summary.body = "Nothing to see.\n";
  scene.write(session);
  CHECK(checked(scene).codes_at(session.transcript.path()).empty());
}

TEST_CASE("Nothing outside the workspace that a note names is opened or even looked at") {
  const std::string strace = support::find_program("strace");
  if (strace.empty()) {
    WARN("strace is not installed: not proved here");
    return;
  }
  const Scene scene;
  write_attempts(scene);
  scene.write(session_with_links(scene));
  const TempFolder logs;
  support::Program program;
  program.command = {strace,
                     "-f",
                     "-qq",
                     "-s",
                     "4096",
                     "-e",
                     "trace=%file",
                     "-o",
                     logs.at("calls"),
                     DAYBOOK_BINARY,
                     "check",
                     "--json",
                     scene.vault()};
  program.environment = {"ASAN_OPTIONS=detect_leaks=0:exitcode=99"};  // leaks: not under strace
  const auto outcome = support::run(program);
  if (outcome.exit_code != 1) {
    WARN("strace may not be used here: " << outcome.err);
    return;
  }
  const std::string calls = logs.read("calls");
  CHECK(calls.find("\"memory\", O_RDONLY") != std::string::npos);  // it does see what is opened
  CHECK(calls.find("--manifest.md\", O_RDONLY") != std::string::npos);
  const std::size_t at = calls.find(kSecret);
  INFO(calls.substr(at == std::string::npos ? 0 : at - std::min<std::size_t>(at, 300), 600));
  CHECK(at == std::string::npos);
}

}  // namespace daybook::test
