// SPDX-License-Identifier: MIT
//
// Vaults for tests: a session whose files are right in every respect, of which a test then alters
// what it wants to be wrong. What depends on other parts (hashes, the paths by which the files name
// each other, seals) is worked out when the files are written, so that an altered body, name or
// folder stays consistent unless the test says otherwise.
//
//   SessionFiles session("default", "key-1", "2026-03-28T22:34:06.792Z");
//   session.summary.fields.set("project", "\"/x\"");
//   session.summary.body = "...";
//   session.write(folder);
//
// Plain data; one thread. Throws what TempFolder throws.
#pragma once

#include "daybook/lineage/kind.hpp"
#include "support/temp_folder.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daybook::support {

/// Text as a JSON string, quotes included: the form in which artifacts carry strings.
std::string json_quoted(std::string_view text);

/// `key: value` lines in their order. Values are YAML as it will stand in the file.
class YamlFields {
 public:
  /// In the place of the key's former value, or behind all others.
  YamlFields& set(std::string_view key, std::string yaml);
  YamlFields& set_text(std::string_view key, std::string_view text);
  YamlFields& set_list(std::string_view key, const std::vector<std::string>& texts);
  /// Worked out when written: content_sha256, *_path, *_sha256.
  YamlFields& set_automatic(std::string_view key);
  YamlFields& remove(std::string_view key);

  [[nodiscard]] bool has(std::string_view key) const;
  /// The YAML as set; empty if there is none, or if it is automatic.
  [[nodiscard]] std::string get(std::string_view key) const;

  struct Field {
    std::string key;
    std::optional<std::string> yaml;  ///< nothing: automatic
  };
  [[nodiscard]] const std::vector<Field>& all() const { return fields_; }

 private:
  Field& at(std::string_view key);

  std::vector<Field> fields_;
};

/// One file of a session. What is empty or not set follows from the rest.
struct VaultFile {
  bool present = true;  ///< false: not written, and null where the manifest would name it
  YamlFields fields;
  std::string body;
  std::string folder = "memory";
  std::string name;                        ///< else {captured_at}--{token}--{kind}.md
  std::optional<std::string> frontmatter;  ///< instead of the fields; without the `---` lines
  std::string extra_frontmatter;           ///< lines behind the fields
  std::optional<std::string> bytes;        ///< instead of everything

  [[nodiscard]] std::string path() const { return folder + "/" + name; }
};

class SessionFiles {
 public:
  /// An empty session_key is written as null; the session is then known by its id. The session_id
  /// is made from the key unless given.
  SessionFiles(std::string_view agent_id,
               std::string_view session_key,
               std::string_view captured_at,
               std::string_view session_id = {});

  VaultFile summary;
  VaultFile transcript;
  VaultFile compaction;  ///< not present unless wanted
  VaultFile manifest;
  VaultFile tombstone;  ///< not present unless wanted

  [[nodiscard]] VaultFile& file(lineage::Kind kind);
  [[nodiscard]] const VaultFile& file(lineage::Kind kind) const;

  /// Sets the same field in summary, transcript, compaction and manifest.
  SessionFiles& set_everywhere(std::string_view key, const std::string& yaml);
  /// The manifest carries the seals of the files that are present.
  SessionFiles& seal();

  /// The whole file, as it is written.
  [[nodiscard]] std::string text(lineage::Kind kind) const;
  [[nodiscard]] const std::string& token() const { return token_; }
  /// `2026-03-28T22-34-06.792Z--{token}--{kind}.md`
  [[nodiscard]] std::string file_name(lineage::Kind kind) const;

  /// Writes what is present below `workspace`, a folder in `place`; an empty one means `place`.
  void write(const TempFolder& place, std::string_view workspace = {}) const;

 private:
  [[nodiscard]] std::string automatic(const VaultFile& owner, std::string_view key) const;
  void fill_in_artifact(lineage::Kind kind);
  void fill_in_manifest();
  void fill_in_tombstone();
  void fill_in_identity(VaultFile& file, lineage::Kind kind);

  std::string agent_id_;
  std::string session_key_;
  std::string session_id_;
  std::string captured_at_;
  std::string token_;
};

/// `count` right sessions of the agent `default`, one after the other from 2026-03-01 on; their
/// keys are key-0, key-1, …
void write_sessions(const TempFolder& place, int count, std::string_view workspace = {});

}  // namespace daybook::support
