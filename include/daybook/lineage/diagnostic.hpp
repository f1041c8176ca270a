// SPDX-License-Identifier: MIT
//
// What is wrong with a note, as data: a stable code with its severity and a hint, a line where
// known, and a sentence. The same list names every code in JSON, SARIF and docs/CHECKS.md. Pure
// values, kept small because a vault of 300,000 files may carry one each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace daybook::lineage {

enum class Severity : std::uint8_t { info, warning, error };

std::string_view to_string(Severity severity);
std::optional<Severity> severity_from_string(std::string_view name);

enum class Code : std::uint8_t {
  bad_agent_id,
  bad_timestamp,
  checksum_mismatch,
  conflict_copy,
  duplicate_artifact,
  duplicate_key,
  duplicate_learning,
  hash_scope,
  immutable_changed,
  invalid_utf8,
  learning_secret,
  learning_status,
  lineage_mismatch,
  link_escapes_workspace,
  link_missing_target,
  link_not_root_relative,
  link_to_removed,
  links_scanned_linearly,
  manifest_stale_revision,
  missing_field,
  missing_frontmatter,
  name_mismatch,
  removed_content_present,
  sentence_quality,
  token_from_session_id,
  token_mismatch,
  too_large,
  unknown_kind,
  unreadable,
  wrong_type,
  yaml_forbidden,
  yaml_syntax,
};

enum class Invalidates : std::uint8_t { no, yes };

struct CodeInfo {
  Code code;
  std::string_view name;  ///< kebab-case, stable
  Severity severity;
  Invalidates invalidates;    ///< whether the artifact is kept out of projections and search
  std::string_view sentence;  ///< used when a diagnostic brings no message of its own
  std::string_view hint;      ///< what to do
};

std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);
std::optional<Code> code_from_string(std::string_view name);

struct Diagnostic {
  Code code;
  std::uint32_t line = 0;  ///< 1 is the first line of the file; 0: the name, or not known
  std::string message;     ///< empty: the code's own sentence

  std::string_view sentence() const { return message.empty() ? info(code).sentence : message; }
  /// Whether both tell a person the same.
  bool operator==(const Diagnostic& other) const {
    return code == other.code && line == other.line && sentence() == other.sentence();
  }
};

}  // namespace daybook::lineage
