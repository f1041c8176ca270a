// SPDX-License-Identifier: MIT
//
// Sections of memories -> one text for a prompt that is never larger than its budget. What is
// remembered is framed as old data and not as instructions, each memory in a fence that nothing
// inside can close. Memories are added in their order and the whole is measured anew with each; the
// first of a section that does not fit ends that section, so that rank decides and not size. A
// section of which nothing fits is left out with its heading. Pure; the same input gives the same
// bytes; linear.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::recall {

struct FramedMemory {
  std::string id;     ///< stable: a session's token, a note's id; shown without marks of markdown
  std::string label;  ///< what stands behind the id: `completed`, `fact`; likewise
  std::string text;   ///< from notes: anything
};

struct FrameSection {
  std::string name;                    ///< stable: `recovered_memory`
  std::string heading;                 ///< `Recovered Memory`
  std::string caution;                 ///< one paragraph
  std::vector<FramedMemory> memories;  ///< best first
};

struct NamedMemory {
  std::string section;
  std::string id;
};

struct PackedPrompt {
  std::string text;  ///< empty when nothing fits
  std::uint64_t tokens = 0;
  std::vector<NamedMemory> kept;  ///< in their order; of the same form as those omitted
  std::vector<NamedMemory> omitted;
};

/// ceil(0.285 x bytes): what prompts of English and code come to.
std::uint64_t estimated_tokens(std::string_view text);

PackedPrompt pack_prompt(const std::vector<FrameSection>& sections, std::uint64_t budget_tokens);

}  // namespace daybook::recall
