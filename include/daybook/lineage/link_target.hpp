// SPDX-License-Identifier: MIT
//
// What a wikilink or a path field points at, judged by its text alone. Nothing here is followed;
// whether the target exists is asked later, and only for the harmless forms. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace daybook::lineage {

enum class LinkForm : std::uint8_t {
  memory_path,        ///< `memory/….md`, root-relative: the one right form for canonical files
  note,               ///< anything else that Obsidian would resolve by name
  self,               ///< `#heading` of the same note
  escapes,            ///< `..`, absolute, a drive, a backslash, `file:`, also percent-encoded
  not_root_relative,  ///< means something under memory/ but is not written from the root with .md
};

struct LinkTarget {
  LinkForm form = LinkForm::note;
  std::string_view path;  ///< without heading, block and label
};

/// `inside` is what stands between `[[` and `]]`.
LinkTarget read_wikilink(std::string_view inside);

/// True for any spelling that could lead out of the workspace.
bool escapes_workspace(std::string_view path);

}  // namespace daybook::lineage
