// SPDX-License-Identifier: MIT
#include "projection/ledger.hpp"

#include "projection/plain_text.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
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
  add_days_of_sessions();
  add_days_of_older(input.older);
  name_projects(input.older);
  for (Day& day : days_) {
    day.clipped_whole = day_line(day, day.first, ProjectNames::shown);
  }
}

void Ledger::add_days_of_sessions() {
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    std::string date = to_day(sessions_[i]->membership);
    if (days_.empty() || days_.back().date != date) {
      days_.push_back({std::move(date), i, i, {}, {}});
    }
    days_.back().end = i + 1;
  }
}

void Ledger::add_days_of_older(const OlderSessions& older) {
  std::map<std::string, std::vector<OlderSessions::Count>, std::greater<>> newest_first;
  const OlderSessions::Count* former = nullptr;
  std::vector<OlderSessions::Count>* same_day = nullptr;
  for (const OlderSessions::Count& some : older.counts) {
    if (former == nullptr || former->day != some.day) {
      same_day = &newest_first[to_day(some.day)];
    }
    same_day->push_back(some);
    former = &some;
    older_ += some.sessions;
  }
  for (auto& [date, counts] : newest_first) {
    if (days_.empty() || days_.back().date != date) {
      days_.push_back({date, sessions_.size(), sessions_.size(), {}, {}});
    }
    days_.back().older = std::move(counts);
  }
}

void Ledger::name_projects(const OlderSessions& older) {
  // First as they are written: there are many sessions and few projects.
  std::unordered_map<std::string_view, std::string> by_project;
  const auto name = [&by_project](const std::string& project) {
    const auto [named, is_new] = by_project.try_emplace(project);
    if (is_new) {
      named->second = short_name(project);
    }
  };
  for (const LedgerSession* session : sessions_) {
    name(session->project);
  }
  for (const std::string& project : older.projects) {
    name(project);
  }
  for (const auto& [project, called] : by_project) {
    names_.push_back(called);
  }
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  const auto place = [this, &by_project](const std::string& project) {
    const auto found = std::lower_bound(names_.begin(), names_.end(), by_project.at(project));
    return static_cast<std::size_t>(found - names_.begin());
  };
  for (const LedgerSession* session : sessions_) {
    names_of_sessions_.push_back(place(session->project));
  }
  for (const std::string& project : older.projects) {
    names_of_older_.push_back(place(project));
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

/// Of the sessions of a day from `first` on, by name.
std::vector<Ledger::Share> Ledger::shares(const Day& day, std::size_t first) const {
  std::vector<Share> shares;
  for (std::size_t i = first; i < day.end; ++i) {
    shares.push_back({names_of_sessions_[i], 1});
  }
  for (const OlderSessions::Count& some : day.older) {
    shares.push_back({names_of_older_[some.project], some.sessions});
  }
  std::sort(shares.begin(), shares.end(), [](const Share& one, const Share& other) {
    return one.name < other.name;
  });
  std::size_t kept = 0;
  for (const Share& share : shares) {
    if (kept > 0 && shares[kept - 1].name == share.name) {
      shares[kept - 1].sessions += share.sessions;
    } else {
      shares[kept++] = share;
    }
  }
  shares.resize(kept);
  return shares;
}

/// The line of a day whose sessions from `first` on have no row.
std::string Ledger::day_line(const Day& day, std::size_t first, ProjectNames names) const {
  std::string line = "- ";
  std::uint64_t sessions = day.end - first;
  for (const OlderSessions::Count& some : day.older) {
    sessions += some.sessions;
  }
  line.append(day.date).append(": ").append(counted(sessions, "session"));
  if (names == ProjectNames::left_out) {
    return line.append("\n");
  }
  std::vector<Share> most = shares(day, first);
  const std::size_t named = std::min(most.size(), kMostNames);
  std::partial_sort(most.begin(),
                    most.begin() + static_cast<std::ptrdiff_t>(named),
                    most.end(),
                    [](const Share& one, const Share& other) {
                      return std::tie(other.sessions, one.name) <
                             std::tie(one.sessions, other.name);
                    });
  for (std::size_t i = 0; i < named; ++i) {
    line.append(i == 0 ? " (" : ", ").append(names_[most[i].name]).append(" ");
    line.append(std::to_string(most[i].sessions));
  }
  return line.append(named < most.size() ? ", …)\n" : ")\n");
}

}  // namespace daybook::projection
