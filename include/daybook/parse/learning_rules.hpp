// SPDX-License-Identifier: MIT
//
// Frontmatter, body and path of a note below memory/learnings/ -> what was learned, and every
// diagnostic that the note yields by itself. A note that a person made by hand needs learning_kind
// only; all else has a default that follows from the file alone, never from the disk's times, which
// synchronisers change. Pure; any thread.
#pragma once

#include "daybook/lineage/diagnostic.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/parse/frontmatter.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::parse {

/// A longer body is not looked at: it is far too large, whatever it says.
inline constexpr std::size_t kMostLearningBytes = 64UL * 1024;

/// Each end of a line as LF, also where a CR stands alone.
std::string with_plain_line_ends(std::string_view text);

/// `kind: learning`, or no kind at all but a `learning_kind`.
bool is_learning_note(const Frontmatter& fields);

/// The id that a file goes by, whatever else is wrong with it: in its frontmatter or, below
/// memory/learnings/, in its name.
std::optional<std::uint64_t> claimed_learning_id(const Frontmatter& fields,
                                                 std::string_view workspace_path);

/// Which note a file below memory/learnings/ is, and whose, whatever else is wrong with it.
struct LearningClaim {
  std::optional<std::uint64_t> id;  ///< of any other file, also a session's or a tombstone: nothing
  std::string agent_id;             ///< as it says; may be empty or wrong
};

/// The one judgement for whoever lists notes and for whoever unlinks them: when they mean different
/// files by an id, a note is called forgotten and stays. `fields` as claims_of() gives them.
LearningClaim learning_claim(const Frontmatter& fields, std::string_view workspace_path);

/// For a note for which is_learning_note() holds and whose body is valid UTF-8. `body_line`: on
/// which line of the file the body begins.
lineage::Learning read_learning(const Frontmatter& fields,
                                std::string_view workspace_path,
                                std::string_view body,
                                std::uint32_t body_line,
                                std::vector<lineage::Diagnostic>& diagnostics);

}  // namespace daybook::parse
