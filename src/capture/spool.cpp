// SPDX-License-Identifier: MIT
#include "daybook/capture/spool.hpp"

#include "capture/forbidden.hpp"
#include "capture/spool_file.hpp"
#include "capture/spool_json.hpp"
#include "capture/spool_range.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/base/durable.hpp"
#include "daybook/base/file_stream.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/capture/hook_spool.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace daybook::capture {
namespace {

constexpr mode_t kPrivate = 0600;
constexpr std::size_t kFlowLetters = 16;

/// The tokens stand first in each name.
std::optional<lineage::SessionToken> token_of(std::string_view name) {
  return lineage::SessionToken::parse(name.substr(0, lineage::SessionToken::kLength));
}

/// By what is in it. One that cannot be read is judged by its name alone.
bool holds_forbidden(base::Disk& disk,
                     const state::StateFolder& folder,
                     const std::string& name,
                     const lineage::TombstoneSet& removals) {
  if (name.ends_with(kHookSuffix) || name.ends_with(kSnapshotSuffix)) {
    return is_hook_of_removed(disk, folder, name, removals);
  }
  const auto record = read_spooled(disk, folder, name);
  return record && forbidden_by(removals, *record);
}

}  // namespace

lineage::SessionToken SpoolRecord::token() const {
  return lineage::SessionToken::derive(
      session.agent_id, lineage::session_identity(session.session_key, session.session_id));
}

std::string spool_name(const lineage::SessionToken& token, std::string_view flow) {
  return token.to_string().append("-").append(flow.substr(0, kFlowLetters)).append(kCaptureSuffix);
}

std::string spool_name(const SpoolRecord& record) {
  return spool_name(record.token(), record.flow);
}

Result<SpoolWriter> SpoolWriter::begin(const state::StateFolder& folder) {
  TRY_ASSIGN(std::string spool, folder.make_private_folder(kSpoolFolder));
  TRY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(spool + "/capture", kPrivate));
  return SpoolWriter(std::move(file), std::move(spool));
}

Result<void> SpoolWriter::commit(const SpoolRecord& record) {
  TRY(file_.write(spool_tail(record_to_json(record))));
  file_.set_name(spool_name(record));
  // A record of the same flow was left by a process that died before it could go on: it holds the
  // same text, and this one is newer.
  return file_.commit(base::IfExists::replace);
}

Result<std::vector<std::string>> spooled_names(base::Disk& disk,
                                               const state::StateFolder& folder,
                                               std::string_view suffix) {
  std::vector<std::string> names;
  const auto root = disk.open_root(folder.file(kSpoolFolder));
  if (!root) {
    return root.error().kind == ErrorKind::not_found ? Result(names) : root.error();
  }
  TRY((*root)->list([&](std::string_view name, base::EntryType) {
    if (!name.starts_with('.') && name.ends_with(suffix)) {
      names.emplace_back(name);
    }
  }));
  std::sort(names.begin(), names.end());
  return names;
}

Result<SpoolRecord> read_spooled(base::Disk& disk,
                                 const state::StateFolder& folder,
                                 const std::string& name) {
  TRY_ASSIGN(const SpoolTail tail, read_spool_tail(disk, folder.file(kSpoolFolder), name));
  auto record = record_from_json(tail.json);
  if (!record || record->transcript_bytes != tail.transcript_bytes || spool_name(*record) != name) {
    return damaged_spool_file(name);
  }
  return record;
}

canon::BodySource spooled_transcript(base::Disk& disk,
                                     const state::StateFolder& folder,
                                     const std::string& name,
                                     std::uint64_t bytes) {
  const std::string spool = folder.file(kSpoolFolder);
  return [&disk, spool, name, bytes](const canon::TakePiece& take) -> Result<void> {
    std::uint64_t at = 0;
    return base::stream_file(disk, spool, name, [&](std::string_view piece) -> Result<void> {
      const std::string_view body = clip(piece, at, 0, bytes);
      at += piece.size();
      return body.empty() ? Result<void>() : take(body);
    });
  };
}

Result<void> drop_spooled(const state::StateFolder& folder, const std::string& name) {
  const std::string path = folder.file(kSpoolFolder).append("/").append(name);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return base::system_error("cannot remove a finished capture from the spool", path, errno);
  }
  return {};
}

Result<void> erase_from_spool(base::Disk& disk,
                              const state::StateFolder& folder,
                              const lineage::TombstoneSet& removals) {
  TRY_ASSIGN(const auto names, spooled_names(disk, folder, {}));
  bool dropped = false;
  for (const std::string& name : names) {
    const auto token = token_of(name);
    if ((token && removals.removes_session(*token)) ||
        holds_forbidden(disk, folder, name, removals)) {
      TRY(drop_spooled(folder, name));
      dropped = true;
    }
  }
  if (!dropped || !base::keeps(base::Safety::spool_erasure_sync)) {
    return {};
  }
  return base::sync_path(folder.file(kSpoolFolder), "cannot sync the spool");
}

}  // namespace daybook::capture
