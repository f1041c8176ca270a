// SPDX-License-Identifier: MIT
#include "daybook/service/session_remains.hpp"

#include "daybook/index/session_rows.hpp"

#include <algorithm>
#include <span>
#include <utility>

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

Result<void> keep_what_remains(index::Reader& reader,
                               KnownRemovals& removals,
                               std::vector<SessionRow>& sessions) {
  if (removals.removes_some_file()) {
    TRY(reader.fill_paths(sessions));
  }
  std::vector<SessionRow> left;
  left.reserve(sessions.size());
  for (SessionRow& session : sessions) {
    TRY_ASSIGN(auto remains, what_remains(reader, removals, std::move(session)));
    if (remains) {
      left.push_back(std::move(*remains));
    }
  }
  sessions = std::move(left);
  return {};
}

}  // namespace daybook::service
