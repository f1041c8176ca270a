// SPDX-License-Identifier: MIT
#include "daybook/index/reader.hpp"

#include "daybook/lineage/artifact_name.hpp"
#include "index/file_columns.hpp"
#include "index/link_columns.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
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
       summary, transcript, compaction, manifest
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

bool is_project(std::string_view project, std::string_view wanted) {
  return project == wanted || (project.ends_with(wanted) && project.size() > wanted.size() &&
                               project[project.size() - wanted.size() - 1] == '/');
}

/// The first text that sorts behind all that begin with `prefix`.
std::string behind(std::string prefix) {
  prefix.append(4, '\xFF');
  return prefix;
}

FoundLink read_link(const Row& row) {
  FoundLink found;
  found.source.assign(row.text(0)).append(1, '/').append(row.text(1));
  found.agent_id = row.text(2);
  found.link.line = static_cast<std::uint32_t>(row.integer(3));
  found.link.origin = static_cast<LinkOrigin>(row.integer(4));
  found.link.form = static_cast<lineage::LinkForm>(row.integer(5));
  found.link.target = found.source.substr(0, static_cast<std::size_t>(row.integer(6)));
  found.link.target.append(row.text(7));
  if (!row.is_null(8)) {
    found.link.resolved = row.text(8).empty() ? found.link.target : std::string(row.text(8));
  }
  return found;
}

constexpr const char* kSelectLinks = R"sql(
SELECT folder.text, file.name, agent.text, link.line, link.origin, link.form,
       link.target_shared, link.target_rest, link.resolved
FROM link JOIN file ON file.id = link.file JOIN word AS folder ON folder.id = file.folder
LEFT JOIN word AS agent ON agent.id = file.agent
)sql";

/// How many sessions a day and project have; both as the index numbers them.
using DayCounts = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

Result<SessionCounts> with_project_names(store::Database& database, const DayCounts& sessions) {
  SessionCounts counted;
  std::unordered_map<std::int64_t, std::size_t> known;
  // Looked up once each: a month of sessions has few projects.
  TRY_ASSIGN(auto text, database.prepare("SELECT text FROM word WHERE id = ?"));
  for (const auto& [key, count] : sessions) {
    if (count == 0) {
      continue;
    }
    const auto [project, is_new] = known.try_emplace(key.second, counted.projects.size());
    if (is_new) {
      std::string& name = counted.projects.emplace_back();
      TRY(text.each([&name](const Row& row) { name = row.text(0); }, key.second));
    }
    counted.counts.push_back({key.first, project->second, static_cast<std::uint64_t>(count)});
  }
  return counted;
}

}  // namespace

Result<Reader> Reader::open(const std::string& path) {
  TRY_ASSIGN(auto opened, open_index(path, store::Access::read_only));
  return over(std::move(opened), path);
}

Result<Reader> Reader::over(OpenedIndex index, const std::string& path) {
  switch (index.usability) {
    case Usability::usable:
      break;
    case Usability::missing:
      return Error{ErrorKind::not_found,
                   "there is no index of this workspace yet",
                   path,
                   "Make it with 'daybook reindex'."};
    case Usability::other_schema:
    case Usability::damaged:
      return Error{ErrorKind::damaged,
                   "the index cannot be read by this version of Daybook",
                   path,
                   "Make it anew with 'daybook reindex'; nothing is lost by that."};
  }
  auto own = std::make_unique<store::Database>(std::move(*index.database));
  TRY(own->execute("BEGIN"));  // the first question fixes what all the others see
  Reader reader(*own);
  reader.own_ = std::move(own);
  reader.meta_ = std::move(index.meta);
  return reader;
}

Reader::~Reader() {
  if (own_) {
    static_cast<void>(own_->execute("ROLLBACK"));  // nothing was written
  }
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
  const std::int64_t since =
      filter.since ? filter.since->ms : std::numeric_limits<std::int64_t>::min();
  const std::int64_t until =
      filter.until ? filter.until->ms : std::numeric_limits<std::int64_t>::max();
  TRY(filter.agent.empty() ? select.each(each, since, until)
                           : select.each(each, since, until, filter.agent));
  return filled;
}

Result<SessionCounts> Reader::count_sessions_behind(const SessionFilter& filter,
                                                    const SessionRow& behind) {
  TRY_ASSIGN(const auto agent, word(filter.agent));
  const std::int64_t since =
      filter.since ? filter.since->ms : std::numeric_limits<std::int64_t>::min();
  // Whole days are counted already. From the last day those go again that are not behind, which are
  // few because they have rows; what the first day loses to `since`, an index knows.
  const std::int64_t first_day = day_of(since);
  const std::int64_t last_day = day_of(behind.membership.ms);
  DayCounts sessions;
  const auto come = [&](const Row& row) {
    sessions[{row.integer(0), row.integer(1)}] += row.integer(2);
  };
  const auto go = [&](const Row& row) {
    sessions[{row.integer(0), row.integer(1)}] -= row.integer(2);
  };
  TRY_ASSIGN(auto days,
             database_->prepare("SELECT day, project, sessions FROM session_day"
                                " WHERE agent = ? AND day BETWEEN ? AND ?"));
  TRY(days.each(come, agent.value_or(-1), first_day, last_day));
  TRY_ASSIGN(auto between,
             database_->prepare("SELECT ?, ifnull(project, 0), count(*) FROM session"
                                " WHERE agent = ? AND membership >= ? AND membership < ?"
                                " GROUP BY 2"));
  if (filter.since) {
    TRY(between.each(go, first_day, agent.value_or(-1), first_day * kDayMs, since));
  }
  TRY(between.each(
      go, last_day, agent.value_or(-1), behind.membership.ms + 1, (last_day + 1) * kDayMs));
  TRY_ASSIGN(auto same_time,
             database_->prepare("SELECT ?, ifnull(project, 0), 1 FROM session"
                                " WHERE agent = ? AND membership = ? AND token <= ?"));
  TRY(same_time.each(
      go, last_day, agent.value_or(-1), behind.membership.ms, behind.token.to_string()));
  return with_project_names(*database_, sessions);
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

Result<void> Reader::fill_paths(std::span<SessionRow> sessions) {
  TRY_ASSIGN(auto paths, PathReader::make(*database_));
  for (SessionRow& session : sessions) {
    TRY(paths.fill(session));
  }
  return {};
}

Result<void> Reader::files(const std::string& where,
                           const std::function<void(const FileRow&)>& visit) {
  TRY_ASSIGN(auto select, database_->prepare(std::string(kSelectFiles).append(where)));
  return select.each([&](const Row& row) { visit(file_row(row)); });
}

Result<std::vector<FileRow>> Reader::files_of_session(lineage::SessionToken token) {
  TRY_ASSIGN(auto select,
             database_->prepare(std::string(kSelectFiles)
                                    .append(" WHERE file.id IN"
                                            " (SELECT id FROM file WHERE session = ?1 UNION"
                                            " SELECT id FROM file WHERE token = ?1 AND token <> '')"
                                            " ORDER BY captured_at, kind, file.name")));
  std::vector<FileRow> files;
  TRY(select.each([&](const Row& row) { files.push_back(file_row(row)); }, token.to_string()));
  return files;
}

Result<std::optional<lineage::RunRecord>> Reader::run_of(std::int64_t file) {
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT status, request_preview, outcome_preview, failure_markers,"
                                " summary FROM run WHERE file = ?"));
  std::optional<lineage::RunRecord> run;
  TRY(select.each(
      [&run](const Row& row) {
        run = lineage::RunRecord{static_cast<lineage::RunStatus>(row.integer(0)),
                                 std::string(row.text(1)),
                                 std::string(row.text(2)),
                                 lines_of(row.text(3)),
                                 std::string(row.text(4))};
      },
      file));
  return run;
}

Result<std::optional<FileRow>> Reader::file_at(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  std::optional<FileRow> found;
  if (slash == std::string::npos) {
    return found;
  }
  const std::string name = path.substr(slash + 1);
  if (const auto token =
          lineage::SessionToken::parse(lineage::read_artifact_name(name).token_text)) {
    TRY_ASSIGN(auto files, files_of_session(*token));
    for (FileRow& file : files) {
      if (file.path() == path) {
        found = std::move(file);
        return found;
      }
    }
  }
  TRY_ASSIGN(auto select,
             database_->prepare(std::string(kSelectFiles)
                                    .append(" WHERE name = ? AND folder.text = ?"
                                            " AND token IS NULL")));
  TRY(select.each([&](const Row& row) { found = file_row(row); }, name, path.substr(0, slash)));
  return found;
}

Result<std::optional<FileRow>> Reader::file(std::int64_t id) {
  TRY_ASSIGN(auto select,
             database_->prepare(std::string(kSelectFiles).append(" WHERE file.id = ?")));
  std::optional<FileRow> found;
  TRY(select.each([&](const Row& row) { found = file_row(row); }, id));
  return found;
}

Result<FileFacts> Reader::facts(std::int64_t id) {
  FileFacts facts;
  TRY_ASSIGN(auto row, file(id));
  if (!row) {
    return Error{ErrorKind::not_found, "the index has no such row", {}, {}};
  }
  facts.row = std::move(*row);
  TRY_ASSIGN(auto links, links_of_file(id));
  for (FoundLink& found : links) {
    facts.links.push_back(std::move(found.link));
  }
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT code, line, message FROM diagnostic WHERE file = ?"
                                " ORDER BY rowid"));
  TRY(select.each(
      [&facts](const Row& found) {
        if (const auto code = lineage::code_from_string(found.text(0))) {
          facts.diagnostics.push_back(
              {*code, static_cast<std::uint32_t>(found.integer(1)), std::string(found.text(2))});
        }
      },
      id));
  return facts;
}

Result<std::vector<FoundLink>> Reader::links_from(const std::string& path) {
  TRY_ASSIGN(const auto source, file_at(path));
  return source ? links_of_file(source->id) : Result(std::vector<FoundLink>());
}

Result<std::vector<FoundLink>> Reader::links_of_file(std::int64_t file) {
  std::vector<FoundLink> links;
  TRY_ASSIGN(
      auto select,
      database_->prepare(
          std::string(kSelectLinks).append(" WHERE link.id BETWEEN ? AND ? ORDER BY link.id")));
  TRY(select.each([&](const Row& row) { links.push_back(read_link(row)); },
                  first_link(file),
                  first_link(file + 1) - 1));
  return links;
}

Result<std::vector<FoundLink>> Reader::links_to(const std::string& path) {
  std::vector<FoundLink> links;
  TRY_ASSIGN(auto select,
             database_->prepare(std::string(kSelectLinks)
                                    .append(" WHERE link.id IN"
                                            " (SELECT id FROM link WHERE target_mark = ?2"
                                            " UNION SELECT id FROM link WHERE resolved = ?1"
                                            " AND resolved IS NOT NULL AND resolved <> '')"
                                            " ORDER BY folder.text, file.name, link.line")));
  const auto take = [&](const Row& row) {
    FoundLink found = read_link(row);
    if (found.link.target == path || found.link.resolved == path) {  // marks may collide
      links.push_back(std::move(found));
    }
  };
  TRY(select.each(take, path, target_mark(path)));
  return links;
}

Result<std::vector<FoundLink>> Reader::links_to_session(lineage::SessionToken token) {
  std::vector<FoundLink> links;
  TRY_ASSIGN(auto select, database_->prepare(kSelectLinks));
  const std::string part = "--" + token.to_string() + "--";
  TRY(select.each([&](const Row& row) {
    FoundLink found = read_link(row);
    if (found.link.target.find(part) != std::string::npos) {
      links.push_back(std::move(found));
    }
  }));
  return links;
}

Result<std::vector<FoundDiagnostic>> Reader::diagnostics(const std::string& agent,
                                                         std::size_t most) {
  std::vector<FoundDiagnostic> found;
  TRY_ASSIGN(
      auto select,
      database_->prepare(
          "SELECT coalesce(path, folder.text || '/' || file.name) AS place, agent.text, code,"
          " severity, line, message FROM diagnostic LEFT JOIN file ON file.id = diagnostic.file"
          " LEFT JOIN word AS folder ON folder.id = file.folder"
          " LEFT JOIN word AS agent ON agent.id = diagnostic.agent"
          " WHERE ?1 = '' OR coalesce(agent.text, 'default') = ?1"
          " ORDER BY severity DESC, place, line, code LIMIT ?2"));
  TRY(select.each(
      [&](const Row& row) {
        found.push_back({std::string(row.text(0)),
                         std::string(row.text(1)),
                         std::string(row.text(2)),
                         static_cast<lineage::Severity>(row.integer(3)),
                         static_cast<std::uint32_t>(row.integer(4)),
                         std::string(row.text(5))});
      },
      agent,
      most));
  return found;
}

Result<SeverityCounts> Reader::count_diagnostics(const std::string& agent) {
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT severity, count(*) FROM diagnostic"
                                " LEFT JOIN word AS agent ON agent.id = diagnostic.agent"
                                " WHERE ?1 = '' OR coalesce(agent.text, 'default') = ?1"
                                " GROUP BY severity"));
  SeverityCounts counts;
  TRY(select.each(
      [&counts](const Row& row) {
        const std::array<std::uint64_t*, 3> by_severity{
            &counts.infos, &counts.warnings, &counts.errors};
        *by_severity.at(static_cast<std::size_t>(row.integer(0))) =
            static_cast<std::uint64_t>(row.integer(1));
      },
      agent));
  return counts;
}

Result<std::vector<std::string>> Reader::agents() {
  std::vector<std::string> agents;
  TRY_ASSIGN(auto select,
             // From one agent to the next through the index: DISTINCT would read every session.
             database_->prepare("WITH RECURSIVE one(agent) AS (SELECT min(agent) FROM session"
                                " UNION ALL SELECT (SELECT min(agent) FROM session WHERE agent >"
                                " one.agent) FROM one WHERE one.agent IS NOT NULL)"
                                " SELECT text FROM word JOIN one ON one.agent = word.id"
                                " ORDER BY text"));
  TRY(select.each([&](const Row& row) { agents.emplace_back(row.text(0)); }));
  return agents;
}

Result<std::map<FileStatus, std::uint64_t>> Reader::count_files() {
  std::map<FileStatus, std::uint64_t> counts;
  TRY_ASSIGN(auto select, database_->prepare("SELECT status, count(*) FROM file GROUP BY status"));
  TRY(select.each([&counts](const Row& row) {
    counts[static_cast<FileStatus>(row.integer(0))] = static_cast<std::uint64_t>(row.integer(1));
  }));
  return counts;
}

Result<std::uint64_t> Reader::count_files(FileStatus status) {
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT count(*) FROM file WHERE status = ? AND status <> 0"));
  TRY_ASSIGN(const auto count, select.integer(status));
  return static_cast<std::uint64_t>(count.value_or(0));
}

Result<std::uint64_t> Reader::count_sessions() {
  TRY_ASSIGN(const auto count, database_->integer("SELECT count(*) FROM session"));
  return static_cast<std::uint64_t>(count.value_or(0));
}

Result<std::optional<std::int64_t>> Reader::word(const std::string& text) {
  TRY_ASSIGN(auto select, database_->prepare("SELECT id FROM word WHERE text = ?"));
  return select.integer(text);
}

Result<std::vector<std::int64_t>> Reader::projects(const std::string& text) {
  std::vector<std::int64_t> ids;
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT id, text FROM word WHERE id IN (SELECT DISTINCT project"
                                " FROM session WHERE project IS NOT NULL)"));
  TRY(select.each([&](const Row& row) {
    if (is_project(row.text(1), text)) {
      ids.push_back(row.integer(0));
    }
  }));
  return ids;
}

}  // namespace daybook::index
