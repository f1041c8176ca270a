// SPDX-License-Identifier: MIT
#include "capture/capture_commit.hpp"

#include "capture/removals_in_force.hpp"
#include "capture/session_names.hpp"
#include "capture/spool_json.hpp"
#include "daybook/base/printable.hpp"
#include "daybook/canon/session_lock.hpp"
#include "daybook/capture/vault_names.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "daybook/parse/rules.hpp"
#include "daybook/scan/file_reader.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace daybook::capture {
namespace {

using lineage::Kind;

/// Both forms: real Signet programs derive the token from the id even where there is a key.
std::vector<lineage::SessionToken> tokens_of(const lineage::SessionFields& session) {
  std::vector<lineage::SessionToken> tokens{lineage::SessionToken::derive(
      session.agent_id, lineage::session_identity(session.session_key, session.session_id))};
  const auto other = lineage::SessionToken::derive(session.agent_id, session.session_id);
  if (other != tokens.front()) {
    tokens.push_back(other);
  }
  return tokens;
}

bool removes(const lineage::TombstoneSet& removals, const lineage::SessionFields& session) {
  for (const lineage::SessionToken& token : tokens_of(session)) {
    if (removals.removes_session(token)) {
      return true;
    }
  }
  return false;
}

/// What the frontmatter of an artifact says, if it can be read and is of this session.
std::optional<lineage::Artifact> read_artifact(base::Disk& disk,
                                               const std::string& workspace,
                                               const NamedFile& file,
                                               const lineage::SessionFields& session) {
  const auto root = disk.open_root(workspace);
  if (!root) {
    return std::nullopt;
  }
  const std::size_t slash = file.path.rfind('/');
  const std::string name = file.path.substr(slash + 1);
  scan::FileReader reader(**root);
  const auto opened = reader.open(file.path.substr(0, slash), name, scan::kLargestTranscript);
  if (!opened || opened->too_large) {
    return std::nullopt;
  }
  parse::Frontmatter fields;
  std::vector<lineage::Diagnostic> findings;
  const parse::FileParts parts = parse::split_file(opened->first_piece);
  if (parts.bounds != parse::FrontmatterBounds::found ||
      !parse::read_frontmatter(parts.yaml, fields, findings)) {
    return std::nullopt;
  }
  auto record = parse::read_record(fields, lineage::read_artifact_name(name), findings);
  auto* artifact = std::get_if<lineage::Artifact>(&record);
  const bool same =
      artifact != nullptr && artifact->session.agent_id == session.agent_id &&
      lineage::session_identity(artifact->session.session_key, artifact->session.session_id) ==
          lineage::session_identity(session.session_key, session.session_id);
  return same ? std::optional(std::move(*artifact)) : std::nullopt;
}

/// A summary that was given again must be the same; one that was made here may differ.
bool says_the_same(const FinishPlace& place, const SpoolRecord& record, const NamedFile& summary) {
  if (!record.text_given) {
    return true;
  }
  const auto artifact =
      read_artifact(place.disk, place.folder.workspace(), summary, record.session);
  return artifact && artifact->content_sha256 == record.text_sha256;
}

/// The first result of a capture whose receipt is lost, as the vault tells it.
std::optional<CaptureResult> captured_before(const FinishPlace& place,
                                             const SpoolRecord& record,
                                             const SessionNames& names) {
  const bool by_transcript = record.transcript_sha256.has_value();
  const Kind kind = by_transcript                           ? Kind::transcript
                    : record.kind == state::kCompactionFlow ? Kind::compaction
                                                            : Kind::summary;
  const base::Digest& wanted = by_transcript ? *record.transcript_sha256 : record.text_sha256;
  for (const NamedFile& file : names.files) {
    if (file.name.kind != kind) {
      continue;
    }
    const auto artifact = read_artifact(place.disk, place.folder.workspace(), file, record.session);
    if (!artifact || artifact->content_sha256 != wanted) {
      continue;
    }
    CaptureResult result = record.result;
    result.flow = record.flow;
    result.session_token = file.name.token.to_string();
    result.captured_at = file.name.captured_at;
    result.sentence = artifact->sentence;
    result.manifest_path = artifact->manifest_path.path;
    bool has_summary = false;
    for (const NamedFile& beside : names.files) {
      if (beside.name.captured_at == file.name.captured_at) {
        has_summary = has_summary ||
                      (beside.name.kind == Kind::summary && says_the_same(place, record, beside));
        (beside.name.kind == Kind::summary      ? result.summary_path
         : beside.name.kind == Kind::transcript ? result.transcript_path
         : beside.name.kind == Kind::compaction ? result.compaction_path
                                                : result.manifest_path) = beside.path;
      }
    }
    // A transcript alone is half of a capture, and is captured anew.
    if (!by_transcript || has_summary) {
      return result;
    }
  }
  return std::nullopt;
}

/// Whether somebody wrote that text: a summary that was made here of a few facts may equal that of
/// another session.
bool is_spoken(const SpoolRecord& record) {
  return record.text_given || record.kind == state::kCompactionFlow;
}

Error conflict(const std::string& flow) {
  return {ErrorKind::usage,
          "this idempotency key was used before, with other content",
          {},
          "Use a new key for new content; the first result is under the receipt " +
              flow.substr(0, 16) + "."};
}

/// Whether the vault still holds what a receipt speaks of.
bool are_there(const FinishPlace& place, const CaptureResult& result) {
  const auto root = place.disk.open_root(place.folder.workspace());
  if (!root) {
    return false;
  }
  for (const std::string& path : result.paths()) {
    const std::size_t slash = path.rfind('/');
    const auto folder = base::open_below(**root, path.substr(0, slash));
    if (!folder || !(*folder)->stat(path.substr(slash + 1))) {
      return false;
    }
  }
  return true;
}

/// What a receipt says, if there is one.
Result<std::optional<CaptureResult>> by_receipt(const FinishPlace& place,
                                                const SpoolRecord& record) {
  TRY_ASSIGN(const auto flow, place.state.flows().find(record.flow));
  if (!flow) {
    return std::optional<CaptureResult>();
  }
  TRY_ASSIGN(Receipt receipt, receipt_from_json(flow->payload));
  if (receipt.fingerprint != record.fingerprint) {
    return conflict(record.flow);
  }
  if (has_files(*flow)) {
    if (are_there(place, receipt.result)) {
      return std::optional(std::move(receipt.result));
    }
    // A backup was put back, or somebody deleted them: a receipt is no session.
    TRY(place.state.flows().forget(record.flow));
    return std::optional<CaptureResult>();
  }
  // Begun by a process that died: its record says all.
  auto spooled = read_spooled(place.disk, place.folder, spool_name(record));
  if (!spooled) {
    TRY(place.state.flows().forget(record.flow));
    return std::optional<CaptureResult>();
  }
  remove_leftovers(place.disk, place.folder.workspace() + "/memory", place.now);
  TRY_ASSIGN(CaptureResult result, finish_capture(place, std::move(spooled).value()));
  return std::optional(std::move(result));
}

/// What stands in memory/ of this session. What was listed before is good enough for one that had
/// nothing there and that nobody has touched since.
Result<SessionNames> names_now(const FinishPlace& place,
                               const std::vector<lineage::SessionToken>& tokens,
                               const canon::SessionLock& lock) {
  if (place.names != nullptr && lock.is_first() &&
      std::none_of(tokens.begin(), tokens.end(), [&place](const auto& token) {
        return place.names->has_session(token);
      })) {
    return place.names->tombstones();
  }
  return session_names(place.disk, place.folder.workspace(), tokens);
}

/// Captures of the same session that were cut off come first: the manifest that they are about to
/// make is this one's, too. Whether there was one.
Result<bool> finish_older(const FinishPlace& place, const SpoolRecord& record) {
  bool any = false;
  TRY_ASSIGN(const auto names, spooled_names(place.disk, place.folder));
  for (const std::string& name : names) {
    if (!name.starts_with(record.token().to_string()) || name == spool_name(record)) {
      continue;
    }
    auto older = read_spooled(place.disk, place.folder, name);
    if (older) {
      remove_leftovers(place.disk, place.folder.workspace() + "/memory", place.now);
      TRY(finish_capture(place, std::move(older).value()));
      any = true;
    }
  }
  return any;
}

CaptureResult first_result(CaptureResult result) {
  result.deed = CaptureDeed::already_captured;
  return result;
}

}  // namespace

CaptureResult removed_result(const SpoolRecord& record) {
  CaptureResult result;
  result.deed = CaptureDeed::session_removed;
  result.session_token = record.token().to_string();
  result.captured_at = record.session.captured_at;
  return result;
}

std::string flow_id_of(const SpoolRecord& record, const std::string& idempotency_key) {
  std::string text(record.kind);
  text.append(1, '\0').append(record.session.agent_id).append(1, '\0');
  if (!idempotency_key.empty()) {
    text.append("key").append(1, '\0').append(idempotency_key);
  } else {
    text.append("content").append(1, '\0').append(record.fingerprint);
  }
  return base::to_hex(base::sha256(text));
}

Result<bool> is_removed(const FinishPlace& place, const lineage::SessionFields& session) {
  const std::string& workspace = place.folder.workspace();
  if (place.names != nullptr) {
    TRY_ASSIGN(const auto removals,
               removals_in_force(place.disk, workspace, place.names->tombstones(), place.state));
    return removes(removals, session);
  }
  TRY_ASSIGN(const auto names, session_names(place.disk, workspace, tokens_of(session)));
  TRY_ASSIGN(const auto removals, removals_in_force(place.disk, workspace, names, place.state));
  return removes(removals, session);
}

Result<std::optional<CaptureResult>> known_result(const FinishPlace& place,
                                                  const SpoolRecord& record) {
  TRY_ASSIGN(const auto flow, place.state.flows().find(record.flow));
  if (!flow || !has_files(*flow)) {
    return std::optional<CaptureResult>();
  }
  TRY_ASSIGN(auto result, by_receipt(place, record));
  return result ? std::optional(first_result(std::move(*result))) : std::nullopt;
}

Result<CaptureResult> commit_record(const FinishPlace& place,
                                    SpoolRecord record,
                                    SpoolWriter spool) {
  const auto tokens = tokens_of(record.session);
  TRY_ASSIGN(const auto lock, canon::SessionLock::take(place.folder.file("locks"), tokens.front()));
  TRY_ASSIGN(SessionNames names, names_now(place, tokens, lock));
  TRY_ASSIGN(const auto removals,
             removals_in_force(place.disk, place.folder.workspace(), names, place.state));
  const std::string& agent = record.session.agent_id;
  if (removes(removals, record.session) ||
      (is_spoken(record) && removals.removes_body(record.text_sha256, agent)) ||
      (record.transcript_sha256 && removals.removes_body(*record.transcript_sha256, agent))) {
    TRY(drop_spooled(place.folder, spool_name(record)));
    return removed_result(record);
  }
  TRY_ASSIGN(const bool finished, finish_older(place, record));
  if (finished) {
    TRY_ASSIGN(names, session_names(place.disk, place.folder.workspace(), tokens));
  }
  TRY_ASSIGN(auto before, by_receipt(place, record));
  if (!before) {
    before = captured_before(place, record, names);
  }
  if (before) {
    return first_result(std::move(*before));
  }
  record.manifest_path = names.manifest();
  TRY(spool.commit(record));
  return finish_capture(place, std::move(record));
}

}  // namespace daybook::capture
