// SPDX-License-Identifier: MIT
#include "daybook/capture/hook_spool.hpp"

#include "capture/capture_request.hpp"
#include "capture/intake.hpp"
#include "capture/removals_in_force.hpp"
#include "capture/session_names.hpp"
#include "capture/spool_file.hpp"
#include "capture/spool_json.hpp"
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/base32.hpp"
#include "daybook/base/descriptor.hpp"
#include "daybook/base/keyed_hash.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/base/utf8.hpp"
#include "daybook/capture/spool.hpp"
#include "daybook/state/removed_marks.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <utility>

namespace daybook::capture {
namespace {

using harness::HookEvent;

constexpr mode_t kPrivate = 0600;
constexpr std::size_t kTimeDigits = 13;

/// Sorts by time, and two of the same moment do not meet.
std::string hook_name(const SpooledHook& hook, std::string_view suffix) {
  std::string time = std::to_string(std::max<std::int64_t>(hook.spooled_at.ms, 0));
  time.insert(0, kTimeDigits - std::min(time.size(), kTimeDigits), '0');
  const std::uint64_t random = base::random_number();
  std::array<std::uint8_t, 5> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(random >> (8 * i));
  }
  return hook.token().to_string() + "-" + time + "-" + base::base32_lower(bytes) +
         std::string(suffix);
}

/// Of the id as it is, and as it will be stored, whatever the policy.
std::vector<lineage::SessionToken> possible_tokens(const SpooledHook& hook) {
  std::vector<lineage::SessionToken> tokens{hook.token()};
  for (const redact::Pii pii : {redact::Pii::redacted, redact::Pii::kept}) {
    IntakeCounts unused;
    const redact::Policy policy{pii, {}};
    tokens.push_back(lineage::SessionToken::derive(hook.agent_id,
                                                   take_id(hook.input.session_id, policy, unused)));
  }
  return tokens;
}

/// Listing tens of thousands of names takes longer than a hook has, so the vault is asked only for
/// a session that a pass has marked as removed, or where none has marked any. The copies in
/// state.db are asked later, by whoever drains the spool: opening a database takes longer than all
/// of this.
Result<bool> is_removed(base::Disk& disk,
                        const state::StateFolder& folder,
                        const std::vector<lineage::SessionToken>& tokens) {
  if (!base::keeps(base::Safety::tombstone_in_hook) ||
      (state::has_removed_marks(folder) && !state::may_be_removed(folder, tokens))) {
    return false;
  }
  TRY_ASSIGN(const SessionNames names, session_names(disk, folder.workspace(), tokens));
  TRY_ASSIGN(const auto removals, removals_in_vault(disk, folder.workspace(), names));
  return removals.removes_any(tokens);
}

/// An id or a folder that is longer than any capture takes would keep the session in the spool for
/// ever: such an id is known by its hash, such a folder by its beginning.
harness::HookInput within_limits(harness::HookInput input) {
  if (input.session_id.size() > kLongestId) {
    input.session_id = "long-" + base::to_hex(base::sha256(input.session_id)).substr(0, 32);
  }
  if (input.cwd.size() > kLongestProject) {
    input.cwd.resize(base::character_begin(input.cwd, kLongestProject));
  }
  return input;
}

/// How many bytes stand in the file; a transcript that is not there is none.
Result<std::uint64_t> copy_transcript(const std::string& path, base::AtomicFile& file) {
  if (path.empty()) {
    return std::uint64_t{0};
  }
  // Without waiting, should somebody have put a pipe there.
  const base::Descriptor source(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!source) {
    return errno == ENOENT ? Result(std::uint64_t{0})
                           : base::system_error("cannot read the transcript", path, errno);
  }
  if (::fstat(source.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{ErrorKind::not_regular, "the transcript is no regular file", path, {}};
  }
  return file.copy_from(source.get());
}

}  // namespace

lineage::SessionToken SpooledHook::token() const {
  return lineage::SessionToken::derive(agent_id, input.session_id);
}

Result<HookDeed> spool_hook(base::Disk& disk,
                            const state::StateFolder& folder,
                            const HookRequest& request) {
  const HookEvent event = request.input.event;
  const bool wants_transcript = event == HookEvent::session_end || event == HookEvent::pre_compact;
  const bool wants_text =
      event == HookEvent::post_compact && !request.input.compact_summary.empty();
  if (!wants_transcript && !wants_text) {
    return HookDeed::nothing_to_do;
  }
  if (request.input.session_id.empty()) {
    return Error{ErrorKind::usage, "the hook's input has no session_id", {}, {}};
  }
  SpooledHook hook{
      {}, request.agent_id, request.harness, within_limits(request.input), request.now, 0};
  // Where that cannot be told it is kept: whoever drains the spool asks again.
  const auto removed = is_removed(disk, folder, possible_tokens(hook));
  if (removed && *removed) {
    return HookDeed::session_removed;
  }
  TRY_ASSIGN(const std::string spool, folder.make_private_folder(kSpoolFolder));
  hook.name = hook_name(hook, event == HookEvent::pre_compact ? kSnapshotSuffix : kHookSuffix);
  TRY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(spool + "/" + hook.name, kPrivate));
  if (wants_transcript) {
    TRY_ASSIGN(hook.transcript_bytes, copy_transcript(hook.input.transcript_path, file));
    if (hook.transcript_bytes == 0) {
      return HookDeed::no_transcript;
    }
  }
  TRY(file.write(spool_tail(hook_to_json(hook))));
  TRY(file.commit(base::IfExists::keep));
  return HookDeed::spooled;
}

bool is_hook_of_removed(base::Disk& disk,
                        const state::StateFolder& folder,
                        const std::string& name,
                        const lineage::TombstoneSet& removals) {
  const auto tail = read_spool_tail(disk, folder.file(kSpoolFolder), name);
  const auto hook = tail ? hook_from_json(tail->json) : tail.error();
  if (!base::keeps(base::Safety::tombstone_in_spool) || !hook) {
    return false;
  }
  const auto tokens = possible_tokens(*hook);
  return removals.removes_any(tokens);
}

Result<std::vector<SpooledHook>> spooled_hooks(base::Disk& disk,
                                               const state::StateFolder& folder,
                                               std::string_view suffix,
                                               std::vector<std::string>& damaged) {
  std::vector<SpooledHook> hooks;
  TRY_ASSIGN(const auto names, spooled_names(disk, folder, suffix));
  for (const std::string& name : names) {
    const auto tail = read_spool_tail(disk, folder.file(kSpoolFolder), name);
    if (!tail && tail.error().kind == ErrorKind::not_found) {
      continue;  // another process has drained it
    }
    if (!tail && tail.error().kind != ErrorKind::damaged) {
      return tail.error();
    }
    auto hook = tail ? hook_from_json(tail->json) : tail.error();
    if (!hook || hook->transcript_bytes != tail->transcript_bytes) {
      damaged.push_back(name);
      continue;
    }
    hook->name = name;
    hooks.push_back(std::move(hook).value());
  }
  std::stable_sort(hooks.begin(), hooks.end(), [](const auto& left, const auto& right) {
    return left.spooled_at < right.spooled_at;
  });
  return hooks;
}

}  // namespace daybook::capture
