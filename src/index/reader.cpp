// SPDX-License-Identifier: MIT
#include "daybook/index/reader.hpp"

#include "daybook/index/full_text.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "index/file_columns.hpp"
#include "index/link_columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace daybook::index {

using store::Row;

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

Reader& Reader::operator=(Reader&& other) noexcept {
  std::swap(own_, other.own_);
  std::swap(database_, other.database_);
  std::swap(meta_, other.meta_);
  return *this;
}

Result<void> Reader::renew() {
  if (own_) {
    TRY(own_->execute("ROLLBACK; BEGIN"));
    TRY_ASSIGN(meta_, read_meta(*own_));
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

Result<void> Reader::runs(const RunVisitor& visit) {
  TRY_ASSIGN(auto select,
             database_->prepare(
                 "SELECT session, captured_at, coalesce(ended_at, captured_at)"
                 " FROM run CROSS JOIN file ON file.id = run.file"
                 " WHERE file.status = 0 AND kind = 0 AND session IS NOT NULL AND summary <> ''"));
  return select.each([&visit](const Row& row) {
    if (const auto session = lineage::SessionToken::parse(row.text(0))) {
      visit(*session, {row.integer(1)}, {row.integer(2)});
    }
  });
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
  TRY_ASSIGN(facts.diagnostics, findings(id));
  if (facts.row.learning_id) {
    TRY_ASSIGN(auto learnings, learnings_by_id(*facts.row.learning_id, {}));
    for (LearningRow& found : learnings) {
      if (found.file == id) {
        facts.row.learning = std::move(found.learning);
      }
    }
  }
  return facts;
}

Result<std::vector<lineage::Diagnostic>> Reader::findings(std::int64_t file) {
  std::vector<lineage::Diagnostic> findings;
  TRY_ASSIGN(auto select,
             database_->prepare("SELECT code, line, message FROM diagnostic WHERE file = ?"
                                " ORDER BY rowid"));
  TRY(select.each(
      [&findings](const Row& found) {
        if (const auto code = lineage::code_from_string(found.text(0))) {
          findings.push_back(
              {*code, static_cast<std::uint32_t>(found.integer(1)), std::string(found.text(2))});
        }
      },
      file));
  return findings;
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
                                " UNION SELECT text FROM word WHERE id IN (SELECT agent FROM"
                                " learning) ORDER BY text"));
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

Result<std::uint64_t> Reader::count_months_behind(const std::string& text_folder) {
  TRY_ASSIGN(const auto marked, database_->integer("SELECT count(*) FROM text_month"));
  auto count = static_cast<std::uint64_t>(marked.value_or(0));
  TRY_ASSIGN(const auto with_text, months_with_text(text_folder));
  TRY_ASSIGN(auto made,
             database_->prepare("SELECT month FROM text_file"
                                " WHERE month NOT IN (SELECT month FROM text_month)"));
  TRY(made.each([&](const Row& row) {
    const bool is_there =
        std::find(with_text.begin(), with_text.end(), row.integer(0)) != with_text.end();
    count += is_there ? 0U : 1U;
  }));
  return count;
}

Result<std::optional<std::int64_t>> Reader::word(const std::string& text) {
  TRY_ASSIGN(auto select, database_->prepare("SELECT id FROM word WHERE text = ?"));
  return select.integer(text);
}

}  // namespace daybook::index
