// SPDX-License-Identifier: MIT
#include "daybook/projection/memory_md.hpp"

#include "daybook/base/sha256.hpp"
#include "projection/learned.hpp"
#include "projection/ledger.hpp"
#include "projection/pinned_note.hpp"
#include "projection/plain_text.hpp"
#include "projection/shares.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace daybook::projection {
namespace {

constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;
constexpr std::int64_t kWindowDays = 30;
constexpr std::uint64_t kPinnedBytes = 4096;
constexpr std::string_view kTrailerBegin = "<!-- daybook sha256=";
constexpr std::string_view kTrailerEnd = " -->\n";
constexpr std::size_t kDigestLetters = 64;
constexpr std::size_t kTrailerBytes = kTrailerBegin.size() + kDigestLetters + kTrailerEnd.size();

std::string trailer(std::string_view rest) {
  return std::string(kTrailerBegin).append(base::to_hex(base::sha256(rest))).append(kTrailerEnd);
}

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

// --- room ----------------------------------------------------------------------------------------

/// ceil(0.285 x bytes) <= max_tokens is the same as this bound on bytes.
std::uint64_t bytes_of_tokens(std::uint64_t max_tokens) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return max_tokens > kMost / 1000 ? kMost : max_tokens * 1000 / 285;
}

Room room_of(const Budget& budget) {
  Room room{budget.max_bytes, budget.max_lines};
  if (budget.max_tokens) {
    room.bytes = std::min(room.bytes, bytes_of_tokens(*budget.max_tokens));
  }
  return room;
}

/// What everything above the ledger may take: the ledger keeps at least 40 %. The share is the same
/// however many sessions there are, so that the pinned note does not change with them.
Room head_share(Room room) {
  const auto share = [](std::uint64_t whole) {
    return std::min(whole, std::numeric_limits<std::uint64_t>::max() / 6) * 6 / 10;
  };
  return {share(room.bytes), share(room.lines)};
}

bool fits(std::string_view text, Room room, std::size_t further_bytes, std::size_t further_lines) {
  return text.size() + further_bytes <= room.bytes &&
         count_lines(text) + further_lines <= room.lines;
}

// --- the head ------------------------------------------------------------------------------------

enum class Pinned : std::uint8_t { text, pointer, left_out };
enum class Learned : std::uint8_t { text, pointer, left_out };
enum class Introduction : std::uint8_t { shown, left_out };
enum class Attention : std::uint8_t { shown, left_out };

/// One way to set the page. They are tried in order; the first one that fits is taken.
struct Layout {
  ProjectNames names = ProjectNames::shown;
  BlankLines blank_lines = BlankLines::between_parts;
  Learned learned = Learned::text;
  Pinned pinned = Pinned::text;
  Introduction introduction = Introduction::shown;
};

constexpr auto kNoNames = ProjectNames::left_out;
constexpr auto kTight = BlankLines::none;
constexpr std::array<Layout, 7> kLayouts{{
    {},
    {kNoNames, BlankLines::between_parts, Learned::text, Pinned::text, Introduction::shown},
    {kNoNames, kTight, Learned::text, Pinned::text, Introduction::shown},
    {kNoNames, kTight, Learned::pointer, Pinned::text, Introduction::shown},
    {kNoNames, kTight, Learned::pointer, Pinned::pointer, Introduction::shown},
    {kNoNames, kTight, Learned::pointer, Pinned::pointer, Introduction::left_out},
    {kNoNames, kTight, Learned::left_out, Pinned::left_out, Introduction::left_out},
}};

constexpr std::string_view kIntroduction =
    "Daybook derives this file from the notes under memory/: do not edit it, edits are replaced. "
    "Newest session first, times in UTC.\n"
    "To drill down, follow a row's links (summary first, then transcript, compaction, manifest), "
    "or run `daybook show SESSION` or `daybook search WORDS`.\n";

std::string title_of(std::string_view agent_id) {
  std::string title = "# Memory";
  if (agent_id != kDefaultAgent) {
    title.append(" of ").append(plain_text(agent_id, 64));
  }
  return title.append("\n");
}

std::string attention_of(const MemoryMdInput& input) {
  if (input.errors == 0 && input.warnings == 0) {
    return {};
  }
  std::string line = "Attention: ";
  if (input.errors > 0) {
    line.append(counted(input.errors, "error"));
  }
  if (input.warnings > 0) {
    line.append(input.errors > 0 ? " and " : "").append(counted(input.warnings, "warning"));
  }
  const bool one = input.errors + input.warnings == 1;
  return line.append(one ? " needs" : " need").append(" a person, see `daybook check`.\n");
}

std::string_view gap(BlankLines blank_lines) {
  return blank_lines == BlankLines::between_parts ? "\n" : "";
}

/// The parts of the head that may be long: the pinned note and what was learned.
class Parts {
 public:
  Parts(const MemoryMdInput& input, const Layout& layout)
      : input_(input),
        blank_lines_(layout.blank_lines),
        pinned_(input.pinned && layout.pinned == Pinned::text),
        learned_(layout.learned == Learned::text) {}

  /// The line ends around them.
  std::uint64_t frame() const {
    const std::uint64_t sections =
        learned_ ? (input_.procedures.empty() ? 0U : 1U) + (input_.facts.empty() ? 0U : 1U) : 0U;
    return (pinned_ ? 2U : 0U) + (gap(blank_lines_).size() * sections);
  }

  void append_to(std::string& head, Room room) const {
    std::array<std::uint64_t, 3> bytes{};
    std::array<std::uint64_t, 3> lines{};
    for (std::size_t i = 0; i < kCaps.size(); ++i) {
      const std::string all = part(i, {kCaps[i], std::numeric_limits<std::uint64_t>::max()});
      bytes[i] = all.size();
      lines[i] = count_lines(all);
    }
    bytes = share_out(room.bytes, bytes, kCaps);
    lines = share_out(room.lines, lines, kCaps);
    for (std::size_t i = 0; i < kCaps.size(); ++i) {
      const std::string text = part(i, {std::min(kCaps[i], bytes[i]), lines[i]});
      if (text.empty()) {
        continue;
      }
      // The blank lines around a pinned note are part of it: behind it they end its last paragraph
      // or HTML block, whatever a person has left open there.
      head.append(i == 0 ? "\n" : gap(blank_lines_)).append(text);
      head.append(i == 0 && blank_lines_ == BlankLines::none ? "\n" : "");
    }
  }

 private:
  static constexpr std::array<std::uint64_t, 3> kCaps{kPinnedBytes, kProcedureBytes, kFactBytes};

  std::string part(std::size_t number, Room room) const {
    if (number == 0) {
      return pinned_ ? pinned_section(*input_.pinned, room) : std::string();
    }
    const bool first = number == 1;
    return learned_ ? learned_section(first ? kProcedures : kFacts,
                                      first ? input_.procedures : input_.facts,
                                      input_.agent_id,
                                      blank_lines_,
                                      room)
                    : std::string();
  }

  const MemoryMdInput& input_;
  BlankLines blank_lines_;
  bool pinned_;
  bool learned_;
};

/// Everything above the ledger's heading, or nothing if it would take more than its share.
std::optional<std::string> head_of(const MemoryMdInput& input, const Layout& layout, Room room) {
  const Room share = head_share(room);
  std::string head = title_of(input.agent_id);
  if (layout.introduction == Introduction::shown) {
    head.append(gap(layout.blank_lines)).append(kIntroduction);
  }
  std::string attention = attention_of(input);
  if (!attention.empty()) {
    attention.insert(0, gap(layout.blank_lines));
  }
  if (input.pinned && layout.pinned == Pinned::pointer) {
    head.append(pinned_pointer(*input.pinned));
  }
  if (layout.learned == Learned::pointer) {
    head.append(learned_pointer(input));
  }
  const Parts parts(input, layout);
  const std::uint64_t bytes = head.size() + attention.size() + parts.frame();
  const std::uint64_t lines = count_lines(head) + count_lines(attention) + parts.frame();
  if (parts.frame() > 0 && (bytes > share.bytes || lines > share.lines)) {
    return std::nullopt;
  }
  if (parts.frame() > 0) {
    parts.append_to(head, {share.bytes - bytes, share.lines - lines});
  }
  head.append(attention);
  const bool bare = layout.introduction == Introduction::left_out;
  return bare || fits(head, share, 0, 0) ? std::optional(std::move(head)) : std::nullopt;
}

void append_ledger_heading(std::string& text) {
  text.append("## ").append(kLedgerHeading).append("\n");
}

// --- the page ------------------------------------------------------------------------------------

MemoryMd finished(std::string text, std::size_t rows, std::size_t sessions) {
  MemoryMd page;
  page.text = std::move(text);
  page.text.append(trailer(page.text));
  page.lines = count_lines(page.text);
  page.rows = rows;
  page.clipped = sessions - rows;
  return page;
}

/// The page with the most rows of this layout that fit together with a line for every clipped day.
std::optional<MemoryMd> page_of(const std::string& head,
                                Ledger& ledger,
                                const Layout& layout,
                                Room room) {
  const std::size_t sessions = ledger.sessions();
  std::size_t rows = ledger.most_rows(room.bytes, room.lines);
  while (true) {
    std::string text = head;
    text.append(gap(layout.blank_lines));
    append_ledger_heading(text);
    ledger.append_rows(text, rows, layout.blank_lines);
    if (sessions == 0) {
      text.append(gap(layout.blank_lines)).append("No session in the last 30 days.\n");
    }
    if (rows < sessions) {
      text.append(gap(layout.blank_lines));
      ledger.append_notice(text, rows);
      ledger.append_clipped_days(text, rows, ledger.clipped_days(rows), layout.names);
    }
    text.append(gap(layout.blank_lines));
    if (fits(text, room, kTrailerBytes, 1)) {
      return finished(std::move(text), rows, sessions);
    }
    if (rows == 0) {
      return std::nullopt;
    }
    --rows;
  }
}

/// No rows any more, and as many lines of clipped days as fit.
std::optional<MemoryMd> smallest_page(const MemoryMdInput& input,
                                      const Ledger& ledger,
                                      Attention attention,
                                      Room room) {
  std::string text = title_of(input.agent_id);
  text.append(attention == Attention::shown ? attention_of(input) : std::string());
  append_ledger_heading(text);
  if (ledger.sessions() == 0) {
    text.append("No session in the last 30 days.\n");
  } else {
    ledger.append_notice(text, 0);
  }
  if (!fits(text, room, kTrailerBytes, 1)) {
    return std::nullopt;
  }
  std::string days;
  for (std::size_t most = 1; most <= ledger.clipped_days(0); ++most) {
    std::string more;
    ledger.append_clipped_days(more, 0, most, ProjectNames::left_out);
    if (!fits(more, room, text.size() + kTrailerBytes, count_lines(text) + 1)) {
      break;
    }
    days = std::move(more);
  }
  return finished(text.append(days), 0, ledger.sessions());
}

MemoryMd page_over_budget(const MemoryMdInput& input, const Ledger& ledger) {
  std::string text = title_of(input.agent_id);
  append_ledger_heading(text);
  text.append(counted(ledger.sessions(), "session"))
      .append(" not shown: the budget set for this file in daybook.yaml is too small.\n");
  return finished(std::move(text), 0, ledger.sessions());
}

MemoryMd best_page(const MemoryMdInput& input, Ledger& ledger, Room room) {
  for (const Layout& layout : kLayouts) {
    const auto head = head_of(input, layout, room);
    if (auto page = head ? page_of(*head, ledger, layout, room) : std::nullopt) {
      return std::move(*page);
    }
  }
  for (const Attention attention : {Attention::shown, Attention::left_out}) {
    if (auto page = smallest_page(input, ledger, attention, room)) {
      return std::move(*page);
    }
  }
  return page_over_budget(input, ledger);
}

}  // namespace

Window window_at(lineage::Timestamp now) { return {{now.ms - kWindowDays * kDayMs}, now}; }

MemoryMd render_memory_md(const MemoryMdInput& input, const Budget& budget) {
  const Room room = room_of(budget);
  Ledger ledger(input);
  MemoryMd page = best_page(input, ledger, room);
  page.could_show_more = !input.older.counts.empty() && input.sessions.size() < room.lines &&
                         ledger.most_rows(room.bytes, room.lines) == input.sessions.size();
  return page;
}

bool is_intact_memory_md(std::string_view text) {
  if (text.size() < kTrailerBytes) {
    return false;
  }
  const std::string_view rest = text.substr(0, text.size() - kTrailerBytes);
  const bool own_line = rest.empty() || rest.ends_with('\n');
  return own_line && text.substr(rest.size()) == trailer(rest);
}

std::string projection_path(std::string_view agent_id) {
  if (agent_id == kDefaultAgent) {
    return "MEMORY.md";
  }
  return std::string("agents/").append(agent_id).append("/MEMORY.md");
}

std::string ledger_reference(std::string_view agent_id) {
  return projection_path(agent_id).append("#").append(kLedgerHeading);
}

}  // namespace daybook::projection
