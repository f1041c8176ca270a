// SPDX-License-Identifier: MIT
#include "daybook/service/session_view.hpp"

#include "daybook/state/state_db.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace daybook::service {
namespace {

using index::FileStatus;
using lineage::Kind;

/// More findings than this of one agent are not looked through for a session's own.
constexpr std::size_t kMostFindings = 100'000;

std::optional<state::SessionTelemetry> telemetry_of(const state::StateFolder& folder,
                                                    const lineage::SessionToken& token) {
  constexpr int kBusyTimeoutMs = 200;
  if (!folder.has_state()) {
    return std::nullopt;
  }
  auto state = state::StateDb::open(folder, kBusyTimeoutMs);
  if (!state) {
    return std::nullopt;
  }
  const auto telemetry = state->telemetry().get(token);
  return telemetry ? *telemetry : std::nullopt;
}

Result<void> add_findings(index::Reader& reader, SessionView& view) {
  std::map<std::string, FileView*> by_path;
  for (FileView& file : view.files) {
    by_path.emplace(file.row.path(), &file);
  }
  TRY_ASSIGN(auto findings, reader.diagnostics(view.session.agent_id, kMostFindings));
  for (index::FoundDiagnostic& finding : findings) {
    if (const auto file = by_path.find(finding.path); file != by_path.end()) {
      file->second->findings.push_back(std::move(finding));
    }
  }
  return {};
}

}  // namespace

const FileView* SessionView::newest(Kind kind) const {
  const FileView* found = nullptr;
  for (const FileView& file : files) {
    if (file.row.kind == kind) {
      found = &file;
      if (file.row.id == session.file(kind)) {
        break;
      }
    }
  }
  return found;
}

const FileView* SessionView::main_file() const {
  const FileView* any = nullptr;
  for (const Kind kind : {Kind::summary, Kind::compaction, Kind::transcript}) {
    const FileView* file = newest(kind);
    if (file != nullptr && session.file(kind) != 0) {
      return file;
    }
    any = any == nullptr ? file : any;
  }
  return any;
}

Result<SessionView> view_session(index::Reader& reader,
                                 const state::StateFolder& folder,
                                 KnownRemovals& removals,
                                 const index::SessionRow& session) {
  SessionView view;
  view.session = session;
  TRY_ASSIGN(auto rows, reader.files_of_session(session.token));
  for (index::FileRow& row : rows) {
    // Another agent's file may bear this session's token in its name, by mistake or on purpose.
    const bool is_foreign = !row.fields.agent_id.empty() && row.fields.agent_id != session.agent_id;
    if (row.kind && row.kind != Kind::tombstone && row.status != FileStatus::removed &&
        !is_foreign && !removals.removes_file(row.path())) {
      view.files.push_back({std::move(row), {}});
    }
  }
  TRY(add_findings(reader, view));
  if (const std::int64_t summary = session.file(Kind::summary); summary != 0) {
    TRY_ASSIGN(view.run, reader.run_of(summary));
  }
  view.telemetry = telemetry_of(folder, session.token);
  return view;
}

}  // namespace daybook::service
