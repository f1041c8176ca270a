// SPDX-License-Identifier: MIT
#include "daybook/lineage/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace daybook::lineage {
namespace {

constexpr auto kError = Severity::error;
constexpr auto kWarning = Severity::warning;
constexpr auto kInfo = Severity::info;
constexpr auto kInvalid = Invalidates::yes;
constexpr auto kStaysValid = Invalidates::no;

// In the order of the enumeration; a test holds the two together.
constexpr std::array kCodes{
    CodeInfo{Code::bad_agent_id,
             "bad-agent-id",
             kError,
             kInvalid,
             "agent_id is not 1 to 64 of the characters A-Z a-z 0-9 . _ -",
             "Use letters, digits, dots, underscores and dashes, and one spelling for each agent."},
    CodeInfo{Code::bad_timestamp,
             "bad-timestamp",
             kError,
             kInvalid,
             "A timestamp cannot be read",
             "Write it as RFC 3339 with Z or an offset, such as 2026-03-28T22:34:06.792Z."},
    CodeInfo{Code::checksum_mismatch,
             "checksum-mismatch",
             kError,
             kInvalid,
             "The body does not match content_sha256: it was changed after it was written",
             "Put the original text back (git, a backup, another device)."},
    CodeInfo{
        Code::conflict_copy,
        "conflict-copy",
        kWarning,
        kStaysValid,
        "This is a conflict copy that a synchroniser left",
        "'daybook conflicts' says what can be done; of two that differ keep the right one under "
        "the original name."},
    CodeInfo{Code::duplicate_artifact,
             "duplicate-artifact",
             kWarning,
             kStaysValid,
             "The same artifact exists twice",
             "Delete or move out the copy that this message stands at."},
    CodeInfo{Code::duplicate_key,
             "duplicate-key",
             kError,
             kInvalid,
             "A frontmatter key appears twice",
             "Keep one of the two lines."},
    CodeInfo{Code::duplicate_learning,
             "duplicate-learning",
             kWarning,
             kStaysValid,
             "Another note has the same learning_id",
             "Delete one of the two, or take learning_id out of this one and rename it."},
    CodeInfo{Code::hash_scope,
             "hash-scope",
             kError,
             kInvalid,
             "hash_scope is not body-normalized-v1, so content_sha256 cannot be checked",
             "Only body-normalized-v1 is known; write the artifact again with it."},
    CodeInfo{
        Code::immutable_changed,
        "immutable-changed",
        kError,
        kInvalid,
        "The file differs from the seal in its session's manifest: an immutable file was changed",
        "Put the original file back (git, a backup, another device)."},
    CodeInfo{Code::invalid_utf8,
             "invalid-utf8",
             kError,
             kInvalid,
             "The file is not valid UTF-8",
             "Convert it to UTF-8; Daybook never repairs bytes by itself."},
    CodeInfo{Code::learning_secret,
             "learning-secret",
             kError,
             kInvalid,
             "The note holds what looks like a secret",
             "Take it out and change it: the vault may be synced. Write down where the secret is "
             "kept instead."},
    CodeInfo{Code::learning_status,
             "learning-status",
             kError,
             kInvalid,
             "The note's status cannot be",
             "status and publish_tier must both be active or both provisional; what was revoked "
             "stays revoked."},
    CodeInfo{Code::lineage_mismatch,
             "lineage-mismatch",
             kWarning,
             kStaysValid,
             "Manifest and artifact do not name each other",
             "Correct the path in the manifest, or the file it names."},
    CodeInfo{Code::link_escapes_workspace,
             "link-escapes-workspace",
             kError,
             kStaysValid,
             "A link leads out of the workspace and is not followed",
             "Write the path from the workspace root, such as memory/note.md, without '..', a "
             "leading slash or a symbolic link."},
    CodeInfo{Code::link_missing_target,
             "link-missing-target",
             kWarning,
             kStaysValid,
             "A link leads to a file that is not there",
             "Correct the link, or bring the file back."},
    CodeInfo{Code::link_not_root_relative,
             "link-not-root-relative",
             kError,
             kStaysValid,
             "A link into memory/ is not written from the workspace root with .md",
             "Write the whole path: [[memory/name.md]] or [[memory/name.md|label]]."},
    CodeInfo{Code::link_to_removed,
             "link-to-removed",
             kWarning,
             kStaysValid,
             "A link leads to something that was removed",
             "Delete the link; what was removed does not come back."},
    CodeInfo{
        Code::links_scanned_linearly,
        "links-scanned-linearly",
        kInfo,
        kStaysValid,
        "The body is too large or too deeply nested to parse as markdown; its links were found "
        "by a simple scan",
        "Nothing to do; links inside unusual code blocks may be counted."},
    CodeInfo{Code::manifest_stale_revision,
             "manifest-stale-revision",
             kWarning,
             kStaysValid,
             "The manifest's revision is lower than one already seen",
             "An older copy came back, perhaps by sync; restore the newer manifest."},
    CodeInfo{Code::missing_field,
             "missing-field",
             kError,
             kInvalid,
             "A required frontmatter field is missing",
             "Add the field; docs/CHECKS.md lists what each kind needs."},
    CodeInfo{
        Code::missing_frontmatter,
        "missing-frontmatter",
        kError,
        kInvalid,
        "The file has an artifact's name but no frontmatter",
        "Begin the file with a line '---', the fields, and another line '---'; or rename it if "
        "it is an ordinary note."},
    CodeInfo{Code::name_mismatch,
             "name-mismatch",
             kError,
             kInvalid,
             "File name and frontmatter disagree",
             "Rename the file to {captured_at}--{token}--{kind}.md as its frontmatter says, or "
             "correct the field."},
    CodeInfo{Code::removed_content_present,
             "removed-content-present",
             kError,
             kInvalid,
             "This content was removed, and a tombstone says so",
             "Delete the file. If the removal was a mistake, write lifted_at into the tombstone."},
    CodeInfo{Code::sentence_quality,
             "sentence-quality",
             kWarning,
             kStaysValid,
             "memory_sentence does not say enough",
             "Have the agent say in one sentence what was done and where; old sessions may stay."},
    CodeInfo{Code::token_from_session_id,
             "token-from-session-id",
             kInfo,
             kStaysValid,
             "The token in the file name comes from session_id although there is a session_key",
             "Nothing to do: Signet names files this way, and Daybook reads them."},
    CodeInfo{Code::token_mismatch,
             "token-mismatch",
             kError,
             kInvalid,
             "The token in the file name is not that of the session in the frontmatter",
             "Correct agent_id, session_key or session_id, or rename the file."},
    CodeInfo{Code::too_large,
             "too-large",
             kError,
             kInvalid,
             "The file is larger than Daybook reads",
             "Split it, or move it out of memory/."},
    CodeInfo{Code::unknown_kind,
             "unknown-kind",
             kError,
             kInvalid,
             "The kind is none of summary, transcript, compaction, manifest, tombstone",
             "Correct the kind, or rename the file if it is an ordinary note."},
    CodeInfo{Code::unreadable,
             "unreadable",
             kError,
             kInvalid,
             "The file cannot be read",
             "Make it a regular file that you may read, or move it out of memory/."},
    CodeInfo{Code::wrong_type,
             "wrong-type",
             kError,
             kInvalid,
             "A frontmatter field has a value of the wrong type",
             "Correct the value; docs/CHECKS.md lists what each field takes."},
    CodeInfo{Code::yaml_forbidden,
             "yaml-forbidden",
             kError,
             kInvalid,
             "The frontmatter uses YAML that is not allowed here",
             "Use only 'key: value' lines and lists of plain values: no anchors, aliases, tags, "
             "merge keys or nested maps."},
    CodeInfo{Code::yaml_syntax,
             "yaml-syntax",
             kError,
             kInvalid,
             "The frontmatter is not valid YAML",
             "Correct the line; text with ':' or '#' wants quotes."},
};

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

std::optional<Severity> severity_from_string(std::string_view name) {
  for (const Severity severity : {kInfo, kWarning, kError}) {
    if (to_string(severity) == name) {
      return severity;
    }
  }
  return std::nullopt;
}

std::span<const CodeInfo> all_codes() { return kCodes; }

const CodeInfo& info(Code code) { return kCodes[static_cast<std::size_t>(code)]; }

std::optional<Code> code_from_string(std::string_view name) {
  const auto found = std::find_if(std::begin(kCodes), std::end(kCodes), [name](const auto& known) {
    return known.name == name;
  });
  return found == std::end(kCodes) ? std::nullopt : std::optional(found->code);
}

}  // namespace daybook::lineage
