// SPDX-License-Identifier: MIT
#include "daybook/service/session_remains.hpp"

#include "daybook/index/session_rows.hpp"
#include "daybook/lineage/project.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace daybook::service {
namespace {

using index::FileRow;
using index::SessionRow;

/// As the pass makes it, of the files that stay.
Result<std::optional<SessionRow>> made_anew(index::Reader& reader,
                                            KnownRemovals& removals,
                                            const lineage::SessionToken& token) {
  TRY_ASSIGN(const auto rows, reader.files_of_session(token));
  std::vector<const FileRow*> files;
  for (const FileRow& row : rows) {
    if (row.session == token && !removals.removes_file(row.path())) {
      files.push_back(&row);
    }
  }
  auto made = index::session_row(files);
  if (!made) {
    return std::optional<SessionRow>();
  }
  const auto source = std::find_if(files.begin(), files.end(), [&made](const FileRow* file) {
    return file->id == made->source;
  });
  if (source != files.end()) {
    made->sentence = (*source)->shown_sentence();
  }
  TRY(reader.fill_paths(std::span(&*made, 1)));
  return made;
}

/// As Reader::sessions() gives them.
bool comes_before(const SessionRow& a, const SessionRow& b) {
  return a.membership == b.membership ? a.token.to_string() < b.token.to_string()
                                      : b.membership < a.membership;
}

bool is_wanted(const SessionRow& session, const index::SessionFilter& filter) {
  return (filter.agent.empty() || session.agent_id == filter.agent) &&
         (filter.project.empty() || lineage::names_project(session.project, filter.project)) &&
         (!filter.since || *filter.since <= session.membership) &&
         (!filter.until || session.membership <= *filter.until);
}

/// The sessions of which a removed file still has its row.
struct Changed {
  std::set<lineage::SessionToken> tokens;
  std::vector<SessionRow> left;  ///< what the filter wants of what remains, in order
};

Result<Changed> changed_sessions(index::Reader& reader,
                                 KnownRemovals& removals,
                                 const index::SessionFilter& filter) {
  Changed changed;
  for (const std::string& path : removals.removed_files()) {
    TRY_ASSIGN(const auto file, reader.file_at(path));
    if (!file || !file->session || !changed.tokens.insert(*file->session).second) {
      continue;
    }
    TRY_ASSIGN(auto session, reader.session(*file->session));
    if (session) {
      TRY_ASSIGN(session, what_remains(reader, removals, std::move(*session)));
    }
    if (session && is_wanted(*session, filter)) {
      changed.left.push_back(std::move(*session));
    }
  }
  std::sort(changed.left.begin(), changed.left.end(), comes_before);
  return changed;
}

}  // namespace

Result<std::optional<SessionRow>> what_remains(index::Reader& reader,
                                               KnownRemovals& removals,
                                               SessionRow session) {
  if (removals.removes(session.token)) {
    return std::optional<SessionRow>();
  }
  const bool loses_some =
      std::any_of(session.paths.begin(), session.paths.end(), [&removals](const std::string& path) {
        return !path.empty() && removals.removes_file(path);
      });
  return loses_some ? made_anew(reader, removals, session.token)
                    : std::optional(std::move(session));
}

Result<void> sessions_that_remain(index::Reader& reader,
                                  KnownRemovals& removals,
                                  const index::SessionFilter& filter,
                                  const index::Reader::SessionVisitor& visit) {
  TRY_ASSIGN(const Changed changed, changed_sessions(reader, removals, filter));
  auto next = changed.left.begin();
  const auto visit_changed = [&](const SessionRow* before) {
    auto going = store::Visit::next;
    while (going == store::Visit::next && next != changed.left.end() &&
           (before == nullptr || comes_before(*next, *before))) {
      going = visit(*next++);
    }
    return going;
  };
  auto going = store::Visit::next;
  TRY(reader.sessions(filter, [&](const SessionRow& session) {
    if (changed.tokens.contains(session.token) || removals.removes(session.token)) {
      return store::Visit::next;
    }
    going = visit_changed(&session);
    going = going == store::Visit::next ? visit(session) : going;
    return going;
  }));
  if (going == store::Visit::next) {
    visit_changed(nullptr);
  }
  return {};
}

}  // namespace daybook::service
