// SPDX-License-Identifier: MIT
//
// Text from outside in every field of a ledger, and a pinned note -> MEMORY.md: within its budget,
// known as ours until a byte is touched, the same in whatever order the sessions come, with as many
// rows as it says, and with no link to anything but the sessions' files.
//
// The input: three bytes for the budget, then the pinned note up to the first line `====`, then one
// session a line, `session|project|sentence|path of its summary`.
#include "daybook/base/utf8.hpp"
#include "daybook/parse/wikilinks.hpp"
#include "daybook/projection/memory_md.hpp"
#include "projection/plain_text.hpp"
#include "require.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace projection = daybook::projection;
using daybook::fuzz::require;

constexpr std::int64_t kNow = 1'774'737'246'792;
constexpr std::size_t kMostSessions = 40;
constexpr std::uint64_t kBarest = 1000;  // bytes of the lines that stay whatever the budget

std::string_view take_until(std::string_view& rest, std::string_view mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + mark.size(), rest.size()));
  return taken;
}

std::vector<projection::LedgerSession> sessions_in(std::string_view text) {
  std::vector<projection::LedgerSession> sessions;
  while (!text.empty() && sessions.size() < kMostSessions) {
    std::string_view line = take_until(text, "\n");
    projection::LedgerSession session;
    const auto place = static_cast<std::int64_t>(sessions.size());
    session.membership = {kNow - place * 7 * 60 * 60 * 1000};
    session.token = std::string(16, static_cast<char>('a' + place % 26));
    session.session = take_until(line, "|");
    session.project = take_until(line, "|");
    session.sentence = take_until(line, "|");
    session.summary = line.empty() ? "memory/a.md" : std::string(line);
    sessions.push_back(session);
  }
  return sessions;
}

std::size_t rows_in(std::string_view ledger) {
  std::size_t rows = 0;
  while (!ledger.empty()) {
    const std::string_view line = take_until(ledger, "\n");
    rows +=
        line.starts_with("- 20") && line.find(" | session=") != std::string_view::npos ? 1U : 0U;
  }
  return rows;
}

void require_own_links(std::string_view ledger,
                       const std::vector<projection::LedgerSession>& sessions) {
  std::set<std::string> own;
  for (const auto& session : sessions) {
    own.insert(*session.summary + "|summary");
  }
  daybook::parse::find_wikilinks(ledger, [&own](const daybook::parse::Wikilink& link) {
    require(own.contains(std::string(link.inside)), "a ledger links its sessions' files only");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) {
    return 0;
  }
  std::string_view rest(reinterpret_cast<const char*>(data) + 3, size - 3);
  projection::MemoryMdInput input;
  input.agent_id = "default";
  input.pinned = take_until(rest, "====\n");
  input.sessions = sessions_in(rest);
  input.errors = data[2] % 3;
  projection::Budget budget;
  budget.max_bytes = 64 + std::uint64_t{data[0]} * 100;
  budget.max_lines = 1 + std::uint64_t{data[1]};

  const projection::MemoryMd page = projection::render_memory_md(input, budget);
  require(daybook::base::is_valid_utf8(page.text), "a page is UTF-8");
  require(page.text.size() <= std::max(budget.max_bytes, kBarest), "a page is within its bytes");
  require(page.lines <= std::max<std::uint64_t>(budget.max_lines, 4), "and within its lines");
  require(page.rows + page.clipped == input.sessions.size(), "every session is counted");
  require(projection::is_intact_memory_md(page.text), "a page is known as ours");

  const std::size_t heading = page.text.rfind("\n## Session Ledger");
  require(heading != std::string::npos, "a page has a ledger");
  const std::string_view ledger = std::string_view(page.text).substr(heading);
  require(rows_in(ledger) == page.rows, "a row is a session's");
  require_own_links(ledger, input.sessions);

  std::string touched = page.text;
  touched[data[0] % touched.size()] ^= 1;
  require(!projection::is_intact_memory_md(touched), "a page that was touched is not intact");
  std::reverse(input.sessions.begin(), input.sessions.end());
  require(projection::render_memory_md(input, budget).text == page.text,
          "the order of sessions does not matter");
  (void)projection::is_intact_memory_md(rest);
  return 0;
}
