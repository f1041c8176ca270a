// SPDX-License-Identifier: MIT
#include "support/vault_builder.hpp"

#include "daybook/base/sha256.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/body_hash.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

namespace daybook::support {
namespace {

using lineage::Kind;

constexpr std::array kImmutableKinds{Kind::summary, Kind::transcript, Kind::compaction};
constexpr std::string_view kProject = "/home/dev/tidewater";

lineage::Timestamp time_of(const std::string& text) {
  const auto time = lineage::parse_timestamp(text);
  if (!time) {
    throw std::invalid_argument("not a timestamp: " + text);
  }
  return *time;
}

std::string body_of(Kind kind) {
  switch (kind) {
    case Kind::summary:
      return "# Short reads are retried\n\nsrc/gauge/import.cpp retries a short read three "
             "times.\n";
    case Kind::transcript:
      return "User: The importer drops readings.\n\nAssistant: src/gauge/import.cpp retries now.\n";
    case Kind::compaction:
      return "So far: src/gauge/import.cpp was read, and the short read was found.\n";
    case Kind::manifest:
      return "# Session manifest\n";
    case Kind::tombstone:
      break;
  }
  return {};
}

/// `summary_path` -> summary.
std::optional<Kind> kind_before(std::string_view key, std::string_view suffix) {
  return key.ends_with(suffix)
             ? lineage::kind_from_string(key.substr(0, key.size() - suffix.size()))
             : std::nullopt;
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.append({'\\', c});
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      out += escape.data();
    } else {
      out.push_back(c);
    }
  }
  return out + "\"";
}

YamlFields::Field& YamlFields::at(std::string_view key) {
  const auto found = std::find_if(
      fields_.begin(), fields_.end(), [key](const Field& field) { return field.key == key; });
  return found == fields_.end() ? fields_.emplace_back(Field{std::string(key), ""}) : *found;
}

YamlFields& YamlFields::set(std::string_view key, std::string yaml) {
  at(key).yaml = std::move(yaml);
  return *this;
}

YamlFields& YamlFields::set_text(std::string_view key, std::string_view text) {
  return set(key, json_quoted(text));
}

YamlFields& YamlFields::set_list(std::string_view key, const std::vector<std::string>& texts) {
  std::string yaml = texts.empty() ? "[]" : "";
  for (const std::string& text : texts) {
    yaml += "\n  - " + json_quoted(text);
  }
  return set(key, std::move(yaml));
}

YamlFields& YamlFields::set_automatic(std::string_view key) {
  at(key).yaml.reset();
  return *this;
}

YamlFields& YamlFields::remove(std::string_view key) {
  std::erase_if(fields_, [key](const Field& field) { return field.key == key; });
  return *this;
}

bool YamlFields::has(std::string_view key) const {
  return std::any_of(
      fields_.begin(), fields_.end(), [key](const Field& field) { return field.key == key; });
}

std::string YamlFields::get(std::string_view key) const {
  const auto found = std::find_if(
      fields_.begin(), fields_.end(), [key](const Field& field) { return field.key == key; });
  return found == fields_.end() ? std::string() : found->yaml.value_or("");
}

SessionFiles::SessionFiles(std::string_view agent_id,
                           std::string_view session_key,
                           std::string_view captured_at,
                           std::string_view session_id)
    : agent_id_(agent_id),
      session_key_(session_key),
      session_id_(session_id.empty() ? "run-" + std::string(session_key) : session_id),
      captured_at_(captured_at),
      token_(lineage::SessionToken::derive(agent_id,
                                           lineage::session_identity(session_key_, session_id_))
                 .to_string()) {
  for (const Kind kind : kImmutableKinds) {
    fill_in_artifact(kind);
  }
  fill_in_manifest();
  fill_in_tombstone();
  compaction.present = false;
  tombstone.present = false;
}

VaultFile& SessionFiles::file(Kind kind) {
  switch (kind) {
    case Kind::summary:
      return summary;
    case Kind::transcript:
      return transcript;
    case Kind::compaction:
      return compaction;
    case Kind::manifest:
      return manifest;
    case Kind::tombstone:
      break;
  }
  return tombstone;
}

const VaultFile& SessionFiles::file(Kind kind) const {
  return const_cast<SessionFiles*>(this)->file(kind);
}

std::string SessionFiles::file_name(Kind kind) const {
  return lineage::to_file_string(time_of(captured_at_)) + "--" + token_ + "--" +
         std::string(to_string(kind)) + ".md";
}

void SessionFiles::fill_in_identity(VaultFile& file, Kind kind) {
  file.name = file_name(kind);
  file.body = body_of(kind);
  file.fields.set_text("kind", to_string(kind));
  file.fields.set_text("agent_id", agent_id_);
  if (kind == Kind::tombstone) {
    return;
  }
  file.fields.set_text("session_id", session_id_);
  file.fields.set("session_key", session_key_.empty() ? "null" : json_quoted(session_key_));
  file.fields.set_text("project", kProject);
  file.fields.set_text("harness", "claude-code");
  file.fields.set_text("captured_at", captured_at_);
}

void SessionFiles::fill_in_artifact(Kind kind) {
  VaultFile& artifact = file(kind);
  fill_in_identity(artifact, kind);
  YamlFields& fields = artifact.fields;
  fields.set("started_at", "null");
  fields.set_text("ended_at", captured_at_);
  fields.set_automatic("manifest_path");
  fields.set("source_node_id", "null");
  fields.set_automatic("content_sha256");
  fields.set_text("hash_scope", lineage::kHashScope);
  if (kind == Kind::transcript) {
    fields.set_text("sanitizer_version", "sanitize_transcript_v1");
  }
  fields.set_text(
      "memory_sentence",
      "Made src/gauge/import.cpp of tidewater retry short reads three times, after which "
      "all readings of February arrived without a gap.");
  fields.set_text("memory_sentence_version", "memory_sentence_v1");
  fields.set_text("memory_sentence_quality", "ok");
  fields.set_text("memory_sentence_generated_at", captured_at_);
}

void SessionFiles::fill_in_manifest() {
  fill_in_identity(manifest, Kind::manifest);
  for (const Kind kind : kImmutableKinds) {
    manifest.fields.set_automatic(std::string(to_string(kind)) + "_path");
  }
  manifest.fields.set_list("memory_md_refs", {"MEMORY.md#Session Ledger (Last 30 Days)"});
  manifest.fields.set_text("updated_at", captured_at_);
  manifest.fields.set("revision", "1");
}

void SessionFiles::fill_in_tombstone() {
  fill_in_identity(tombstone, Kind::tombstone);
  tombstone.fields.set_text("session_token", token_);
  tombstone.fields.set_text("removed_at", captured_at_);
  tombstone.fields.set_text("reason", "user request");
  tombstone.fields.set_list("removed_paths", {summary.path(), transcript.path(), manifest.path()});
}

SessionFiles& SessionFiles::set_everywhere(std::string_view key, const std::string& yaml) {
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest}) {
    file(kind).fields.set(key, yaml);
  }
  return *this;
}

SessionFiles& SessionFiles::seal() {
  for (const Kind kind : kImmutableKinds) {
    if (file(kind).present) {
      manifest.fields.set_automatic(std::string(to_string(kind)) + "_sha256");
    }
  }
  return *this;
}

std::string SessionFiles::automatic(const VaultFile& owner, std::string_view key) const {
  if (key == "content_sha256") {
    return json_quoted(base::to_hex(lineage::body_hash(owner.body)));
  }
  if (const auto kind = kind_before(key, "_path")) {
    return file(*kind).present ? json_quoted(file(*kind).path()) : "null";
  }
  if (const auto kind = kind_before(key, "_sha256")) {
    return json_quoted(base::to_hex(lineage::file_seal(text(*kind))));
  }
  throw std::invalid_argument("nothing is known of the field " + std::string(key));
}

std::string SessionFiles::text(Kind kind) const {
  const VaultFile& wanted = file(kind);
  if (wanted.bytes) {
    return *wanted.bytes;
  }
  std::string text = "---\n";
  if (wanted.frontmatter) {
    text += *wanted.frontmatter;
  } else {
    for (const YamlFields::Field& field : wanted.fields.all()) {
      const std::string yaml = field.yaml ? *field.yaml : automatic(wanted, field.key);
      text += field.key + (yaml.empty() || yaml.front() == '\n' ? ":" : ": ") + yaml + "\n";
    }
  }
  return text + wanted.extra_frontmatter + "---\n" + wanted.body;
}

void SessionFiles::write(const TempFolder& place, std::string_view workspace) const {
  const std::string root = workspace.empty() ? std::string() : std::string(workspace) + "/";
  for (const Kind kind :
       {Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest, Kind::tombstone}) {
    if (file(kind).present) {
      place.write(root + file(kind).path(), text(kind));
    }
  }
}

void write_sessions(const TempFolder& place, int count, std::string_view workspace) {
  const lineage::Timestamp first = time_of("2026-03-01T09:00:00Z");
  for (int i = 0; i < count; ++i) {
    const lineage::Timestamp time{first.ms + i * 60'000LL};
    SessionFiles("default", "key-" + std::to_string(i), lineage::to_string(time))
        .write(place, workspace);
  }
}

}  // namespace daybook::support
