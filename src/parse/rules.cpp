// SPDX-License-Identifier: MIT
#include "daybook/parse/rules.hpp"

#include "daybook/base/printable.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/sentence_gate.hpp"
#include "daybook/parse/field_reader.hpp"

#include <algorithm>
#include <string>

namespace daybook::parse {
namespace {

using lineage::Artifact;
using lineage::Code;
using lineage::Diagnostic;
using lineage::Kind;
using lineage::Manifest;
using lineage::NameForm;
using lineage::NameReading;
using lineage::SessionFields;
using lineage::SessionToken;
using lineage::Tombstone;

std::string read_agent_id(FieldReader& reader) {
  std::string agent_id = reader.text("agent_id", Presence::value);
  if (!agent_id.empty() && !lineage::is_valid_agent_id(agent_id)) {
    reader.add(Code::bad_agent_id, reader.line("agent_id"), {});
  }
  return agent_id;
}

void check_name_time(FieldReader& reader,
                     const NameReading& name,
                     std::string_view field,
                     std::optional<lineage::Timestamp> time) {
  if (name.form == NameForm::bad_timestamp) {
    reader.add(Code::bad_timestamp, 0, "The file name does not begin with a timestamp");
  } else if (time && *time != name.name.captured_at) {
    reader.add(Code::name_mismatch,
               reader.line(field),
               "The file name says " + to_string(name.name.captured_at) + ", " +
                   std::string(field) + " says " + to_string(*time));
  }
}

void check_token(FieldReader& reader, const NameReading& name, const SessionFields& session) {
  if (session.agent_id.empty() || session.session_id.empty()) {
    return;  // reported as missing; no token can be derived
  }
  const auto right = SessionToken::derive(
      session.agent_id, lineage::session_identity(session.session_key, session.session_id));
  const auto written = SessionToken::parse(name.token_text);
  if (written == right) {
    return;
  }
  const auto from_id = SessionToken::derive(session.agent_id, session.session_id);
  if (written == from_id) {
    reader.add(Code::token_from_session_id, 0, {});
    return;
  }
  reader.add(Code::token_mismatch,
             0,
             "The file name has the token " + base::quoted(name.token_text) +
                 ", the session in the frontmatter has " + right.to_string());
}

SessionFields read_session(FieldReader& reader, const NameReading& name) {
  SessionFields session;
  session.agent_id = read_agent_id(reader);
  session.session_id = reader.text("session_id", Presence::value);
  session.session_key = reader.text("session_key", Presence::key);
  session.project = reader.text("project", Presence::key);
  session.harness = reader.text("harness", Presence::key);
  const auto captured_at = reader.timestamp("captured_at", Presence::value);
  session.captured_at = captured_at.value_or(name.name.captured_at);
  check_name_time(reader, name, "captured_at", captured_at);
  check_token(reader, name, session);
  return session;
}

lineage::MemorySentence read_sentence(FieldReader& reader) {
  lineage::MemorySentence sentence;
  sentence.text = reader.text("memory_sentence", Presence::optional);
  if (sentence.text.empty()) {
    return sentence;  // the gate reports it once; its particulars are then of no use
  }
  sentence.version = reader.text("memory_sentence_version", Presence::value);
  const std::string quality = reader.text("memory_sentence_quality", Presence::value);
  if (quality == "fallback") {
    sentence.quality = lineage::SentenceQuality::fallback;
  } else if (!quality.empty() && quality != "ok") {
    reader.add(Code::wrong_type,
               reader.line("memory_sentence_quality"),
               "Field 'memory_sentence_quality' must be ok or fallback");
  }
  sentence.generated_at = reader.timestamp("memory_sentence_generated_at", Presence::value);
  return sentence;
}

/// Of a field that others may use in their own way: what is not text is nobody's finding.
std::string lenient_text(const Frontmatter& fields, std::string_view key) {
  const auto* field = fields.find(key);
  return field == nullptr || field->is_list ? std::string() : std::string(field->scalar.text);
}

std::optional<lineage::RunRecord> read_run(const Frontmatter& fields) {
  const auto status = lineage::run_status_from_string(lenient_text(fields, "run_status"));
  if (!status) {
    return std::nullopt;
  }
  lineage::RunRecord run{*status,
                         lenient_text(fields, "request_preview"),
                         lenient_text(fields, "outcome_preview"),
                         {},
                         lenient_text(fields, "run_summary")};
  if (const auto* markers = fields.find("failure_markers"); markers != nullptr) {
    for (const Scalar& marker : fields.items(*markers)) {
      run.failure_markers.emplace_back(marker.text);
    }
  }
  return run;
}

Artifact read_artifact(FieldReader& reader, const Frontmatter& fields, const NameReading& name) {
  Artifact artifact;
  artifact.kind = *name.kind;
  artifact.session = read_session(reader, name);
  artifact.started_at = reader.timestamp("started_at", Presence::key);
  artifact.ended_at = reader.timestamp("ended_at", Presence::key);
  artifact.manifest_path =
      reader.path("manifest_path", Presence::value).value_or(lineage::PathField{});
  artifact.source_node_id = reader.text("source_node_id", Presence::key);
  artifact.content_sha256 = reader.digest("content_sha256", Presence::value);
  artifact.content_sha256_line = reader.line("content_sha256");
  const std::string scope = reader.text("hash_scope", Presence::value);
  if (!scope.empty() && scope != lineage::kHashScope) {
    reader.add(Code::hash_scope, reader.line("hash_scope"), {});
    artifact.content_sha256.reset();  // made by rules that are not known here
  }
  artifact.sanitizer_version =
      reader.text("sanitizer_version",
                  artifact.kind == Kind::transcript ? Presence::value : Presence::optional);
  artifact.sentence = read_sentence(reader);
  artifact.sentence_line = reader.line("memory_sentence");
  if (artifact.kind == Kind::summary) {
    artifact.run = read_run(fields);
  }
  artifact.parent_session_id = lenient_text(fields, "parent_session_id");
  return artifact;
}

Manifest read_manifest(FieldReader& reader, const NameReading& name) {
  Manifest manifest;
  manifest.session = read_session(reader, name);
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction}) {
    const std::string prefix(to_string(kind));
    manifest.entry(kind).path = reader.path(prefix + "_path", Presence::key);
    manifest.entry(kind).seal = reader.digest(prefix + "_sha256", Presence::optional);
  }
  manifest.earlier_paths = reader.path_list("earlier_paths", Presence::optional);
  manifest.memory_md_refs = reader.text_list("memory_md_refs", Presence::key);
  manifest.updated_at = reader.timestamp("updated_at", Presence::value);
  manifest.revision =
      reader.number("revision", Presence::optional, lineage::kMostRevision).value_or(0);
  manifest.device = reader.text("device", Presence::optional);
  return manifest;
}

void read_removed_bodies(FieldReader& reader, Tombstone& tombstone) {
  for (const std::string& hex : reader.text_list("removed_sha256", Presence::optional)) {
    if (const auto digest = base::digest_from_hex(hex)) {
      tombstone.removed_sha256.push_back(*digest);
    } else {
      reader.add(Code::wrong_type,
                 reader.line("removed_sha256"),
                 "Field 'removed_sha256' must list 64 lower-case hexadecimal characters each");
    }
  }
}

void read_also_tokens(FieldReader& reader, Tombstone& tombstone) {
  for (const std::string& text : reader.text_list("also_tokens", Presence::optional)) {
    if (const auto token = SessionToken::parse(text)) {
      tombstone.also_tokens.push_back(*token);
    } else {
      reader.add(Code::wrong_type,
                 reader.line("also_tokens"),
                 "Field 'also_tokens' must list tokens of 16 base32 letters");
    }
  }
}

/// What was learned is named by its number; the token in the file's name follows from it.
void read_learning_id(FieldReader& reader, Tombstone& tombstone) {
  tombstone.learning_id = reader.number("learning_id", Presence::value, lineage::kMostLearningId);
  if (tombstone.learning_id && lineage::is_valid_agent_id(tombstone.agent_id) &&
      lineage::learning_token(tombstone.agent_id, *tombstone.learning_id) != tombstone.token) {
    reader.add(Code::token_mismatch,
               reader.line("learning_id"),
               "The token in the file name is not that of learning_id");
  }
}

void read_scope(FieldReader& reader, Tombstone& tombstone) {
  const std::string scope = reader.text("scope", Presence::optional);
  const auto& names = lineage::kTombstoneScopeNames;
  const auto found = std::find(names.begin(), names.end(), scope);
  if (found != names.end()) {
    tombstone.scope = static_cast<lineage::TombstoneScope>(found - names.begin());
  } else if (!scope.empty()) {
    reader.add(Code::wrong_type,
               reader.line("scope"),
               "Field 'scope' must be session, paths, learning or revocation");
  }
  if (is_of_learning(tombstone.scope)) {
    read_learning_id(reader, tombstone);
  }
}

Tombstone read_tombstone(FieldReader& reader, const NameReading& name) {
  Tombstone tombstone;
  tombstone.agent_id = read_agent_id(reader);
  tombstone.token = name.name.token;
  const std::string token = reader.text("session_token", Presence::value);
  if (!token.empty() && token != name.token_text) {
    reader.add(Code::token_mismatch,
               0,
               "The file name has the token " + base::quoted(name.token_text) +
                   ", session_token is " + base::quoted(token));
  }
  tombstone.removed_at = reader.timestamp("removed_at", Presence::value);
  check_name_time(reader, name, "removed_at", tombstone.removed_at);
  tombstone.lifted_at = reader.timestamp("lifted_at", Presence::optional);
  tombstone.reason = reader.text("reason", Presence::value);
  tombstone.removed_paths = reader.text_list("removed_paths", Presence::key);
  read_scope(reader, tombstone);
  read_removed_bodies(reader, tombstone);
  read_also_tokens(reader, tombstone);
  return tombstone;
}

/// Whether the frontmatter says that the file is what its name says.
bool kind_agrees(FieldReader& reader, Kind by_name) {
  const std::string kind = reader.text("kind", Presence::value);
  if (kind.empty() || kind == to_string(by_name)) {
    return true;  // a missing kind is reported, and the name's is taken to see what else is wrong
  }
  if (!lineage::kind_from_string(kind)) {
    reader.add(Code::unknown_kind,
               reader.line("kind"),
               "kind is " + base::quoted(kind) +
                   ", none of summary, transcript, compaction, manifest, tombstone");
  } else {
    reader.add(Code::name_mismatch,
               reader.line("kind"),
               "The file name says " + std::string(to_string(by_name)) + ", kind says " + kind);
  }
  return false;
}

std::string describe(lineage::SentenceFlaw flaw, std::string_view sentence) {
  const std::string code = " (" + std::string(to_string(flaw)) + ")";
  const std::string words = std::to_string(lineage::count_words(sentence));
  switch (flaw) {
    case lineage::SentenceFlaw::missing:
      return "memory_sentence is missing" + code;
    case lineage::SentenceFlaw::too_few_words:
    case lineage::SentenceFlaw::too_many_words:
      return "memory_sentence has " + words + " words instead of 12 to 48" + code;
    case lineage::SentenceFlaw::no_terminal_punctuation:
      return "memory_sentence does not end with a full stop, '!' or '?'" + code;
    case lineage::SentenceFlaw::no_anchor:
      return "memory_sentence names nothing concrete: no project, path, identifier or component" +
             code;
    case lineage::SentenceFlaw::low_signal_template:
      break;
  }
  return "memory_sentence is a phrase that says nothing" + code;
}

}  // namespace

Record read_record(const Frontmatter& fields,
                   const NameReading& name,
                   std::vector<Diagnostic>& diagnostics) {
  FieldReader reader(fields, diagnostics);
  if (!kind_agrees(reader, *name.kind)) {
    return {};
  }
  switch (*name.kind) {
    case Kind::manifest:
      return read_manifest(reader, name);
    case Kind::tombstone:
      return read_tombstone(reader, name);
    default:
      return read_artifact(reader, fields, name);
  }
}

std::string_view agent_id_of(const Frontmatter& fields) {
  const auto* field = fields.find("agent_id");
  return field == nullptr || field->is_list ? std::string_view{} : field->scalar.text;
}

std::vector<SessionToken> session_tokens_of(const Frontmatter& fields) {
  std::vector<SessionToken> tokens;
  const std::string_view agent_id = agent_id_of(fields);
  if (!lineage::is_valid_agent_id(agent_id)) {
    return tokens;
  }
  for (const char* key : {"session_key", "session_id"}) {
    const auto* field = fields.find(key);
    if (field != nullptr && !field->is_list && !field->scalar.text.empty()) {
      tokens.push_back(SessionToken::derive(agent_id, field->scalar.text));
    }
  }
  return tokens;
}

void check_body(const Artifact& artifact,
                const base::Digest& body_hash,
                std::string_view session_text,
                std::vector<Diagnostic>& diagnostics) {
  if (artifact.content_sha256 && *artifact.content_sha256 != body_hash) {
    diagnostics.push_back({Code::checksum_mismatch, artifact.content_sha256_line, {}});
  }
  const std::string& sentence = artifact.sentence.text;
  const auto flaws = lineage::sentence_flaws(sentence, {artifact.session.project, session_text});
  if (!flaws.empty()) {
    // One finding a sentence: the flaw that explains most; the others would only repeat.
    const bool is_template = flaws.back() == lineage::SentenceFlaw::low_signal_template;
    diagnostics.push_back({Code::sentence_quality,
                           artifact.sentence_line,
                           describe(is_template ? flaws.back() : flaws.front(), sentence)});
  }
}

}  // namespace daybook::parse
