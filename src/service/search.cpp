// SPDX-License-Identifier: MIT
#include "daybook/service/search.hpp"

#include "daybook/index/full_text_search.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/service/note_text.hpp"
#include "service/text_pass.hpp"

#include <algorithm>
#include <utility>

namespace daybook::service {
namespace {

/// Hits that turn out to be none are replaced by the next best, so some more are asked for.
constexpr std::size_t kSpare = 16;

/// Nothing: no document can pass the filter.
Result<std::optional<index::SearchFilter>> filter_of(index::Reader& reader,
                                                     const SearchRequest& request) {
  index::SearchFilter filter;
  filter.kinds = request.kinds;
  filter.since = request.since;
  filter.until = request.until;
  if (!request.agent.empty()) {
    TRY_ASSIGN(filter.agent, reader.word(request.agent));
    if (!filter.agent) {
      return std::optional<index::SearchFilter>();
    }
  }
  if (!request.project.empty()) {
    TRY_ASSIGN(auto projects, reader.projects(request.project));
    if (projects.empty()) {
      return std::optional<index::SearchFilter>();
    }
    filter.projects = std::move(projects);
  }
  return std::optional(std::move(filter));
}

/// The full text may lag behind the rows, and a row's number may be used again: the row decides.
bool is_hit(const index::SearchHit& hit, const index::FileRow& row, const SearchRequest& request) {
  const bool kind_wanted =
      row.kind &&
      (request.kinds.empty() ||
       std::find(request.kinds.begin(), request.kinds.end(), *row.kind) != request.kinds.end());
  return row.status == index::FileStatus::valid && row.session && kind_wanted &&
         row.membership() == hit.time &&
         (request.agent.empty() || row.fields.agent_id == request.agent);
}

Result<void> fill_results(base::Disk& disk,
                          const state::StateFolder& folder,
                          index::Reader& reader,
                          const SearchRequest& request,
                          const index::SearchQuery& query,
                          const std::vector<index::SearchHit>& hits,
                          SearchReport& report) {
  TRY_ASSIGN(auto notes, NoteReader::open(disk, folder.workspace()));
  for (const index::SearchHit& hit : hits) {
    if (report.results.size() == request.limit) {
      break;
    }
    TRY_ASSIGN(const auto row, reader.file(hit.file));
    if (!row || !is_hit(hit, *row, request)) {
      continue;
    }
    TRY_ASSIGN(auto snippet, notes.snippet(*row, query.terms(), request.snippet_width));
    if (!snippet) {
      report.changed.push_back(row->path());
      continue;
    }
    report.results.push_back({row->path(),
                              *row->session,
                              row->fields.agent_id,
                              row->fields.project,
                              *row->kind,
                              hit.score,
                              row->membership(),
                              std::move(*snippet)});
  }
  return {};
}

}  // namespace

Result<SearchReport> search(base::Disk& disk,
                            const state::StateFolder& folder,
                            const SearchRequest& request) {
  SearchReport report;
  const std::string path = folder.file(index::kIndexFile);
  TRY_ASSIGN(auto opened, index::open_index(path, store::Access::read_only));
  // Before the text, too: what is made of it while it is searched was not searched.
  if (opened.database) {
    TRY_ASSIGN(report.months_behind, index::Reader(*opened.database).count_months_behind());
  }
  TRY_ASSIGN(index::Reader reader, index::Reader::over(std::move(opened), path));
  report.generation = reader.meta().generation;
  report.last_sweep.ms = reader.meta().swept_at_ms;
  TRY_ASSIGN(const auto query, index::SearchQuery::parse(request.query));
  report.no_terms = query.is_empty();
  TRY_ASSIGN(const auto filter, filter_of(reader, request));
  if (report.no_terms || !filter) {
    return report;
  }
  TRY_ASSIGN(auto found,
             index::search_text(folder.file(kTextFolder),
                                reader.meta().index_id,
                                query,
                                *filter,
                                request.limit + kSpare));
  report.older_left_out = found.older_left_out;
  report.unreadable = std::move(found.damaged);
  // Not before: the first question fixes the rows, which must not be older than the text.
  TRY_ASSIGN(const std::uint64_t behind_now, reader.count_months_behind());
  report.months_behind = std::max(report.months_behind, behind_now);
  TRY(fill_results(disk, folder, reader, request, query, found.hits, report));
  return report;
}

}  // namespace daybook::service
