// SPDX-License-Identifier: MIT
#include "daybook/service/search.hpp"

#include "daybook/index/full_text.hpp"
#include "daybook/index/full_text_search.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/service/known_removals.hpp"
#include "daybook/service/note_text.hpp"
#include "service/text_pass.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace daybook::service {
namespace {

/// Hits that turn out to be none are replaced by the next best, so some more are asked for.
constexpr std::size_t kSpare = 16;

/// The first hits, which have one score and time.
std::span<const index::SearchHit> equal_hits(std::span<const index::SearchHit> hits) {
  const auto end = std::find_if(hits.begin(), hits.end(), [&hits](const index::SearchHit& hit) {
    return hit.score != hits.front().score || hit.time != hits.front().time;
  });
  return hits.first(static_cast<std::size_t>(end - hits.begin()));
}

/// By path, since the numbers of files differ from index to index.
Result<std::vector<index::FileRow>> rows_of(index::Reader& reader,
                                            std::span<const index::SearchHit> equal) {
  std::vector<index::FileRow> rows;
  for (const index::SearchHit& hit : equal) {
    TRY_ASSIGN(auto row, reader.file(hit.file));
    if (row) {
      rows.push_back(std::move(*row));
    }
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::tie(a.folder, a.name) < std::tie(b.folder, b.name);
  });
  return rows;
}

Result<void> fill_results(base::Disk& disk,
                          const state::StateFolder& folder,
                          index::Reader& reader,
                          const SearchRequest& request,
                          const index::SearchQuery& query,
                          std::span<const index::SearchHit> hits,
                          SearchReport& report) {
  TRY_ASSIGN(auto notes, NoteReader::open(disk, folder.workspace()));
  KnownRemovals removals(disk, folder, report.last_sweep);
  const auto take = [&](const index::FileRow& row, const index::SearchHit& hit) -> Result<void> {
    if (!is_in_scope(row, hit.time, request) || removals.removes(*row.session) ||
        removals.removes_file(row.path())) {
      return {};
    }
    TRY_ASSIGN(auto snippet,
               notes.snippet(row, query.terms(), request.snippet_width, request.redaction));
    if (!snippet) {
      report.changed.push_back(row.path());
      return {};
    }
    report.results.push_back({row.path(),
                              *row.session,
                              row.fields.agent_id,
                              row.fields.project,
                              *row.kind,
                              hit.score,
                              row.membership(),
                              std::move(*snippet)});
    return {};
  };
  while (!hits.empty() && report.results.size() < request.limit) {
    const auto equal = equal_hits(hits);
    TRY_ASSIGN(const auto rows, rows_of(reader, equal));
    for (const index::FileRow& row : rows) {
      if (report.results.size() < request.limit) {
        TRY(take(row, equal.front()));
      }
    }
    hits = hits.subspan(equal.size());
  }
  return {};
}

}  // namespace

Result<std::optional<index::SearchFilter>> search_filter(index::Reader& reader,
                                                         const SearchScope& scope) {
  index::SearchFilter filter;
  filter.kinds = scope.kinds;
  filter.since = scope.since;
  filter.until = scope.until;
  if (!scope.agent.empty()) {
    TRY_ASSIGN(filter.agent, reader.word(scope.agent));
    if (!filter.agent) {
      return std::optional<index::SearchFilter>();
    }
  }
  if (!scope.project.empty()) {
    TRY_ASSIGN(auto projects, reader.projects(scope.project));
    if (projects.empty()) {
      return std::optional<index::SearchFilter>();
    }
    filter.projects = std::move(projects);
  }
  return std::optional(std::move(filter));
}

bool is_in_scope(const index::FileRow& row, lineage::Timestamp time, const SearchScope& scope) {
  const bool kind_wanted =
      row.kind &&
      (scope.kinds.empty() ||
       std::find(scope.kinds.begin(), scope.kinds.end(), *row.kind) != scope.kinds.end());
  return row.status == index::FileStatus::valid && row.session && kind_wanted &&
         row.membership() == time && (scope.agent.empty() || row.fields.agent_id == scope.agent);
}

Result<SearchReport> search(base::Disk& disk,
                            const state::StateFolder& folder,
                            const SearchRequest& request) {
  SearchReport report;
  const std::string path = folder.file(index::kIndexFile);
  const std::string text = folder.file(index::kTextFolder);
  TRY_ASSIGN(auto opened, index::open_index(path, store::Access::read_only));
  // Before the text, too: what is made of it while it is searched was not searched.
  if (opened.database) {
    TRY_ASSIGN(report.months_behind, index::Reader(*opened.database).count_months_behind(text));
  }
  TRY_ASSIGN(index::Reader reader, index::Reader::over(std::move(opened), path));
  report.generation = reader.meta().generation;
  report.last_sweep.ms = reader.meta().swept_at_ms;
  TRY_ASSIGN(const auto query, index::SearchQuery::parse(request.query));
  report.no_terms = query.is_empty();
  TRY_ASSIGN(const auto filter, search_filter(reader, request));
  if (report.no_terms || !filter) {
    return report;
  }
  TRY_ASSIGN(
      auto found,
      index::search_text(text, reader.meta().index_id, query, *filter, request.limit + kSpare));
  report.older_left_out = found.older_left_out;
  report.unreadable = std::move(found.damaged);
  // What was asked until now fixed a snapshot; the rows must not be older than the text.
  TRY(reader.renew());
  report.generation = reader.meta().generation;
  report.last_sweep.ms = reader.meta().swept_at_ms;
  TRY_ASSIGN(const std::uint64_t behind_now, reader.count_months_behind(text));
  report.months_behind = std::max(report.months_behind, behind_now);
  TRY(fill_results(disk, folder, reader, request, query, found.hits, report));
  return report;
}

}  // namespace daybook::service
