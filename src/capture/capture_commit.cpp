// SPDX-License-Identifier: MIT
#include "capture/capture_commit.hpp"

#include "capture/captured_before.hpp"
#include "capture/forbidden.hpp"
#include "capture/removals_in_force.hpp"
#include "capture/session_names.hpp"
#include "capture/spool_json.hpp"
#include "daybook/canon/session_lock.hpp"
#include "daybook/capture/vault_names.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace daybook::capture {
namespace {

Error conflict(const std::string& flow) {
  return {ErrorKind::usage,
          "this idempotency key was used before, with other content",
          {},
          "Use a new key for new content; the first result is under the receipt " +
              flow.substr(0, 16) + "."};
}

/// A record that is gone, or of which nothing can be made: anything else may pass.
bool is_lost(const Error& error) {
  return error.kind == ErrorKind::not_found || error.kind == ErrorKind::damaged;
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
    TRY_ASSIGN(const bool there, are_there(place, receipt.result));
    if (there) {
      return std::optional(std::move(receipt.result));
    }
    // A backup was put back, or somebody deleted them: a receipt is no session.
    TRY(place.state.flows().forget(record.flow));
    return std::optional<CaptureResult>();
  }
  // Begun by a process that died: its record says all.
  const std::string name = spool_name(record);
  auto spooled = read_spooled(place.disk, place.folder, name);
  if (!spooled && !is_lost(spooled.error())) {
    return std::move(spooled).error();
  }
  if (!spooled) {
    TRY(place.state.flows().forget(record.flow));
    return std::optional<CaptureResult>();
  }
  remove_leftovers(place.disk, place.folder.workspace() + "/memory", place.now);
  TRY_ASSIGN(CaptureResult result, finish_spooled(place, std::move(spooled).value(), name));
  return std::optional(std::move(result));
}

/// What stands in memory/ of this session. What was listed before is good enough for one that had
/// nothing there and that nobody has touched since.
Result<SessionNames> names_now(const FinishPlace& place,
                               const std::vector<lineage::SessionToken>& tokens,
                               const std::vector<canon::SessionLock>& locks) {
  const bool untouched =
      std::all_of(locks.begin(), locks.end(), [](const auto& lock) { return lock.is_first(); });
  if (place.names != nullptr && untouched &&
      std::none_of(tokens.begin(), tokens.end(), [&place](const auto& token) {
        return place.names->has_session(token);
      })) {
    return place.names->tombstones();
  }
  return session_names(place.disk, place.folder.workspace(), tokens);
}

/// Captures of the same session that were cut off.
struct Older {
  bool any_finished = false;
  std::string manifest_path;     ///< that one of them is going to make
  std::optional<Error> failure;  ///< why one of them still waits
};

/// They come first: the manifest that they are about to make is this one's, too. One that cannot be
/// finished now keeps nobody from being put beside it into the spool.
Result<Older> finish_older(const FinishPlace& place, const SpoolRecord& record) {
  Older older;
  TRY_ASSIGN(const auto names, spooled_names(place.disk, place.folder));
  for (const std::string& name : names) {
    if (!name.starts_with(record.token().to_string()) || name == spool_name(record)) {
      continue;
    }
    auto spooled = read_spooled(place.disk, place.folder, name);
    if (!spooled && !is_lost(spooled.error())) {
      return std::move(spooled).error();
    }
    if (!spooled) {
      continue;
    }
    const std::string manifest = manifest_path_of(*spooled);
    remove_leftovers(place.disk, place.folder.workspace() + "/memory", place.now);
    if (auto done = finish_spooled(place, std::move(spooled).value(), name)) {
      older.any_finished = true;
    } else if (!older.failure) {
      older.failure = std::move(done).error();
      older.manifest_path = manifest;
    }
  }
  return older;
}

/// The files were there before this key was: from now on it stands for them.
Result<void> keep_receipt(const FinishPlace& place,
                          const SpoolRecord& record,
                          const CaptureResult& result) {
  if (place.receipts == ReceiptSync::relaxed) {
    return {};  // whoever asks has a receipt of its own
  }
  TRY(place.state.flows().begin({record.flow,
                                 record.kind,
                                 record.token().to_string(),
                                 state::capture_step::kCanonical,
                                 receipt_to_json({record.fingerprint, result})},
                                place.now));
  return {};
}

Error kept_in_spool(Error error) {
  return std::move(error).in_context("the capture is kept in the spool, and not yet finished");
}

CaptureResult first_result(CaptureResult result) {
  result.deed = CaptureDeed::already_captured;
  return result;
}

}  // namespace

CaptureResult removed_result(const SpoolRecord& record, lineage::SessionToken forbidden_by) {
  CaptureResult result;
  result.deed = CaptureDeed::session_removed;
  result.session_token = record.token().to_string();
  result.removed_token = forbidden_by.to_string();
  result.captured_at = record.session.captured_at;
  return result;
}

Result<lineage::TombstoneSet> removals_now(const FinishPlace& place) {
  const std::string& workspace = place.folder.workspace();
  if (place.names != nullptr) {
    return removals_in_force(place.disk, workspace, place.names->tombstones(), place.state);
  }
  TRY_ASSIGN(const auto names, session_names(place.disk, workspace, {}));
  return removals_in_force(place.disk, workspace, names, place.state);
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
  TRY_ASSIGN(const auto locks, canon::SessionLock::take_all(place.folder.file("locks"), tokens));
  TRY_ASSIGN(SessionNames names, names_now(place, tokens, locks));
  TRY_ASSIGN(const auto removals,
             removals_in_force(place.disk, place.folder.workspace(), names, place.state));
  const std::string name = spool_name(record);
  if (const auto removed = forbidden_by(removals, record)) {
    TRY(drop_spooled(place.folder, name));
    return removed_result(record, *removed);
  }
  TRY_ASSIGN(const Older older, finish_older(place, record));
  if (older.any_finished) {
    TRY_ASSIGN(names, session_names(place.disk, place.folder.workspace(), tokens));
  }
  TRY_ASSIGN(auto before, by_receipt(place, record));
  if (!before) {
    TRY_ASSIGN(before, captured_before(place, record, names));
    if (before) {
      TRY(keep_receipt(place, record, *before));
    }
  }
  if (before) {
    return first_result(std::move(*before));
  }
  TRY_ASSIGN(record.manifest_path, own_manifest(place, record.session, names));
  if (record.manifest_path.empty()) {
    record.manifest_path = older.manifest_path;
  }
  TRY(spool.commit(record));
  TRY_ASSIGN(const bool ours, claim_flow(place, record));
  if (!ours) {  // another session was quicker with this key
    TRY(drop_spooled(place.folder, name));
    return conflict(record.flow);
  }
  if (older.failure) {
    return kept_in_spool(*older.failure);
  }
  auto finished = finish_capture(place, std::move(record), name);
  return finished ? std::move(finished) : kept_in_spool(std::move(finished).error());
}

}  // namespace daybook::capture
