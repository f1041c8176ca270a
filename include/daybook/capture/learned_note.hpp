// SPDX-License-Identifier: MIT
//
// A note below memory/learnings/ -> what it says, and whether that counts: asked by whoever indexes
// notes and by whoever lists and changes them. With two judgements a list would tell what MEMORY.md
// leaves out. Pure; any thread.
#pragma once

#include "daybook/capture/learning_guard.hpp"
#include "daybook/lineage/diagnostic.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/tombstone_set.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <string_view>
#include <vector>

namespace daybook::capture {

/// Whether a file with these fields at that workspace path is a note of something learned, right or
/// wrong. No session's file is one, nor what was meant as one, nor a synchroniser's copy of a note:
/// two texts of one note would both count.
bool is_learned_note(const parse::Frontmatter& fields, std::string_view workspace_path);

/// For a note for which is_learned_note() holds and which is valid UTF-8, its path included; what
/// is wrong with it goes into `findings`. Whether a removal means it is another question:
/// TombstoneSet::means().
lineage::Learning judge_learned_note(const parse::Frontmatter& fields,
                                     std::string_view workspace_path,
                                     const parse::FileParts& parts,
                                     const lineage::TombstoneSet& removals,
                                     const LearningGuard& guard,
                                     std::vector<lineage::Diagnostic>& findings);

}  // namespace daybook::capture
