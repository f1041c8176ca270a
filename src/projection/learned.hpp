// SPDX-License-Identifier: MIT
//
// What was learned -> its sections of MEMORY.md: a heading, one line `- [category] content` an
// item, whole items as long as there is room, and a line that says how many there are beyond.
// Content is text from outside and nothing but text here. Pure; any thread; cannot fail.
#pragma once

#include "daybook/projection/memory_md.hpp"
#include "projection/ledger.hpp"
#include "projection/pinned_note.hpp"

#include <string>
#include <string_view>

namespace daybook::projection {

struct LearnedSection {
  std::string_view heading;
  std::string_view type;  ///< as `daybook learnings list --type` has it
  std::size_t most_items;
  std::size_t most_characters;  ///< of one item's content
};

extern const LearnedSection kProcedures;
extern const LearnedSection kFacts;

/// Empty if there are no items, or no room for a heading and a line.
std::string learned_section(const LearnedSection& section,
                            const LearnedItems& items,
                            std::string_view agent_id,
                            BlankLines blank_lines,
                            Room room);

/// One line that says how to list what has no section.
std::string learned_pointer(const MemoryMdInput& input);

}  // namespace daybook::projection
