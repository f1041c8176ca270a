// SPDX-License-Identifier: MIT
#include "recall/context_runs.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace daybook::recall {
namespace {

/// A run and the note that tells of it.
struct Candidates {
  std::vector<RecoveredRun> runs;
  std::map<std::string, index::FileRow> notes;  ///< by the run's id
};

/// The name of its note, which no two notes that count have in common.
std::string run_id(const index::FileRow& note) { return note.name.substr(0, note.name.rfind('.')); }

bool may_tell_of_a_run(const index::FileRow& file, const lineage::SessionToken& session) {
  return file.status == index::FileStatus::valid && file.kind == lineage::Kind::summary &&
         file.session == session;  // its name may hold another form of the token
}

Result<Candidates> candidates_of(index::Reader& reader,
                                 const lineage::SessionToken& session,
                                 const state::RunMemoryPolicy& policy,
                                 lineage::Timestamp now) {
  Candidates candidates;
  TRY_ASSIGN(auto files, reader.files_of_session(session));
  for (index::FileRow& file : files) {
    if (!may_tell_of_a_run(file, session) || now < file.membership()) {
      continue;
    }
    TRY_ASSIGN(auto run, reader.run_of(file.id));
    if (!run || run->summary.empty() || state::is_expired(policy, file.membership(), now)) {
      continue;
    }
    candidates.runs.push_back({run_id(file), file.membership(), std::move(*run), 0});
    candidates.notes.emplace(candidates.runs.back().id, std::move(file));
  }
  rank_runs(candidates.runs, {});  // newest first
  if (candidates.runs.size() > policy.max_tracked_per_session) {
    candidates.runs.resize(policy.max_tracked_per_session);
  }
  return candidates;
}

}  // namespace

Result<ChosenRuns> choose_runs(index::Reader& reader,
                               service::NoteReader& notes,
                               service::KnownRemovals& removals,
                               const lineage::SessionToken& session,
                               const state::RunMemoryPolicy& policy,
                               std::string_view query,
                               lineage::Timestamp now) {
  ChosenRuns chosen;
  if (!policy.enabled) {
    return chosen;
  }
  TRY_ASSIGN(auto candidates, candidates_of(reader, session, policy, now));
  rank_runs(candidates.runs, query);
  chosen.ranked = candidates.runs.size();
  for (RecoveredRun& run : candidates.runs) {
    const index::FileRow& note = candidates.notes.at(run.id);
    if (removals.removes_file(note.path())) {
      --chosen.ranked;
    } else if (!notes.is_as_indexed(note)) {
      ++chosen.unreadable;
    } else if (chosen.runs.size() < policy.max_prompt_entries) {
      chosen.runs.push_back(std::move(run));
    } else {
      chosen.over.push_back(run.id);
    }
  }
  return chosen;
}

}  // namespace daybook::recall
