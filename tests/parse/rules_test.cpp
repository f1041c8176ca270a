// SPDX-License-Identifier: MIT
//
// What one file's frontmatter says. The fixtures show every diagnostic once; here are the values
// that come out, and the corners.
#include "daybook/parse/rules.hpp"

#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/learning.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace {

using daybook::lineage::Artifact;
using daybook::lineage::Code;
using daybook::lineage::Diagnostic;
using daybook::lineage::Manifest;
using daybook::lineage::Tombstone;
using daybook::lineage::TombstoneScope;

constexpr const char* kName = "2026-03-28T22-34-06.792Z--ly63agshl7q5mxfi--";

using Fields = std::map<std::string, std::string>;

Fields summary_fields() {
  return {{"kind", "summary"},
          {"agent_id", "default"},
          {"session_id", "s-1"},
          {"session_key", "a245b4fc-b607-4c50-8566-ebe23264272f"},
          {"project", "/home/me/daybook"},
          {"harness", "claude-code"},
          {"captured_at", "2026-03-28T22:34:06.792Z"},
          {"started_at", "null"},
          {"ended_at", "2026-03-28T23:30:00+01:00"},
          {"manifest_path", std::string("memory/") + kName + "manifest.md"},
          {"source_node_id", "null"},
          {"content_sha256", std::string(64, 'a')},
          {"hash_scope", "body-normalized-v1"},
          {"memory_sentence", "\"Said something.\""},
          {"memory_sentence_version", "memory_sentence_v1"},
          {"memory_sentence_quality", "fallback"},
          {"memory_sentence_generated_at", "2026-03-28T22:34:07Z"}};
}

struct Outcome {
  daybook::parse::Record record;
  std::vector<Diagnostic> diagnostics;

  bool has(Code code) const {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [code](const Diagnostic& found) {
      return found.code == code;
    });
  }
};

Outcome read(const Fields& fields, const std::string& file_name) {
  std::string yaml;
  for (const auto& [key, value] : fields) {
    yaml += key + ": " + value + "\n";
  }
  Outcome outcome;
  daybook::parse::Frontmatter frontmatter;
  REQUIRE(daybook::parse::read_frontmatter(yaml, frontmatter, outcome.diagnostics));
  outcome.record = daybook::parse::read_record(
      frontmatter, daybook::lineage::read_artifact_name(file_name), outcome.diagnostics);
  return outcome;
}

Outcome read_summary(const Fields& fields) {
  return read(fields, std::string(kName) + "summary.md");
}

}  // namespace

TEST_CASE("A right summary becomes a record without a word") {
  const Outcome outcome = read_summary(summary_fields());
  CHECK(outcome.diagnostics.empty());
  const auto& artifact = std::get<Artifact>(outcome.record);
  CHECK(artifact.session.agent_id == "default");
  CHECK(artifact.session.project == "/home/me/daybook");
  CHECK_FALSE(artifact.started_at.has_value());
  CHECK(to_string(artifact.membership()) == "2026-03-28T22:30:00.000Z");
  CHECK(artifact.sentence.quality == daybook::lineage::SentenceQuality::fallback);
  CHECK(artifact.content_sha256.has_value());
}

TEST_CASE("Without ended_at a session counts from its capture") {
  Fields fields = summary_fields();
  fields["ended_at"] = "null";
  const auto record = read_summary(fields).record;
  CHECK(to_string(std::get<Artifact>(record).membership()) == "2026-03-28T22:34:06.792Z");
}

TEST_CASE("Each required field is missed by its name") {
  for (const auto& [key, value] : summary_fields()) {
    Fields fields = summary_fields();
    fields.erase(key);
    const Outcome outcome = read_summary(fields);
    INFO(key);
    if (key == "memory_sentence") {
      CHECK(outcome.diagnostics.empty());  // the gate reports it, as a warning
      continue;
    }
    const auto found = std::find_if(
        outcome.diagnostics.begin(), outcome.diagnostics.end(), [&key = key](const Diagnostic& d) {
          return d.code == Code::missing_field &&
                 d.message.find("'" + key + "'") != std::string::npos;
        });
    CHECK(found != outcome.diagnostics.end());
  }
}

TEST_CASE("A transcript needs its sanitizer's version") {
  Fields fields = summary_fields();
  fields["kind"] = "transcript";
  CHECK(read(fields, std::string(kName) + "transcript.md").has(Code::missing_field));
  fields["sanitizer_version"] = "sanitize_transcript_v1";
  CHECK(read(fields, std::string(kName) + "transcript.md").diagnostics.empty());
}

TEST_CASE("Any spelling of the same instant agrees with the file name") {
  for (const char* time : {"2026-03-28T22:34:06.792Z",
                           "2026-03-28T23:34:06.7929+01:00",
                           "2026-03-28t12:34:06.792-10:00"}) {
    Fields fields = summary_fields();
    fields["captured_at"] = time;
    INFO(time);
    CHECK(read_summary(fields).diagnostics.empty());
  }
  Fields fields = summary_fields();
  fields["captured_at"] = "2026-03-28T22:34:06.793Z";
  CHECK(read_summary(fields).has(Code::name_mismatch));
}

TEST_CASE("A checksum of another scope is reported and not compared") {
  Fields fields = summary_fields();
  fields["hash_scope"] = "whole-file";
  const Outcome outcome = read_summary(fields);
  CHECK(outcome.has(Code::hash_scope));
  CHECK_FALSE(std::get<Artifact>(outcome.record).content_sha256.has_value());
}

TEST_CASE("A hash in capitals or of another length has the wrong type") {
  for (const std::string& hash : {std::string(64, 'A'), std::string(63, 'a'), std::string("0")}) {
    Fields fields = summary_fields();
    fields["content_sha256"] = hash;
    CHECK(read_summary(fields).has(Code::wrong_type));
  }
}

TEST_CASE("A manifest's entries, seals and lists become a record") {
  Fields fields{{"kind", "manifest"},
                {"agent_id", "default"},
                {"session_id", "s-1"},
                {"session_key", "a245b4fc-b607-4c50-8566-ebe23264272f"},
                {"project", "null"},
                {"harness", "null"},
                {"captured_at", "2026-03-28T22:34:06.792Z"},
                {"summary_path", "memory/a.md"},
                {"summary_sha256", std::string(64, 'b')},
                {"transcript_path", "null"},
                {"compaction_path", "null"},
                {"earlier_paths", "[memory/b.md, memory/c.md]"},
                {"memory_md_refs", "[]"},
                {"updated_at", "2026-03-28T22:34:07Z"},
                {"revision", "12"},
                {"extra", "kept"}};
  const Outcome outcome = read(fields, std::string(kName) + "manifest.md");
  CHECK(outcome.diagnostics.empty());
  const auto& manifest = std::get<Manifest>(outcome.record);
  CHECK(manifest.summary.path->path == "memory/a.md");
  CHECK(manifest.summary.seal.has_value());
  CHECK_FALSE(manifest.transcript.path.has_value());
  CHECK(manifest.earlier_paths.size() == 2);
  CHECK(manifest.revision == 12);
  for (const char* revision :
       {"-1", "1.5", "many", "9007199254740992", "99999999999999999999999"}) {
    fields["revision"] = revision;
    CHECK(read(fields, std::string(kName) + "manifest.md").has(Code::wrong_type));
  }
}

TEST_CASE("A tombstone takes its token from the name, whatever else is wrong with it") {
  const Fields fields{{"kind", "tombstone"}, {"session_token", "bozi3yioxozgkljr"}};
  const Outcome outcome = read(fields, std::string(kName) + "tombstone.md");
  CHECK(outcome.has(Code::missing_field));
  CHECK(outcome.has(Code::token_mismatch));
  CHECK(std::get<Tombstone>(outcome.record).token.to_string() == "ly63agshl7q5mxfi");
}

TEST_CASE("A tombstone of something learned names it by its number") {
  const auto token = daybook::lineage::learning_token("default", 7).to_string();
  const std::string name = "2026-03-28T22-34-06.792Z--" + token + "--tombstone.md";
  Fields fields{{"kind", "tombstone"},
                {"agent_id", "default"},
                {"session_token", token},
                {"removed_at", "2026-03-28T22:34:06.792Z"},
                {"reason", "\"gone stale\""},
                {"scope", "learning"},
                {"learning_id", "7"},
                {"removed_paths", "[]"}};
  const Outcome right = read(fields, name);
  CHECK(right.diagnostics.empty());
  CHECK(std::get<Tombstone>(right.record).scope == TombstoneScope::learning);
  CHECK(std::get<Tombstone>(right.record).learning_id == 7U);
  fields["scope"] = "revocation";
  CHECK(std::get<Tombstone>(read(fields, name).record).scope == TombstoneScope::revocation);
  fields["learning_id"] = "8";
  CHECK(read(fields, name).has(Code::token_mismatch));
  fields.erase("learning_id");
  CHECK(read(fields, name).has(Code::missing_field));
  fields["scope"] = "everything";
  CHECK(read(fields, name).has(Code::wrong_type));
}

TEST_CASE("The body is held against its checksum and the sentence against the gate") {
  Artifact artifact;
  artifact.session.project = "/home/me/daybook";
  artifact.content_sha256 = daybook::lineage::body_hash("text\n");
  artifact.sentence.text =
      "Moved the frontmatter reader of daybook to one pass and proved it against yaml-cpp today.";
  std::vector<Diagnostic> diagnostics;
  daybook::parse::check_body(artifact, daybook::lineage::body_hash("text"), {}, diagnostics);
  CHECK(diagnostics.empty());
  daybook::parse::check_body(artifact, daybook::lineage::body_hash("other"), {}, diagnostics);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics.back().code == Code::checksum_mismatch);
  artifact.sentence.text = "Too short.";
  daybook::parse::check_body(artifact, daybook::lineage::body_hash("text"), {}, diagnostics);
  REQUIRE(diagnostics.size() == 2);
  CHECK(diagnostics.back().code == Code::sentence_quality);
  CHECK_THAT(diagnostics.back().message, Catch::Contains("too-few-words"));
}
