// SPDX-License-Identifier: MIT
#include "service/pass_plan.hpp"

#include "daybook/base/clock.hpp"
#include "daybook/base/keyed_hash.hpp"
#include "daybook/base/safety.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/lineage/said_hash.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "service/dirty_units.hpp"
#include "service/pass_tombstones.hpp"

#include <algorithm>

namespace daybook::service {
namespace {

using scan::VaultListing;
using Index = VaultListing::Index;

std::int64_t wall_clock_ns() { return base::disk_clock_ms() * 1'000'000; }

class Planner {
 public:
  Planner(PassPlan& plan,
          base::Disk& disk,
          const state::StateFolder& folder,
          state::StateDb& state,
          SealKeeper& seals,
          const PassPlanRequest& request)
      : plan_(plan),
        disk_(disk),
        folder_(folder),
        state_(state),
        seals_(seals),
        request_(request) {}

  Result<void> run() {
    plan_.guard = request_.guard;
    TRY(open_known());
    TRY(list_vault());
    if (plan_.doubtful) {
      return {};
    }
    TRY(make_workers(plan_, disk_, folder_, seals_, request_.threads));
    TRY(gather_tombstones(plan_, folder_, state_));
    TRY(look_at_files());
    return find_dirty();
  }

 private:
  Result<void> open_known();
  Result<void> list_vault();
  Result<void> look_at_files();
  Result<void> find_dirty();
  Result<void> find_dependents(DirtyUnits& dirty, const std::vector<std::string>& new_facts);
  void add_learnings(DirtyUnits& dirty) const;
  Result<void> split_gone();
  bool is_frozen(const std::string& path) const;

  PassPlan& plan_;
  base::Disk& disk_;
  const state::StateFolder& folder_;
  state::StateDb& state_;
  SealKeeper& seals_;
  const PassPlanRequest& request_;
};

Result<void> Planner::open_known() {
  const std::string path = folder_.file(index::kIndexFile);
  auto known = KnownVault::open(path, store::Access::read_write);
  if (!known && known.error().kind != ErrorKind::damaged) {
    return std::move(known).error();
  }
  if (known) {
    plan_.known = std::move(known).value();
  } else {
    plan_.known.usability = index::Usability::damaged;
  }
  TRY_ASSIGN(auto state_id, state_.meta("state_id"));
  if (!state_id) {
    state_id = std::to_string(base::random_number());
    TRY(state_.put_meta("state_id", *state_id));
  }
  plan_.state_id = *state_id;
  // Without the seals that belong to it, an index cannot tell what has changed since.
  const bool other_seals = plan_.known.usable() && plan_.known.state_id != plan_.state_id;
  if (other_seals && !plan_.known.state_id.empty() && state_.set_aside().empty()) {
    plan_.notices.emplace_back(
        "state.db is not the one that the index was made with: telemetry and seals of this device "
        "begin again");
  }
  plan_.building = !plan_.known.usable() || other_seals || request_.extent == Extent::everything;
  // Kept within 63 bits, so that it survives being a number in SQLite.
  plan_.secret = plan_.known.usable() ? plan_.known.meta.secret : base::random_number() >> 1U;
  return store::remove_database(path + ".new");  // what a crash may have left
}

Result<void> Planner::list_vault() {
  auto root = disk_.open_root(folder_.workspace());
  if (!root) {
    return cannot_list(std::move(root).error(), folder_.workspace(), plan_.known);
  }
  plan_.root = std::move(root).value();
  auto listing = VaultListing::list(*plan_.root, plan_.known.fingerprints.size());
  if (!listing) {
    return cannot_list(std::move(listing).error(), folder_.workspace(), plan_.known);
  }
  plan_.listing.emplace(std::move(listing).value());
  plan_.doubtful = base::keeps(base::Safety::emptied_root) &&
                   request_.emptiness == Emptiness::doubted && plan_.listing->entries().empty() &&
                   plan_.known.fingerprints.size() > 0;
  if (plan_.doubtful) {
    return {};
  }
  // Only now, with a vault to make another from, is a useless index put away.
  if (plan_.known.usability == index::Usability::damaged) {
    TRY_ASSIGN(const std::string aside, store::set_aside(folder_.file(index::kIndexFile)));
    plan_.notices.push_back("the index was damaged or not Daybook's; it was set aside as " + aside +
                            " and made anew");
  } else if (plan_.known.usability == index::Usability::other_schema) {
    plan_.notices.emplace_back("the index was written by another version; it was made anew");
  }
  return {};
}

Result<void> Planner::look_at_files() {
  plan_.looked_at_ns = wall_clock_ns();
  if (plan_.building) {
    plan_.survey = scan::survey_paths(*plan_.listing, plan_.secret);
  } else {
    TRY_ASSIGN(plan_.survey,
               scan::survey(disk_,
                            folder_.workspace(),
                            *plan_.listing,
                            plan_.secret,
                            plan_.looked_at_ns,
                            static_cast<unsigned>(plan_.workers.size())));
  }
  plan_.differences = scan::differences(plan_.survey, plan_.known.fingerprints);
  return {};
}

bool Planner::is_frozen(const std::string& path) const {
  return std::any_of(plan_.listing->unreadable().begin(),
                     plan_.listing->unreadable().end(),
                     [&path](const auto& entry) {
                       return path.size() > entry.first.size() && path.starts_with(entry.first) &&
                              path[entry.first.size()] == '/';
                     });
}

Result<void> Planner::find_dirty() {
  DirtyUnits dirty(*plan_.listing, plan_.survey, plan_.secret);
  const std::vector<std::string> facts = plan_.tombstones.facts();
  std::vector<std::string> new_facts;
  std::set_symmetric_difference(facts.begin(),
                                facts.end(),
                                plan_.known.tombstone_facts.begin(),
                                plan_.known.tombstone_facts.end(),
                                std::back_inserter(new_facts));
  plan_.facts_changed = !new_facts.empty();
  for (const std::string& fact : new_facts) {
    if (std::binary_search(facts.begin(), facts.end(), fact)) {
      TRY(forget_removed(plan_, state_, fact));
    }
  }
  TRY(split_gone());
  plan_.guard_changed = plan_.known.guard != plan_.guard.mark(plan_.secret);
  if (plan_.building) {
    dirty.add_all();
  } else {
    TRY(find_dependents(dirty, new_facts));
    if (plan_.guard_changed) {
      add_learnings(dirty);
    }
  }
  plan_.units = dirty.units();
  return {};
}

void Planner::add_learnings(DirtyUnits& dirty) const {
  for (Index file = 0; file < plan_.listing->entries().size(); ++file) {
    if (lineage::is_learning_path(plan_.listing->path(file))) {
      dirty.add_file(file);
    }
  }
}

/// Files in a folder that cannot be read now are not gone; but what was removed is not kept for
/// that.
Result<void> Planner::split_gone() {
  if (plan_.listing->unreadable().empty()) {
    return {};
  }
  std::vector<scan::Fingerprint> gone;
  for (const scan::Fingerprint& fingerprint : plan_.differences.gone) {
    TRY_ASSIGN(const auto row, plan_.known.row(fingerprint.file));
    const bool stays = base::keeps(base::Safety::unreadable_folder) && row &&
                       is_frozen(row->path()) && !plan_.removes(*row);
    (stays ? plan_.frozen : gone).push_back(fingerprint);
  }
  plan_.differences.gone = std::move(gone);
  return {};
}

Result<void> Planner::find_dependents(DirtyUnits& dirty,
                                      const std::vector<std::string>& new_facts) {
  index::Reader known(*plan_.known.database);
  for (const scan::Fingerprint& fingerprint : plan_.differences.gone) {
    TRY_ASSIGN(const auto row, plan_.known.row(fingerprint.file));
    if (row) {
      if (row->token) {
        dirty.add_token(*row->token);
      }
      TRY(dirty.add_linking_to(known, row->path()));
    }
  }
  for (const Index file : plan_.differences.added) {
    dirty.add_file(file);
    TRY(dirty.add_linking_to(known, plan_.listing->path(file)));
  }
  for (const Index file : plan_.differences.changed) {
    dirty.add_file(file);
  }
  for (const std::string& fact : new_facts) {
    TRY(dirty.add_concerned_by(known, fact));
  }
  if (!plan_.known.names_digest.empty() &&
      plan_.known.names_digest !=
          std::to_string(plan_.names.get(*plan_.root, *plan_.listing).digest())) {
    plan_.facts_changed = true;
    TRY(dirty.add_names_used(known));
  }
  return {};
}

}  // namespace

bool PassPlan::nothing_to_do() const {
  const bool nothing_changed =
      !building && units.empty() && differences.none() && !facts_changed && !guard_changed;
  return nothing_changed &&
         (reach == Reach::narrow ||
          (known.unreadable == unreadable() && known.newer_fingerprints < kManyNewerFingerprints));
}

Result<void> make_workers(PassPlan& plan,
                          base::Disk& disk,
                          const state::StateFolder& folder,
                          SealKeeper& seals,
                          unsigned threads) {
  const auto known_seal = [&seals](const lineage::ArtifactName& name) {
    const auto seal = seals.find(name);
    return seal && *seal ? std::optional((*seal)->file) : std::nullopt;
  };
  const unsigned wanted = thread_count(threads, plan.listing->unit_starts().size());
  for (unsigned i = 0; i < wanted; ++i) {
    TRY_ASSIGN(auto worker,
               UnitWorker::make(disk,
                                folder.workspace(),
                                *plan.listing,
                                plan.tombstones,
                                plan.names,
                                Detail::facts,
                                known_seal));
    worker->use(plan.guard);
    plan.workers.push_back(std::move(worker));
  }
  return {};
}

bool PassPlan::removes(const index::FileRow& row) const {
  std::vector<lineage::SessionToken> sessions;
  for (const auto& token : {row.token, row.session}) {
    if (token) {
      sessions.push_back(*token);
    }
  }
  if (row.session && !row.fields.session_id.empty()) {  // which may have been derived from the key
    sessions.push_back(lineage::SessionToken::derive(row.fields.agent_id, row.fields.session_id));
  }
  const std::string path = row.path();
  lineage::Traces traces;
  traces.kind = row.kind;
  traces.sessions = sessions;
  traces.path = path;
  traces.agent_id = row.fields.agent_id;
  traces.learning_id = row.learning_id;
  // Without its size, which the row does not know. The file is gone or cannot be read: what may
  // have been removed is rather forgotten than kept, and comes back when it can be read again.
  traces.body = row.body_sha256;
  std::vector<base::Digest> said;
  if (row.learning_id && row.content_sha256) {
    said.push_back(lineage::said_hash(*row.content_sha256));
  }
  traces.said = said;
  return tombstones.means(traces);
}

std::string PassPlan::unreadable() const {
  std::string text;
  for (const auto& [path, diagnostic] : listing->unreadable()) {
    text.append(path).append(1, '\n');
  }
  return text;
}

Result<std::unique_ptr<PassPlan>> plan_pass(base::Disk& disk,
                                            const state::StateFolder& folder,
                                            state::StateDb& state,
                                            SealKeeper& seals,
                                            const PassPlanRequest& request) {
  auto plan = std::make_unique<PassPlan>();
  TRY(Planner(*plan, disk, folder, state, seals, request).run());
  return plan;
}

}  // namespace daybook::service
