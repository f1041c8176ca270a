// SPDX-License-Identifier: MIT
//
// Paths in notes that lead out of the workspace, in every field that holds a path and in links:
// each is reported at its line, and what it names is neither opened nor looked at, by no command.
#include "cli/daybook_program.hpp"
#include "support/check_answer.hpp"
#include "support/temp_folder.hpp"
#include "support/vault_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

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
  /// Everything that belongs to it lies below.
  [[nodiscard]] std::string place() const { return place_.path().string(); }
  [[nodiscard]] std::vector<std::string> names() const { return place_.names(); }

  [[nodiscard]] support::Program program(const std::vector<std::string>& words) const {
    return daybook(support::on_vault(vault(), place_.at("state"), words));
  }
  [[nodiscard]] support::ProgramOutcome run(const std::vector<std::string>& words) const {
    return support::run(program(words));
  }

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

  /// Two hundred: the above, and what can be made of two dots and a slash, each in several
  /// spellings.
  [[nodiscard]] std::vector<std::string> corpus() const {
    std::vector<std::string> all = escapes();
    const std::string tail = kSecret + "/" + kSecret + ".md";
    for (const std::string up : {"..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "%25252E%252e"}) {
      for (const std::string slash : {"/", "\\", "%2f", "%2F", "%5c", "%252f", "//", "/./"}) {
        for (const std::string begin : {"", "memory", "memory/x", "./memory"}) {
          const std::string way = begin.empty() ? "" : begin + slash;
          const int ups = begin.empty() ? 1 : begin == "memory/x" ? 3 : 2;
          std::string escape = way;
          for (int i = 0; i < ups; ++i) {
            escape += up + slash;
          }
          all.push_back(escape + tail);
        }
      }
    }
    return all;
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

/// Which of the corpus are tried in every field.
enum class Repeats : std::uint8_t { by_hand, none };

/// A session for each of the corpus, in one field after the other.
std::vector<Attempt> write_attempts(const Scene& scene, Repeats repeats = Repeats::by_hand) {
  std::vector<Attempt> attempts;
  const auto corpus = scene.corpus();
  const std::size_t by_hand = repeats == Repeats::by_hand ? scene.escapes().size() : 0;
  for (std::size_t number = 0; number < corpus.size(); ++number) {
    for (std::size_t place = 0; place < kPathFields.size(); ++place) {
      if (number >= by_hand && number % kPathFields.size() != place) {
        continue;
      }
      const PathField& field = kPathFields[place];
      const std::string& escape = corpus[number];
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

/// A summary that links to some of them, one a line: a body has at most a hundred findings.
std::vector<SessionFiles> sessions_with_links(const Scene& scene) {
  constexpr std::size_t kMost = 80;
  std::vector<SessionFiles> sessions;
  std::size_t links = 0;
  for (const std::string& escape : scene.corpus()) {
    if (links++ % kMost == 0) {
      sessions.emplace_back(
          "default", "links-" + std::to_string(links), "2026-03-29T08:00:00.000Z");
      sessions.back().summary.body.clear();
    }
    sessions.back().summary.body += "- [[" + escape + "]]\n";
  }
  return sessions;
}

CheckAnswer checked(const Scene& scene) {
  const auto outcome = scene.run({"check", "--json"});
  INFO(outcome.out.substr(0, 2000) << outcome.err);
  REQUIRE(outcome.exit_code == 1);
  return support::read_check_answer(outcome.out);
}

}  // namespace

TEST_CASE(
    "Path traversal: a path field that leads out of the workspace is reported at its line, in any "
    "spelling") {
  const Scene scene;
  const auto attempts = write_attempts(scene);
  const CheckAnswer answer = checked(scene);
  CHECK(scene.corpus().size() >= 200);
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

TEST_CASE(
    "Path traversal: a link that leads out of the workspace is reported at its line, in any "
    "spelling") {
  const Scene scene;
  const auto sessions = sessions_with_links(scene);
  for (const SessionFiles& session : sessions) {
    scene.write(session);
  }
  const CheckAnswer answer = checked(scene);
  INFO(answer.to_text());
  for (const SessionFiles& session : sessions) {
    const auto codes = answer.codes_at(session.summary.path());
    const auto lines = std::count(session.summary.body.begin(), session.summary.body.end(), '\n');
    CHECK(std::count(codes.begin(), codes.end(), "link-escapes-workspace") == lines);
    CHECK(static_cast<std::ptrdiff_t>(codes.size()) == lines);
  }
}

TEST_CASE(
    "Path traversal: links of a transcript that lead out of the workspace are quoted speech") {
  const Scene scene;
  SessionFiles session = sessions_with_links(scene).front();
  session.transcript.body = session.summary.body;
  session.summary.body = "Nothing to see.\n";
  scene.write(session);
  CHECK(checked(scene).codes_at(session.transcript.path()).empty());
}

TEST_CASE("Path traversal: a NUL ends no path, in a field or in a link") {
  const Scene scene;
  SessionFiles session("default", "nul", "2026-03-28T22:34:06.792Z");
  session.summary.fields.set("manifest_path", "\"../" + kSecret + "\\0.md\"");
  session.summary.body = "[[../" + kSecret + std::string(1, '\0') + ".md]]\n";
  scene.write(session);
  const auto codes = checked(scene).codes_at(session.summary.path());
  CHECK(codes == std::vector<std::string>{"link-escapes-workspace", "link-escapes-workspace"});
}

TEST_CASE("Path traversal: an agent's id is no path: nothing is published outside its folder") {
  const Scene scene;
  const std::vector<std::string> ids{"..",
                                     ".",
                                     "../..",
                                     "../../" + kSecret,
                                     "/" + kSecret,
                                     "a/b",
                                     "a\\b",
                                     "..\\" + kSecret,
                                     "%2e%2e",
                                     "~"};
  const TempFolder summary;
  summary.write("summary.md", "The gauge was mended.\n");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string time = "2026-03-2" + std::to_string(i % 9) + "T10:00:00.000Z";
    scene.write(SessionFiles(ids[i], "key-" + std::to_string(i), time));
    const auto captured = scene.run({"--agent",
                                     ids[i],
                                     "capture",
                                     "session-end",
                                     "--session-id",
                                     "s",
                                     "--summary",
                                     summary.at("summary.md")});
    INFO(ids[i] << captured.out << captured.err);
    CHECK(captured.exit_code != 0);
  }
  CHECK(scene.run({"reindex"}).exit_code == 0);
  CHECK(scene.names() == std::vector<std::string>{kSecret, "state", "vault"});
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scene.vault())) {
    INFO(entry.path().string());
    CHECK((entry.path().filename() != "MEMORY.md" ||
           entry.path().parent_path().string() == scene.vault()));
  }
}

namespace {

/// Everything that asks the system for a file by its name, each call on a line.
std::optional<std::string> calls_of(const Scene& scene, const std::vector<std::string>& words) {
  const TempFolder logs;
  const auto outcome =
      support::run(support::traced(scene.program(words), "%file", logs.at("calls")));
  if (outcome.exit_code < 0 || outcome.exit_code > 1) {
    WARN("strace may not be used here: " << outcome.err);
    return std::nullopt;
  }
  return logs.read("calls");
}

bool changes_something(const std::string& call) {
  const auto has = [&call](const char* part) { return call.find(part) != std::string::npos; };
  const bool failed = has(" = -1 ");
  return !failed &&
         (has("O_WRONLY") || has("O_RDWR") || has("O_CREAT") || has("mkdir") || has("rename") ||
          has("unlink") || has(" link(") || has(" linkat(") || has("symlink") || has("chmod"));
}

}  // namespace

TEST_CASE(
    "Path traversal: no command opens, makes or even looks at anything outside that a note names") {
  if (support::find_program("strace").empty()) {
    WARN("strace is not installed: not proved here");
    return;
  }
  const Scene scene;
  const auto attempts = write_attempts(scene, Repeats::none);
  for (const SessionFiles& session : sessions_with_links(scene)) {
    scene.write(session);
  }
  std::string all;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", "--json"},
        {"reindex", "--full"},
        {"reindex"},
        {"search", "--fresh", "outside"},
        {"show", "links-1"},
        {"links", "links-1", "--explain"},
        {"log", "--all"},
        {"render"},
        {"doctor", "--deep"},
        {"status"},
        {"conflicts"},
        {"watch", "--once"},
        {"remove", "--session", "links-1", "--reason", "x", "--yes"}}) {
    const auto calls = calls_of(scene, words);
    if (!calls) {
      return;
    }
    CAPTURE(words[0]);
    const std::size_t at = calls->find(kSecret);
    CHECK(
        (at == std::string::npos ? "" : calls->substr(at - std::min<std::size_t>(at, 300), 600)) ==
        "");
    std::istringstream lines(*calls);
    for (std::string call; std::getline(lines, call);) {
      if (changes_something(call) && call.find(scene.place()) == std::string::npos &&
          call.find("\"/dev/") == std::string::npos) {
        FAIL_CHECK("outside of vault and state: " << call);
      }
    }
    all += *calls;
  }
  CHECK(attempts.size() >= 200);
  CHECK(all.find("\"memory\", O_RDONLY") != std::string::npos);  // it does see what is opened
  CHECK(all.find("--manifest.md\", O_RDONLY") != std::string::npos);
}

}  // namespace daybook::test
