// SPDX-License-Identifier: MIT
#include "capture/capture_commit.hpp"
#include "capture/capture_finish.hpp"
#include "capture/forbidden.hpp"
#include "daybook/canon/session_lock.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/capture/spool.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace daybook::capture {
namespace {

/// Nothing when somebody is at work on it, or it is done.
Result<std::optional<std::string>> resume(const FinishPlace& place, const std::string& name) {
  auto spooled = read_spooled(place.disk, place.folder, name);
  if (!spooled) {
    if (spooled.error().kind == ErrorKind::not_found) {
      return std::optional<std::string>();
    }
    if (spooled.error().kind == ErrorKind::damaged) {
      return std::optional("a capture in the spool cannot be read and was left there: " + name);
    }
    return std::move(spooled).error();
  }
  const auto locks = canon::SessionLock::take_all(
      place.folder.file("locks"), tokens_of(spooled->session), std::chrono::milliseconds(0));
  if (!locks) {
    return locks.error().kind == ErrorKind::busy ? Result(std::optional<std::string>())
                                                 : locks.error();
  }
  // Whoever held the lock before may have finished it.
  spooled = read_spooled(place.disk, place.folder, name);
  if (!spooled) {
    return std::optional<std::string>();
  }
  const std::string token = spooled->token().to_string();
  TRY_ASSIGN(const auto removals, removals_now(place));
  if (forbidden_by(removals, *spooled)) {
    TRY(drop_spooled(place.folder, name));
    return std::optional("a capture of a removed session was discarded: " + token);
  }
  TRY_ASSIGN(const auto flow, place.state.flows().find(spooled->flow));
  const std::string state(
      state::partial_state_name(flow ? std::string_view(flow->step) : std::string_view("spooled")));
  TRY(finish_spooled(place, std::move(spooled).value(), name));
  return std::optional("a capture that was cut off (" + state + ") was finished: " + token);
}

/// A flow that is begun and has no record in the spool: a power cut took its last note, or somebody
/// emptied the spool. Nothing can be made of it, and the vault says what has been. Nothing when it
/// is not lost, or somebody is at work on it.
Result<std::optional<std::string>> forget_if_lost(const FinishPlace& place,
                                                  const state::Flow& flow) {
  const auto token = lineage::SessionToken::parse(flow.subject);
  if (!token) {
    return std::optional<std::string>();
  }
  const auto lock =
      canon::SessionLock::take(place.folder.file("locks"), *token, std::chrono::milliseconds(0));
  if (!lock) {
    return lock.error().kind == ErrorKind::busy ? Result(std::optional<std::string>())
                                                : lock.error();
  }
  // Whoever held the lock before may have brought it further; a key may be another session's now.
  TRY_ASSIGN(const auto now, place.state.flows().find(flow.id));
  TRY_ASSIGN(const auto names, spooled_names(place.disk, place.folder));
  const bool waits =
      std::find(names.begin(), names.end(), spool_name(*token, flow.id)) != names.end();
  if (!now || now->subject != flow.subject || has_files(*now) || waits) {
    return std::optional<std::string>();
  }
  remove_leftovers(place.disk, place.folder.workspace() + "/memory", place.now);
  TRY(place.state.flows().forget(flow.id));
  return std::optional("a capture that was cut off is no longer in the spool (" +
                       std::string(state::partial_state_name(now->step)) +
                       "); if its session is not in the vault, capture it again: " + flow.subject);
}

Result<std::vector<state::Flow>> captures_begun(state::StateDb& state) {
  TRY_ASSIGN(auto flows, state.flows().unfinished());
  std::erase_if(flows, [](const state::Flow& flow) {
    return (flow.kind != state::kSessionEndFlow && flow.kind != state::kCompactionFlow) ||
           has_files(flow);
  });
  return flows;
}

/// One that fails must not keep the others back: it is tried again by the next pass.
void tell(Result<std::optional<std::string>> done, ResumedCaptures& resumed) {
  if (!done) {
    resumed.notices.push_back("a capture that was cut off could not be finished: " +
                              done.error().in_words());
    ++resumed.failed;
  } else if (*done) {
    resumed.notices.push_back(std::move(**done));
  }
}

}  // namespace

Result<ResumedCaptures> resume_captures(base::Disk& disk,
                                        const state::StateFolder& folder,
                                        state::StateDb& state,
                                        lineage::Timestamp now) {
  ResumedCaptures resumed;
  const FinishPlace place{disk, folder, state, now};
  remove_leftovers(disk, folder.file(kSpoolFolder), now);
  TRY_ASSIGN(const auto names, spooled_names(disk, folder));
  if (!names.empty()) {
    remove_leftovers(disk, folder.workspace() + "/memory", now);
  }
  for (const std::string& name : names) {
    tell(resume(place, name), resumed);
  }
  TRY_ASSIGN(const auto begun, captures_begun(state));
  for (const state::Flow& flow : begun) {
    tell(forget_if_lost(place, flow), resumed);
  }
  return resumed;
}

}  // namespace daybook::capture
