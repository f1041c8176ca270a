// SPDX-License-Identifier: MIT
#include "projection/ledger.hpp"

#include "projection/plain_text.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace daybook::projection {
namespace {

constexpr std::size_t kMostSessionCharacters = 128;
constexpr std::size_t kMostProjectCharacters = 200;
constexpr std::size_t kMostSentenceCharacters = 400;
constexpr std::size_t kMostNameCharacters = 32;  // of a project in a day's line
constexpr std::size_t kMostNames = 3;
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

/// The last part of a project's path, as it stands in a day's line.
std::string short_name(std::string_view project) {
  while (!project.empty() && (project.back() == '/' || project.back() == '\\')) {
    project.remove_suffix(1);
  }
  const std::size_t slash = project.find_last_of("/\\");
  return or_else(plain_text(slash == std::string_view::npos ? project : project.substr(slash + 1),
                            kMostNameCharacters),
                 "no project");
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
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    std::string date = to_day(sessions_[i]->membership);
    if (days_.empty() || days_.back().date != date) {
      days_.push_back({std::move(date), i, i, {}, {}});
    }
    days_.back().end = i + 1;
  }
  add_older(input.older);
  for (Day& day : days_) {
    day.clipped_whole = day_line(day, day.first, ProjectNames::shown);
  }
}

void Ledger::add_older(const std::vector<OlderSessions>& older) {
  std::vector<const OlderSessions*> newest_first;
  newest_first.reserve(older.size());
  for (const OlderSessions& some : older) {
    newest_first.push_back(&some);
    older_ += some.count;
  }
  std::stable_sort(newest_first.begin(),
                   newest_first.end(),
                   [](const auto* one, const auto* other) { return one->day > other->day; });
  for (const OlderSessions* some : newest_first) {
    std::string date = to_day(some->day);
    if (days_.empty() || days_.back().date != date) {
      days_.push_back({std::move(date), sessions_.size(), sessions_.size(), {}, {}});
    }
    days_.back().older.push_back(some);
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
    return day.end <= rows && day.older.empty();
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
  std::string line = "- ";
  std::size_t sessions = day.end - first;
  for (const OlderSessions* some : day.older) {
    sessions += some->count;
  }
  line.append(day.date).append(": ").append(counted(sessions, "session"));
  if (names == ProjectNames::left_out) {
    return line.append("\n");
  }
  // First as they are written: a day has many sessions and few projects.
  std::unordered_map<std::string_view, std::size_t> by_project;
  for (std::size_t i = first; i < day.end; ++i) {
    ++by_project[sessions_[i]->project];
  }
  for (const OlderSessions* some : day.older) {
    by_project[some->project] += some->count;
  }
  std::map<std::string, std::size_t> counts;
  for (const auto& [project, count] : by_project) {
    counts[short_name(project)] += count;
  }
  std::vector<std::pair<std::string, std::size_t>> most(counts.begin(), counts.end());
  std::stable_sort(most.begin(), most.end(), [](const auto& one, const auto& other) {
    return one.second > other.second;
  });
  const std::size_t named = std::min(most.size(), kMostNames);
  for (std::size_t i = 0; i < named; ++i) {
    line.append(i == 0 ? " (" : ", ").append(most[i].first).append(" ");
    line.append(std::to_string(most[i].second));
  }
  return line.append(named < most.size() ? ", …)\n" : ")\n");
}

}  // namespace daybook::projection
