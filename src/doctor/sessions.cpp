// SPDX-License-Identifier: MIT
//
// Sessions that Claude Code has kept and will delete some day: whether they are in the vault by
// then. Files are listed, never opened: what was read before is known by its receipt, the rest by
// the session that its name means.
#include "daybook/harness/session_list.hpp"
#include "daybook/service/session_import.hpp"
#include "daybook/state/state_db.hpp"
#include "doctor/probes.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace daybook::doctor {
namespace {

using enum FindingSeverity;
using harness::Format;
using harness::SessionFile;
using lineage::SessionToken;

constexpr const char* kSessions = "sessions";
constexpr const char* kHint = "'daybook import claude-code' brings them into the vault.";
constexpr std::int64_t kSoonDays = 7;

/// What a hook has spooled is captured with what was added to the file within a minute of it.
constexpr std::int64_t kDrainedMs = 62'000;
constexpr std::int64_t kNsPerMs = 1'000'000;

class Search {
 public:
  Search(const Examination& examination, std::string root) : root_(std::move(root)) {
    if (examination.listing) {
      for (const auto& entry : examination.listing->entries()) {
        if (entry.belongs_to_session()) {
          std::int64_t& newest = newest_ms_[entry.name().token];
          newest = std::max(newest, entry.name().captured_at.ms);
        }
      }
    }
    add_agents(examination);
    // One that is damaged was told already, and is not for this probe to mend.
    if (examination.folder && examination.status) {
      if (auto state = state::StateDb::open(*examination.folder)) {
        state_.emplace(std::move(state).value());
      }
    }
  }

  bool is_in_vault(const SessionFile& file) {
    return std::any_of(agents_.begin(), agents_.end(), [&](const std::string& agent) {
      return has_receipt(file, agent) || was_captured(file, agent);
    });
  }

 private:
  void add_agents(const Examination& examination) {
    if (!examination.request.agent.empty()) {
      agents_.insert(examination.request.agent);
      return;
    }
    agents_.emplace(lineage::kDefaultAgent);
    if (examination.status) {
      for (const service::ProjectionStatus& projection : examination.status->projections) {
        agents_.insert(projection.agent_id);
      }
    }
  }

  /// It was imported, is as it was then, and what became of it is still there.
  bool has_receipt(const SessionFile& file, const std::string& agent) {
    if (!state_) {
      return false;
    }
    const auto found =
        state_->imported().find(service::import_source(Format::claude_code, agent, root_, file));
    if (!found || !*found) {
      return false;
    }
    const state::ImportedFile& receipt = **found;
    return receipt.size == file.size && receipt.mtime_ns == file.mtime_ns &&
           (receipt.outcome == state::ImportOutcome::empty || newest_ms_.contains(receipt.token));
  }

  /// By a hook, say; and the file was not written to afterwards.
  bool was_captured(const SessionFile& file, const std::string& agent) const {
    const auto found = newest_ms_.find(
        SessionToken::derive(agent, harness::likely_session_id(Format::claude_code, file)));
    return found != newest_ms_.end() && file.mtime_ns / kNsPerMs <= found->second + kDrainedMs;
  }

  std::string root_;
  std::set<std::string> agents_;
  std::map<SessionToken, std::int64_t> newest_ms_;  // when it was captured last
  std::optional<state::StateDb> state_;
};

std::string in_days(std::int64_t days) {
  return days == 0 ? "today" : days == 1 ? "in 1 day" : "in " + std::to_string(days) + " days";
}

void judge(Examination& examination,
           const std::string& home,
           const std::vector<SessionFile>& files,
           std::int64_t cleanup_days) {
  std::error_code unknown;
  const auto real = std::filesystem::canonical(home, unknown);
  Search search(examination, unknown ? home : real.string());
  std::uint64_t missing = 0;
  std::uint64_t soon = 0;
  std::int64_t first = cleanup_days;
  std::vector<std::string> paths;
  for (const SessionFile& file : files) {
    if (search.is_in_vault(file)) {
      continue;
    }
    ++missing;
    const std::int64_t left =
        harness::days_left(file, cleanup_days, examination.request.system.wall_clock_ms);
    first = std::min(first, left);
    if (left <= kSoonDays) {
      ++soon;
      paths.push_back(home + "/" + file.path);
    }
  }
  const std::string said = amount(missing, "session file") + " of Claude Code, of " +
                           std::to_string(files.size()) + ", " + (missing == 1 ? "is" : "are") +
                           " not in the vault";
  if (missing == 0) {
    examination.add_ok(kSessions,
                       files.size() == 1 ? "the one session file of Claude Code is in the vault"
                                         : "all " + amount(files.size(), "session file") +
                                               " of Claude Code are in the vault");
  } else if (soon > 0) {
    examination.add(kSessions,
                    "sessions-expiring",
                    warning,
                    said + "; Claude Code deletes " + std::to_string(soon) + " of them within " +
                        std::to_string(kSoonDays) + " days, the first " + in_days(first),
                    kHint,
                    Remedy::none,
                    first_few(paths));
  } else {
    examination.add(kSessions,
                    "sessions-not-imported",
                    info,
                    said + "; Claude Code deletes the first " + in_days(first),
                    kHint);
  }
}

/// What is in them may be deleted without anybody having been told.
void tell_unreadable(Examination& examination, const harness::SessionListing& listing) {
  if (listing.unreadable.empty()) {
    return;
  }
  std::vector<std::string> paths;
  for (const harness::UnreadableFolder& folder : listing.unreadable) {
    paths.push_back(listing.root + "/" + folder.path);
  }
  examination.add(
      kSessions,
      "sessions-unreadable",
      warning,
      amount(paths.size(), "folder") +
          " with sessions of Claude Code cannot be read: " + listing.unreadable.front().reason,
      "Make them readable, then run 'daybook import claude-code'.",
      Remedy::none,
      first_few(paths));
}

}  // namespace

void look_at_sessions(Examination& examination) {
  const auto& environment = examination.request.system.environment;
  if (!environment) {
    return;
  }
  const auto home = harness::home_folder(Format::claude_code, environment);
  if (!home) {
    examination.add_unknown(kSessions,
                            "HOME is not set: sessions of Claude Code are not looked for");
    return;
  }
  auto listing = harness::list_sessions(examination.disk, Format::claude_code, *home);
  const auto days = harness::cleanup_days(examination.disk, *home);
  if (!listing || !days) {
    examination.add_unknown(kSessions,
                            "sessions of Claude Code cannot be looked for: " +
                                (listing ? days.error().in_words() : listing.error().in_words()));
    return;
  }
  std::erase_if(listing->files, harness::is_internal_agent);
  tell_unreadable(examination, *listing);
  if (!listing->files.empty()) {
    judge(examination, *home, listing->files, *days);
  } else if (listing->unreadable.empty()) {
    examination.add_ok(kSessions, "Claude Code has kept no session files");
  }
}

}  // namespace daybook::doctor
