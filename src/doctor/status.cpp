// SPDX-License-Identifier: MIT
//
// What status finds, in the doctor's words: the same names, with what to do and whether a pass does
// it.
#include "doctor/probes.hpp"

#include <algorithm>
#include <array>

namespace daybook::doctor {
namespace {

namespace degraded = service::degraded;
using enum FindingSeverity;

/// What the doctor says of a reason that status gives; the reasons of other checks are not here.
struct ReasonWords {
  std::string_view reason;
  const char* check;
  FindingSeverity severity;
  const char* message;
  const char* hint;
  Remedy remedy;
};

constexpr std::array kReasons{
    ReasonWords{degraded::kIndexMissing,
                "index",
                error,
                "there is no index",
                "'daybook reindex' makes it.",
                Remedy::run_pass},
    ReasonWords{degraded::kIndexDamaged,
                "index",
                error,
                "the index cannot be read",
                "'daybook reindex' makes it anew; nothing is lost by that.",
                Remedy::run_pass},
    ReasonWords{degraded::kIndexStale,
                "index",
                warning,
                "the files have changed since they were indexed",
                "'daybook reindex' brings the index up to date.",
                Remedy::run_pass},
    ReasonWords{degraded::kFullTextBehind,
                "full-text",
                warning,
                "the full text is older than the index, so searches miss what is new",
                "'daybook reindex' brings it up to date.",
                Remedy::run_pass},
    ReasonWords{degraded::kStateMissing,
                "state-db",
                error,
                "state.db is gone: seals and telemetry begin again",
                "Put a backup of it in its place, or 'daybook reindex' makes it anew.",
                Remedy::run_pass},
    ReasonWords{degraded::kStateBusy,
                "state-db",
                warning,
                "state.db cannot be asked now",
                "Try again when no other process uses it.",
                Remedy::none},
    ReasonWords{degraded::kErasurePending,
                "removals",
                error,
                "removed text is not yet wiped from the state folder",
                "'daybook reindex' wipes it, when no other process reads the databases.",
                Remedy::run_pass},
    ReasonWords{degraded::kUnfinishedRemoval,
                "removals",
                error,
                "a removal was cut off",
                "'daybook reindex' finishes it.",
                Remedy::run_pass},
    ReasonWords{degraded::kUnfinishedCapture,
                "captures",
                warning,
                "a capture was cut off, or is not yet in MEMORY.md",
                "'daybook reindex' finishes it.",
                Remedy::run_pass},
    ReasonWords{degraded::kMemoryMdContested,
                "publication",
                error,
                "another program keeps replacing MEMORY.md, so Daybook has stopped publishing",
                "End that program, then 'daybook render --take-over'.",
                Remedy::none}};

/// Reasons that another probe tells.
constexpr std::array kToldElsewhere{degraded::kClock, degraded::kVaultUnreadable};

void tell_reason(Examination& examination, const std::string& reason) {
  const auto words = std::find_if(kReasons.begin(), kReasons.end(), [&](const ReasonWords& known) {
    return known.reason == reason;
  });
  if (words != kReasons.end()) {
    // An index that is damaged in its pages may also be one that cannot be asked.
    const bool told = std::any_of(examination.findings.begin(),
                                  examination.findings.end(),
                                  [&](const Finding& known) { return known.name == reason; });
    if (!told) {
      examination.add(
          words->check, reason, words->severity, words->message, words->hint, words->remedy);
    }
  } else if (std::find(kToldElsewhere.begin(), kToldElsewhere.end(), reason) ==
             kToldElsewhere.end()) {
    examination.add("status", reason, warning, "status says: " + reason, "See 'daybook status'.");
  }
}

/// Whether this device writes MEMORY.md at all.
bool publishes(const Examination& examination) {
  const std::string& publisher = examination.config.publisher;
  return publisher == "any" || publisher == examination.folder->device();
}

void look_at_published_files(Examination& examination) {
  std::vector<std::string> differing;
  for (const service::ProjectionStatus& projection : examination.status->projections) {
    if (!projection.published) {
      differing.push_back(projection.path);
    }
  }
  if (differing.empty() || examination.has("publication") || !publishes(examination)) {
    return;
  }
  examination.add("publication",
                  "memory-md-differs",
                  warning,
                  amount(differing.size(), "projection") + " not as it would be published now",
                  "'daybook reindex' publishes it.",
                  Remedy::run_pass,
                  first_few(differing));
}

/// How the policy of run memory was last carried out.
void look_at_run_memory(Examination& examination) {
  const auto& maintenance = examination.status->run_memory.maintenance;
  if (!maintenance) {
    return;
  }
  std::vector<std::string> paths;
  for (const state::RunMaintenance::Finding& finding : maintenance->findings) {
    paths.push_back(finding.path);
  }
  if (maintenance->failed()) {
    examination.add("run-memory",
                    "run-maintenance-failed",
                    warning,
                    "the runs that sessions are reminded of could not be looked through",
                    "'daybook reindex' tries it again.",
                    Remedy::run_pass,
                    first_few(paths));
  } else if (maintenance->pruned() > 0) {
    examination.add("run-memory",
                    "runs-pruned",
                    info,
                    amount(maintenance->pruned(), "run") +
                        " not told any more since the last maintenance, by the policy or because "
                        "the note is gone",
                    {},
                    Remedy::none,
                    first_few(paths));
  }
}

}  // namespace

void look_at_status_reasons(Examination& examination) {
  if (!examination.status) {
    return;
  }
  for (const std::string& reason : examination.status->degraded) {
    tell_reason(examination, reason);
  }
  for (const std::string& notice : examination.status->notices) {
    examination.add("status", "status-notice", info, notice);
  }
  look_at_published_files(examination);
  look_at_run_memory(examination);
  for (const auto& [check, message] :
       {std::pair{"index", "the index can be read and speaks of the files as they are"},
        std::pair{"full-text", "the full text is up to date"},
        std::pair{"state-db", "state.db can be read"},
        std::pair{"removals", "no removal is unfinished"},
        std::pair{"captures", "no capture is unfinished"},
        std::pair{"run-memory", "the policy of run memory is carried out"},
        std::pair{"publication", "MEMORY.md is published as it should be"}}) {
    if (!examination.has(check)) {
      examination.add_ok(check, message);
    }
  }
}

}  // namespace daybook::doctor
