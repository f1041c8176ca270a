// SPDX-License-Identifier: MIT
//
// What Reader answers about sessions.
#include "daybook/index/reader.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace daybook::index {
namespace {

using store::Row;
using store::Visit;

constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;

/// Since 1970, in UTC; days before it are negative.
std::int64_t day_of(std::int64_t ms) { return ms / kDayMs - (ms % kDayMs < 0 ? 1 : 0); }

constexpr const char* kSelectSessions = R"sql(
SELECT session.token, agent.text, session.session_id, session.session_key, project.text,
       harness.text, membership, session.started_at,
       coalesce(source.fallback, source.sentence), changed,
       summary, transcript, compaction, manifest, session.source
FROM session JOIN word AS agent ON agent.id = session.agent
LEFT JOIN word AS project ON project.id = session.project
LEFT JOIN word AS harness ON harness.id = session.harness
LEFT JOIN file AS source ON source.id = session.source
)sql";

SessionRow read_session(const Row& row) {
  SessionRow session;
  session.token = lineage::SessionToken::parse(row.text(0)).value_or(lineage::SessionToken{});
  session.agent_id = row.text(1);
  session.session_id = row.text(2);
  session.session_key = row.text(3);
  session.project = row.text(4);
  session.harness = row.text(5);
  session.membership.ms = row.integer(6);
  if (const auto started = row.optional_integer(7)) {
    session.started_at = lineage::Timestamp{*started};
  }
  session.sentence = row.text(8);
  session.changed_since_sealed = row.integer(9) != 0;
  for (std::size_t i = 0; i < session.files.size(); ++i) {
    session.files[i] = row.integer(10 + static_cast<int>(i));
  }
  session.source = row.optional_integer(14);
  return session;
}

/// Row ids -> paths, all four of a session in one question.
class PathReader {
 public:
  static Result<PathReader> make(store::Database& database) {
    TRY_ASSIGN(auto select, database.prepare(R"sql(
SELECT f1.text, a.name, f2.text, b.name, f3.text, c.name, f4.text, d.name FROM (SELECT 1)
LEFT JOIN file AS a ON a.id = ? LEFT JOIN word AS f1 ON f1.id = a.folder
LEFT JOIN file AS b ON b.id = ? LEFT JOIN word AS f2 ON f2.id = b.folder
LEFT JOIN file AS c ON c.id = ? LEFT JOIN word AS f3 ON f3.id = c.folder
LEFT JOIN file AS d ON d.id = ? LEFT JOIN word AS f4 ON f4.id = d.folder
)sql"));
    return PathReader(std::move(select));
  }

  Result<void> fill(SessionRow& session) {
    const auto& files = session.files;
    return select_.each(
        [&session](const Row& row) {
          for (std::size_t i = 0; i < session.paths.size(); ++i) {
            const int column = 2 * static_cast<int>(i);
            if (!row.is_null(column)) {
              session.paths[i].assign(row.text(column)).append(1, '/').append(row.text(column + 1));
            }
          }
        },
        files[0],
        files[1],
        files[2],
        files[3]);
  }

 private:
  explicit PathReader(store::Statement select) : select_(std::move(select)) {}
  store::Statement select_;
};

/// The first text that sorts behind all that begin with `prefix`.
std::string behind(std::string prefix) {
  prefix.append(4, '\xFF');
  return prefix;
}

/// Sessions by day and project, which come in that order.
class DayCounts {
 public:
  void come(const Row& row) {
    const std::int64_t project = row.integer(1);
    const auto [place, is_new] = places_.try_emplace(project, counted_.projects.size());
    if (is_new) {
      counted_.projects.emplace_back(row.text(3));
    }
    keys_.emplace_back(row.integer(0), project);
    counted_.counts.push_back(
        {row.integer(0), place->second, static_cast<std::uint64_t>(row.integer(2))});
  }

  /// One session fewer.
  void go(const Row& row) {
    const Key key(row.integer(0), row.integer(1));
    const auto found = std::lower_bound(keys_.begin(), keys_.end(), key);
    if (found != keys_.end() && *found == key) {
      --counted_.counts[static_cast<std::size_t>(found - keys_.begin())].sessions;
    }
  }

  SessionCounts take() && {
    std::erase_if(counted_.counts, [](const auto& some) { return some.sessions == 0; });
    return std::move(counted_);
  }

 private:
  using Key = std::pair<std::int64_t, std::int64_t>;

  SessionCounts counted_;
  std::vector<Key> keys_;  // day and project of each count, as the index numbers them
  std::unordered_map<std::int64_t, std::size_t> places_;
};

std::string select_counts(std::string_view of_days) {
  return std::string(
             "SELECT day, project, sessions, text FROM session_day"
             " LEFT JOIN word ON word.id = project WHERE agent = ? AND ")
      .append(of_days)
      .append(" ORDER BY day, project");
}

std::int64_t first_moment(const SessionFilter& filter) {
  return filter.since ? filter.since->ms : std::numeric_limits<std::int64_t>::min();
}

std::string_view without_end_slashes(std::string_view project) {
  while (project.size() > 1 && project.ends_with('/')) {
    project.remove_suffix(1);
  }
  return project;
}

}  // namespace

bool is_project(std::string_view project, std::string_view wanted) {
  project = without_end_slashes(project);
  wanted = without_end_slashes(wanted);
  return project == wanted || (project.ends_with(wanted) && project.size() > wanted.size() &&
                               project[project.size() - wanted.size() - 1] == '/');
}

Result<void> Reader::sessions(const SessionFilter& filter, const SessionVisitor& visit) {
  std::string sql(kSelectSessions);
  sql.append(" WHERE membership BETWEEN ? AND ?");
  if (!filter.agent.empty()) {
    sql.append(" AND agent.text = ?");
  }
  sql.append(" ORDER BY membership DESC, session.token");
  TRY_ASSIGN(auto select, database_->prepare(sql));
  TRY_ASSIGN(auto paths, PathReader::make(*database_));
  Result<void> filled;
  const auto each = [&](const Row& row) {
    SessionRow session = read_session(row);
    if (!filter.project.empty() && !is_project(session.project, filter.project)) {
      return Visit::next;
    }
    if (filter.paths == Paths::wanted) {
      filled = paths.fill(session);
    }
    return filled ? visit(session) : Visit::stop;
  };
  const std::int64_t since = first_moment(filter);
  const std::int64_t until =
      filter.until ? filter.until->ms : std::numeric_limits<std::int64_t>::max();
  TRY(filter.agent.empty() ? select.each(each, since, until)
                           : select.each(each, since, until, filter.agent));
  return filled;
}

Days Reader::whole_days(const SessionFilter& filter, const SessionRow& behind) {
  return {day_of(first_moment(filter)) + 1, day_of(behind.membership.ms) - 1};
}

Result<SessionCounts> Reader::count_days(const std::string& agent, Days days) {
  TRY_ASSIGN(const auto id, word(agent));
  DayCounts sessions;
  TRY_ASSIGN(auto counts, database_->prepare(select_counts("day BETWEEN ? AND ?")));
  TRY(counts.each(
      [&sessions](const Row& row) { sessions.come(row); }, id.value_or(-1), days.first, days.last));
  return std::move(sessions).take();
}

Result<DayChanges> Reader::day_changes(const std::string& agent, Days days) {
  TRY_ASSIGN(const auto id, word(agent));
  DayChanges changes;
  changes.agent = id.value_or(0);
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT day, number FROM day_change"
                                " WHERE agent = ? AND day BETWEEN ? AND ?"));
  TRY(select.each(
      [&changes](const Row& row) { changes.of_days.emplace(row.integer(0), row.integer(1)); },
      changes.agent,
      days.first,
      days.last));
  return changes;
}

Result<SessionCounts> Reader::count_sessions_at_edges(const SessionFilter& filter,
                                                      const SessionRow& behind) {
  TRY_ASSIGN(const auto agent, word(filter.agent));
  // Whole days are counted already. From the last day those go again that are not behind, which are
  // few because they have rows; what the first day loses to `since`, an index knows.
  const std::int64_t since = first_moment(filter);
  const std::int64_t first_day = day_of(since);
  const std::int64_t last_day = day_of(behind.membership.ms);
  DayCounts sessions;
  const auto come = [&sessions](const Row& row) { sessions.come(row); };
  const auto go = [&sessions](const Row& row) { sessions.go(row); };
  TRY_ASSIGN(auto days, database_->prepare(select_counts("day IN (?, ?)")));
  TRY(days.each(come, agent.value_or(-1), first_day, last_day));
  TRY_ASSIGN(auto between,
             database_->prepare("SELECT ?, ifnull(project, 0) FROM session"
                                " WHERE agent = ? AND membership >= ? AND membership < ?"));
  if (filter.since) {
    TRY(between.each(go, first_day, agent.value_or(-1), first_day * kDayMs, since));
  }
  TRY(between.each(
      go, last_day, agent.value_or(-1), behind.membership.ms + 1, (last_day + 1) * kDayMs));
  TRY_ASSIGN(auto same_time,
             database_->prepare("SELECT ?, ifnull(project, 0) FROM session"
                                " WHERE agent = ? AND membership = ? AND token <= ?"));
  TRY(same_time.each(
      go, last_day, agent.value_or(-1), behind.membership.ms, behind.token.to_string()));
  return std::move(sessions).take();
}

Result<std::vector<SessionRow>> Reader::find_sessions(const std::string& text,
                                                      const std::string& agent) {
  std::vector<SessionRow> found;
  const auto find = [&](const std::string& condition, const auto&... arguments) -> Result<void> {
    TRY_ASSIGN(auto select,
               database_->prepare(std::string(kSelectSessions)
                                      .append(" WHERE (")
                                      .append(condition)
                                      .append(") ORDER BY membership DESC, session.token")));
    return select.each(
        [&](const Row& row) {
          SessionRow session = read_session(row);
          if (agent.empty() || session.agent_id == agent) {
            found.push_back(std::move(session));
          }
        },
        arguments...);
  };
  if (text.empty()) {
    return found;
  }
  TRY(find("session.token = ?1 OR session.session_key = ?1 OR session.session_id = ?1", text));
  if (found.empty()) {
    TRY(
        find("(session.token >= ?1 AND session.token < ?2)"
             " OR (session.session_key >= ?1 AND session.session_key < ?2)"
             " OR (session.session_id >= ?1 AND session.session_id < ?2)",
             text,
             behind(text)));
  }
  TRY(fill_paths(found));
  return found;
}

Result<std::optional<SessionRow>> Reader::session(lineage::SessionToken token) {
  std::vector<SessionRow> found;
  TRY_ASSIGN(auto select,
             database_->prepare(std::string(kSelectSessions).append(" WHERE session.token = ?")));
  TRY(select.each([&found](const Row& row) { found.push_back(read_session(row)); },
                  token.to_string()));
  TRY(fill_paths(found));
  return found.empty() ? std::optional<SessionRow>() : std::optional(std::move(found.front()));
}

Result<std::vector<lineage::SessionToken>> Reader::sessions_named(const std::string& key_or_id) {
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT token FROM session WHERE session_key = ?1"
                                " OR session_id = ?1 ORDER BY token"));
  std::vector<lineage::SessionToken> tokens;
  TRY(select.each(
      [&tokens](const Row& row) {
        if (const auto token = lineage::SessionToken::parse(row.text(0))) {
          tokens.push_back(*token);
        }
      },
      key_or_id));
  return tokens;
}

Result<void> Reader::fill_paths(std::span<SessionRow> sessions) {
  TRY_ASSIGN(auto paths, PathReader::make(*database_));
  for (SessionRow& session : sessions) {
    TRY(paths.fill(session));
  }
  return {};
}

Result<void> Reader::each_project(
    const std::function<void(std::int64_t, std::string_view)>& visit) {
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT id, text FROM word WHERE id IN (SELECT DISTINCT project"
                                " FROM session_day)"));
  return select.each([&visit](const Row& row) { visit(row.integer(0), row.text(1)); });
}

Result<std::vector<std::int64_t>> Reader::projects(const std::string& text) {
  std::vector<std::int64_t> ids;
  TRY(each_project([&](std::int64_t id, std::string_view project) {
    if (is_project(project, text)) {
      ids.push_back(id);
    }
  }));
  return ids;
}

}  // namespace daybook::index
