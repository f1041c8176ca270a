// SPDX-License-Identifier: MIT
#include "projection/learned.hpp"

#include "projection/plain_text.hpp"

#include <algorithm>

namespace daybook::projection {
namespace {

std::string line_of(const LearnedItem& item, std::size_t most_characters) {
  // One character in brackets would be the box of a task.
  return std::string(item.category.size() == 1 ? "- [category " : "- [")
      .append(plain_text(item.category, 64))
      .append("] ")
      .append(plain_text(item.content, most_characters))
      .append("\n");
}

std::string list_command(std::string_view agent_id, std::string_view type) {
  std::string command = "`daybook learnings list";
  if (agent_id != kDefaultAgent) {
    command.append(" --agent ").append(plain_text(agent_id, 64));
  }
  command.append(type.empty() ? "" : " --type ").append(type);
  return command.append("`");
}

std::string notice(std::uint64_t left_out, std::string_view agent_id, std::string_view type) {
  return std::string("- (")
      .append(std::to_string(left_out))
      .append(left_out == 1 ? " older one is" : " older ones are")
      .append(" not shown here; ")
      .append(list_command(agent_id, type))
      .append(" lists all.)\n");
}

}  // namespace

const LearnedSection kProcedures{
    "Learned Procedures and Policies", "procedural", kMostProcedures, 500};
const LearnedSection kFacts{"Facts and Preferences", "semantic", 1000, 300};

std::string learned_section(const LearnedSection& section,
                            const LearnedItems& items,
                            std::string_view agent_id,
                            BlankLines blank_lines,
                            Room room) {
  const std::uint64_t all = items.items.size() + items.further;
  std::string text("## ");
  text.append(section.heading).append("\n");
  std::uint64_t lines = 1;
  if (blank_lines == BlankLines::between_parts) {
    text.append("\n");
    ++lines;
  }
  std::string kept;  // the longest beginning behind which the notice still fits
  std::uint64_t shown = 0;
  const auto keep = [&] {
    std::string with_notice = text;
    if (shown < all) {
      with_notice.append(notice(all - shown, agent_id, section.type));
    }
    if (with_notice.size() <= room.bytes && lines + (shown < all ? 1 : 0) <= room.lines) {
      kept = std::move(with_notice);
    }
  };
  if (all > 0) {
    keep();
  }
  for (const LearnedItem& item : items.items) {
    text.append(line_of(item, section.most_characters));
    ++lines;
    if (shown == section.most_items || text.size() > room.bytes || lines > room.lines) {
      break;
    }
    ++shown;
    keep();
  }
  return kept;
}

std::string learned_pointer(const MemoryMdInput& input) {
  return input.procedures.empty() && input.facts.empty()
             ? std::string()
             : std::string("What was learned is listed by ")
                   .append(list_command(input.agent_id, {}))
                   .append(".\n");
}

}  // namespace daybook::projection
