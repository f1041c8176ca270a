// SPDX-License-Identifier: MIT
#include "daybook/capture/vault_names.hpp"
#include "daybook/service/session_import.hpp"
#include "service/session_project.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace daybook::service {
namespace {

using harness::SessionFile;

constexpr std::int64_t kNsPerMs = 1'000'000;

/// What the files of a session and of its sub-agents have in common: the path without `.jsonl`, or
/// the path of the folder that `subagents` stands in.
std::string family_of(const SessionFile& file) {
  if (file.parent_id.empty()) {
    return file.path.substr(0, file.path.rfind('.'));
  }
  const std::size_t agents = file.path.rfind("subagents/");
  return agents == std::string::npos || agents == 0 ? file.parent_id
                                                    : file.path.substr(0, agents - 1);
}

std::int64_t newest_of(const SessionFamily& family) {
  return std::max_element(family.begin(),
                          family.end(),
                          [](const auto& a, const auto& b) { return a.mtime_ns < b.mtime_ns; })
      ->mtime_ns;
}

/// A parent before its sub-agents.
std::vector<SessionFamily> families_of(std::vector<SessionFile> files) {
  std::map<std::string, SessionFamily> by_key;
  for (SessionFile& file : files) {
    by_key[family_of(file)].push_back(std::move(file));
  }
  std::vector<SessionFamily> families;
  families.reserve(by_key.size());
  for (auto& [key, family] : by_key) {
    std::stable_sort(family.begin(), family.end(), [](const auto& a, const auto& b) {
      return a.parent_id.empty() && !b.parent_id.empty();
    });
    families.push_back(std::move(family));
  }
  return families;
}

class Sieve {
 public:
  Sieve(base::Disk& disk,
        const ImportRequest& request,
        state::StateDb* state,
        const capture::VaultNames* names,
        ImportPlan& plan)
      : disk_(disk), request_(request), state_(state), names_(names), plan_(plan) {}

  /// What is to be read of a family. It is wanted or not as a whole: a sub-agent's file may be
  /// older than its session's, or have worked elsewhere, and still belongs to it.
  Result<SessionFamily> wanted_of(SessionFamily family) {
    const auto internal = std::stable_partition(family.begin(), family.end(), [](const auto& file) {
      return !harness::is_internal_agent(file);
    });
    refuse(static_cast<std::size_t>(family.end() - internal));
    family.erase(internal, family.end());
    if (family.empty() || (request_.since && newest_of(family) / kNsPerMs < request_.since->ms)) {
      refuse(family.size());
      return SessionFamily();
    }
    const SessionFile head = family.front();
    SessionFamily wanted;
    for (SessionFile& file : family) {
      TRY_ASSIGN(const bool unchanged, is_unchanged(file));
      if (unchanged) {
        ++plan_.unchanged;
      } else {
        wanted.push_back(std::move(file));
      }
    }
    if (!wanted.empty() && !request_.project.empty() &&
        !is_session_of_project(disk_, {plan_.root, plan_.harness}, head, request_.project)) {
      refuse(wanted.size());
      return SessionFamily();
    }
    return wanted;
  }

 private:
  void refuse(std::size_t files) { plan_.not_wanted += files; }

  Result<bool> is_unchanged(const SessionFile& file) {
    if (state_ == nullptr) {
      return false;
    }
    TRY_ASSIGN(const auto known,
               state_->imported().find(
                   import_source(request_.harness, request_.agent_id, plan_.root, file)));
    const bool unchanged = known && known->size == file.size && known->mtime_ns == file.mtime_ns;
    // A backup that was put back may not have it any more.
    return unchanged && (known->outcome == state::ImportOutcome::empty || names_ == nullptr ||
                         names_->has_session(known->token));
  }

  base::Disk& disk_;
  const ImportRequest& request_;
  state::StateDb* state_;
  const capture::VaultNames* names_;
  ImportPlan& plan_;
};

/// Takes as many as the limit allows: newest first, so that a run that is stopped or limited has
/// done what matters most.
void add_families(std::vector<SessionFamily> families,
                  std::optional<std::size_t> limit,
                  ImportPlan& plan) {
  std::stable_sort(families.begin(), families.end(), [](const auto& a, const auto& b) {
    return newest_of(a) > newest_of(b);
  });
  for (SessionFamily& family : families) {
    const std::size_t room =
        limit ? *limit - std::min<std::size_t>(*limit, plan.files) : family.size();
    if (family.size() > room) {
      plan.beyond_limit += family.size() - room;
      family.resize(room);
    }
    if (family.empty()) {
      continue;
    }
    for (const SessionFile& file : family) {
      const bool first = plan.files == 0;
      plan.oldest_mtime_ns = first ? file.mtime_ns : std::min(plan.oldest_mtime_ns, file.mtime_ns);
      plan.newest_mtime_ns = first ? file.mtime_ns : std::max(plan.newest_mtime_ns, file.mtime_ns);
      ++plan.files;
      plan.bytes += file.size;
    }
    plan.families.push_back(std::move(family));
  }
}

Error nothing_there(const ImportRequest& request) {
  return {ErrorKind::not_found,
          "there are no session files of " + std::string(to_string(request.harness)) + " here",
          request.from,
          "Name the harness's folder, a folder of session files (*.jsonl) or one such file."};
}

}  // namespace

std::string import_source(harness::Format harness,
                          const std::string& agent_id,
                          const std::string& root,
                          const SessionFile& file) {
  return std::string(to_string(harness)) + ":" + agent_id + ":" + root + "/" + file.path;
}

Result<ImportPlan> plan_import(base::Disk& disk,
                               const ImportRequest& request,
                               state::StateDb* state,
                               const capture::VaultNames* names) {
  auto listing = harness::list_sessions_at(disk, request.harness, request.from);
  if (!listing && listing.error().kind == ErrorKind::not_found) {
    return nothing_there(request);
  }
  if (!listing) {
    return std::move(listing).error();
  }
  if (listing->files.empty() && listing->unreadable.empty()) {
    return nothing_there(request);
  }
  ImportPlan plan;
  plan.harness = request.harness;
  plan.agent_id = request.agent_id;
  plan.root = listing->root;
  plan.listed = listing->files.size();
  for (const harness::UnreadableFolder& folder : listing->unreadable) {
    plan.unreadable.push_back({plan.root + "/" + folder.path, folder.reason});
  }
  Sieve sieve(disk, request, state, names, plan);
  std::vector<SessionFamily> families;
  for (SessionFamily& family : families_of(std::move(listing->files))) {
    TRY_ASSIGN(SessionFamily wanted, sieve.wanted_of(std::move(family)));
    if (!wanted.empty()) {
      families.push_back(std::move(wanted));
    }
  }
  add_families(std::move(families), request.limit, plan);
  return plan;
}

}  // namespace daybook::service
