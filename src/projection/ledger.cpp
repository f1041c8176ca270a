// SPDX-License-Identifier: MIT
#include "projection/ledger.hpp"

#include "projection/plain_text.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace daybook::projection {
namespace {

constexpr std::size_t kMostSessionCharacters = 128;
constexpr std::size_t kMostProjectCharacters = 200;
constexpr std::size_t kMostSentenceCharacters = 400;
constexpr std::string_view kChanged = "(changed since sealed)";

std::string or_else(std::string text, std::string_view otherwise) {
  if (text.empty()) {
    text = otherwise;
  }
  return text;
}

std::string sentence_of(const LedgerSession& session) {
  std::string sentence = plain_text(session.sentence, kMostSentenceCharacters);
  if (session.seal == SealState::intact) {
    return or_else(std::move(sentence), "(no sentence)");
  }
  return sentence.append(sentence.empty() ? "" : " ").append(kChanged);
}

void append_link(std::string& row, const std::optional<std::string>& path, std::string_view label) {
  // A folder of the vault may have any name. A link that could be misread is left out: a row
  // without it is poorer, one that leads elsewhere is wrong.
  if (path && is_linkable(*path)) {
    row.append(" [[").append(*path).append("|").append(label).append("]]");
  }
}

/// `- 2026-03-30: 4 sessions`, with the names behind it unless there are none.
std::string line_of(std::string_view date, std::uint64_t sessions, std::string_view names) {
  std::string line("- ");
  line.append(date).append(": ").append(counted(sessions, "session"));
  return names.empty() ? line.append("\n") : line.append(" (").append(names).append(")\n");
}

/// Since 1970, in UTC; days before it are negative.
std::int64_t day_number(lineage::Timestamp time) {
  constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;
  return time.ms / kDayMs - (time.ms % kDayMs < 0 ? 1 : 0);
}

bool is_newer(const LedgerSession* one, const LedgerSession* other) {
  if (one->membership != other->membership) {
    return one->membership > other->membership;
  }
  // The token decides; the rest only so that no order of the input can be seen in the output.
  return std::tie(one->token, *one) < std::tie(other->token, *other);
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

std::string ledger_row(const LedgerSession& session) {
  std::string row = "- ";
  row.append(to_string(session.membership))
      .append(" | session=")
      .append(or_else(plain_text(session.session, kMostSessionCharacters), "-"))
      .append(" | project=")
      .append(or_else(plain_text(session.project, kMostProjectCharacters), "-"))
      .append(" | ")
      .append(sentence_of(session));
  append_link(row, session.summary, "summary");
  append_link(row, session.transcript, "transcript");
  append_link(row, session.compaction, "compaction");
  append_link(row, session.manifest, "manifest");
  return row.append("\n");
}

Ledger::Ledger(const MemoryMdInput& input) : agent_id_(input.agent_id) {
  sessions_.reserve(input.sessions.size());
  for (const LedgerSession& session : input.sessions) {
    sessions_.push_back(&session);
  }
  std::sort(sessions_.begin(), sessions_.end(), is_newer);
  add_days_of_sessions();
  add_days_of_older(input.older);
}

void Ledger::add_days_of_sessions() {
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    std::string date = to_day(sessions_[i]->membership);
    if (days_.empty() || days_.back().date != date) {
      days_.push_back({std::move(date), i, i});
    }
    days_.back().end = i + 1;
    names_of_sessions_.push_back(names_.place(sessions_[i]->project));
  }
}

void Ledger::add_days_of_older(const OlderSessions& older) {
  std::map<std::int64_t, Day, std::greater<>> newest_first;
  for (const OlderSessions::Count& some : older.counts) {
    Day& day = newest_first[day_number(some.day)];
    if (day.date.empty()) {
      day.date = to_day(some.day);
    }
    day.older.push_back({names_.place(older.projects[some.project]), some.sessions});
    day.older_sessions += some.sessions;
  }
  for (const OlderDay& some : older.days) {
    Day day{to_day(some.day)};
    day.older_sessions = some.sessions;
    day.clipped_whole = line_of(day.date, some.sessions, some.projects);
    newest_first.insert_or_assign(day_number(some.day), std::move(day));
  }
  for (auto& [number, day] : newest_first) {
    older_ += day.older_sessions;
    if (!days_.empty() && days_.back().date == day.date) {
      days_.back().older = std::move(day.older);
      days_.back().older_sessions = day.older_sessions;
      continue;
    }
    day.first = day.end = sessions_.size();
    days_.push_back(std::move(day));
  }
  for (Day& day : days_) {
    if (day.clipped_whole.empty()) {
      day.clipped_whole = day_line(day, day.first, ProjectNames::shown);
    }
  }
}

const std::string& Ledger::row(std::size_t index) {
  while (rows_.size() <= index) {
    rows_.push_back(ledger_row(*sessions_[rows_.size()]));
  }
  return rows_[index];
}

std::size_t Ledger::first_clipped_day(std::size_t rows) const {
  const auto found = std::partition_point(days_.begin(), days_.end(), [rows](const Day& day) {
    return day.end <= rows && day.older_sessions == 0;
  });
  return static_cast<std::size_t>(found - days_.begin());
}

std::size_t Ledger::clipped_days(std::size_t rows) const {
  return days_.size() - first_clipped_day(rows);
}

std::size_t Ledger::most_rows(std::uint64_t max_bytes, std::uint64_t max_lines) {
  std::size_t rows = 0;
  std::uint64_t bytes = 0;
  while (rows < sessions_.size() && rows < max_lines) {
    bytes += row(rows).size();
    if (bytes > max_bytes) {
      break;
    }
    ++rows;
  }
  return rows;
}

void Ledger::append_rows(std::string& text, std::size_t rows, BlankLines blank_lines) {
  for (const Day& day : days_) {
    if (day.first >= rows) {
      break;
    }
    text.append(blank_lines == BlankLines::between_parts ? "\n" : "");
    text.append("### ").append(day.date).append("\n");
    for (std::size_t i = day.first; i < std::min(day.end, rows); ++i) {
      text.append(row(i));
    }
  }
}

void Ledger::append_notice(std::string& text, std::size_t rows) const {
  const std::string& newest = days_[first_clipped_day(rows)].date;
  const std::string& oldest = days_.back().date;
  const std::size_t clipped = sessions() - rows;
  text.append(counted(clipped, rows == 0 ? "session" : "older session")).append(" from ");
  text.append(newest);
  if (newest != oldest) {
    text.append(" back to ").append(oldest);
  }
  text.append(clipped == 1 ? " is" : " are").append(" not shown here; `daybook log");
  if (agent_id_ != kDefaultAgent) {
    text.append(" --agent ").append(plain_text(agent_id_, 64));
  }
  text.append(" --since ").append(oldest).append(" --until ").append(newest);
  text.append(clipped == 1 ? "` lists it.\n" : "` lists them.\n");
}

void Ledger::append_clipped_days(std::string& text,
                                 std::size_t rows,
                                 std::size_t most_days,
                                 ProjectNames names) const {
  const std::size_t first = first_clipped_day(rows);
  const std::size_t end = first + std::min(most_days, days_.size() - first);
  for (std::size_t i = first; i < end; ++i) {
    const Day& day = days_[i];
    const bool whole = day.first >= rows;
    text.append(whole && names == ProjectNames::shown
                    ? day.clipped_whole
                    : day_line(day, std::max(day.first, rows), names));
  }
}

/// The line of a day whose sessions from `first` on have no row.
std::string Ledger::day_line(const Day& day, std::size_t first, ProjectNames names) const {
  const std::uint64_t sessions = day.end - first + day.older_sessions;
  if (names == ProjectNames::left_out) {
    return line_of(day.date, sessions, {});
  }
  std::vector<Share> shares = day.older;
  for (std::size_t i = first; i < day.end; ++i) {
    shares.push_back({names_of_sessions_[i], 1});
  }
  return line_of(day.date, sessions, names_.name_most(std::move(shares)));
}

std::vector<OlderDay> sum_up_days(const OlderSessions& counted) {
  ShortNames names;
  std::map<std::int64_t, std::pair<OlderDay, std::vector<Share>>> days;
  for (const OlderSessions::Count& some : counted.counts) {
    auto& [day, shares] = days[day_number(some.day)];
    day.day = some.day;
    day.sessions += some.sessions;
    shares.push_back({names.place(counted.projects[some.project]), some.sessions});
  }
  std::vector<OlderDay> summed;
  for (auto& [number, found] : days) {
    found.first.projects = names.name_most(std::move(found.second));
    summed.push_back(std::move(found.first));
  }
  return summed;
}

}  // namespace daybook::projection
