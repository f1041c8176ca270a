// SPDX-License-Identifier: MIT
//
// File name <-> what it says: `{captured_at}--{token}--{kind}.md`. Names that were meant as such
// but are wrong are told apart from names of ordinary notes, so that a mistake is reported and a
// person's note is left alone. Pure.
#pragma once

#include "daybook/lineage/kind.hpp"
#include "daybook/lineage/session_token.hpp"
#include "daybook/lineage/timestamp.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::lineage {

struct ArtifactName {
  SessionToken token;
  Timestamp captured_at;
  Kind kind = Kind::summary;
  auto operator<=>(const ArtifactName&) const = default;
};

/// The one form in which names are written.
std::string to_string(const ArtifactName& name);

enum class NameForm {
  artifact,       ///< all three parts are right
  bad_timestamp,  ///< ends like an artifact's name, but the time cannot be read
  bad_token,      ///< ... but the token is not sixteen base32 letters
  unknown_kind,   ///< time and token, but a kind that does not exist
  conflict_copy,  ///< an artifact's name and a synchroniser's mark
  other,          ///< an ordinary note
};

struct NameReading {
  NameForm form = NameForm::other;
  /// The kind that the name claims: for artifact, bad_timestamp and bad_token.
  std::optional<Kind> kind;
  /// Complete only for NameForm::artifact; the token also whenever it could be read.
  ArtifactName name;
  std::string_view token_text;
  /// Whether to_string(name) gives this very name again.
  bool canonical = false;
};

NameReading read_artifact_name(std::string_view file_name);

/// The part of a note's name before the marks of synchronisers (Obsidian, Syncthing, Dropbox,
/// Nextcloud, Seafile; ` 2`, ` (1)` and `-MACHINE` only after an artifact's name), or nothing if
/// there is no such mark. For a copy of a copy it is the name of the first original.
std::optional<std::string_view> conflict_copy_of(std::string_view file_name);

/// The part before a number at the end, as iCloud (` 2`) and Google Drive (` (1)`) put it on any
/// file. People number their notes, too: by itself it proves nothing.
std::optional<std::string_view> numbered_copy_of(std::string_view file_name);

enum class MemoryMdCopy : std::uint8_t {
  no,
  possible,  ///< a number or a machine's name: a person may have written it
  certain,   ///< the unmistakable mark of a synchroniser
};

/// Whether a name is that of a synchroniser's copy of `MEMORY.md`.
MemoryMdCopy read_memory_md_copy(std::string_view file_name);

}  // namespace daybook::lineage
