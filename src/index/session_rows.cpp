// SPDX-License-Identifier: MIT
#include "daybook/index/session_rows.hpp"

#include <tuple>

namespace daybook::index {
namespace {

using lineage::Kind;

/// The newest of a kind by time, then path; of manifests the first, after which the session is
/// named.
const FileRow* chosen(std::span<const FileRow* const> files, Kind kind) {
  const auto key = [](const FileRow& file) {
    return std::make_tuple(file.fields.captured_at, file.path());
  };
  const FileRow* best = nullptr;
  for (const FileRow* file : files) {
    if (file->kind != kind || !counts(file->status)) {
      continue;
    }
    const bool newest_wins = kind != Kind::manifest;
    if (best == nullptr || (newest_wins ? key(*best) < key(*file) : key(*file) < key(*best))) {
      best = file;
    }
  }
  return best;
}

}  // namespace

std::optional<SessionRow> session_row(std::span<const FileRow* const> files) {
  SessionRow row;
  std::array<const FileRow*, 4> by_kind{};
  for (const Kind kind : {Kind::summary, Kind::transcript, Kind::compaction, Kind::manifest}) {
    const auto place = static_cast<std::size_t>(kind);
    by_kind[place] = chosen(files, kind);
    if (by_kind[place] != nullptr) {
      row.files[place] = by_kind[place]->id;
      row.changed_since_sealed |= by_kind[place]->status == FileStatus::changed;
    }
  }
  const FileRow* source = nullptr;
  for (const Kind kind : {Kind::summary, Kind::compaction, Kind::transcript, Kind::manifest}) {
    source = source == nullptr ? by_kind[static_cast<std::size_t>(kind)] : source;
  }
  if (source == nullptr || !source->session) {
    return std::nullopt;
  }
  row.token = *source->session;
  row.agent_id = source->fields.agent_id;
  row.session_id = source->fields.session_id;
  row.session_key = source->fields.session_key;
  row.project = source->fields.project;
  row.harness = source->fields.harness;
  row.membership = source->membership();
  row.started_at = source->started_at;
  if (source->kind != Kind::manifest) {
    row.source = source->id;
  }
  return row;
}

}  // namespace daybook::index
