// SPDX-License-Identifier: MIT
//
// Sessions that Claude Code has kept and will delete some day: whether they are in the vault by
// then. Files are listed, never opened: what was read before is known by its receipt, the rest by
// the session that its name means.
#include "daybook/harness/session_list.hpp"
#include "daybook/service/session_import.hpp"
#include "daybook/state/state_db.hpp"
#include "service/doctor_probes.hpp"

#include <filesystem>
#include <set>

namespace daybook::service {
namespace {

using enum FindingSeverity;
using harness::Format;
using harness::SessionFile;
using lineage::SessionToken;

constexpr const char* kSessions = "sessions";
constexpr const char* kHint = "'daybook import claude-code' brings them into the vault.";
constexpr std::int64_t kSoonDays = 7;

class Search {
 public:
  Search(const Examination& examination, std::string root) : root_(std::move(root)) {
    if (examination.listing) {
      for (const auto& entry : examination.listing->entries()) {
        if (entry.belongs_to_session()) {
          tokens_.insert(entry.name().token);
        }
      }
    }
    // One that is damaged was told already, and is not for this probe to mend.
    if (examination.folder && examination.status) {
      if (auto state = state::StateDb::open(*examination.folder)) {
        state_.emplace(std::move(state).value());
      }
    }
  }

  bool is_in_vault(const SessionFile& file) {
    if (state_) {
      const auto receipt =
          state_->imported().find(import_source(Format::claude_code, "default", root_, file));
      if (receipt && *receipt) {
        return (*receipt)->size == file.size && (*receipt)->mtime_ns == file.mtime_ns;
      }
    }
    return tokens_.contains(
        SessionToken::derive("default", harness::likely_session_id(Format::claude_code, file)));
  }

 private:
  std::string root_;
  std::set<SessionToken> tokens_;
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
    examination.add_ok(
        kSessions,
        "all " + amount(files.size(), "session file") + " of Claude Code are in the vault");
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
  const auto files = harness::list_sessions(examination.disk, Format::claude_code, *home);
  const auto days = harness::cleanup_days(examination.disk, *home);
  if (!files || !days) {
    examination.add_unknown(kSessions,
                            "sessions of Claude Code cannot be looked for: " +
                                (files ? days.error().message : files.error().message));
    return;
  }
  if (files->empty()) {
    examination.add_ok(kSessions, "Claude Code has kept no session files");
    return;
  }
  judge(examination, *home, *files, *days);
}

}  // namespace daybook::service
