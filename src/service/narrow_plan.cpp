// SPDX-License-Identifier: MIT
#include "service/narrow_plan.hpp"

#include "daybook/base/clock.hpp"
#include "daybook/index/reader.hpp"
#include "daybook/lineage/artifact_name.hpp"
#include "daybook/lineage/learning.hpp"
#include "daybook/scan/vault_layout.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace daybook::service {
namespace {

using lineage::NameForm;

/// From so many files on, looking at all of them is hardly dearer.
constexpr std::size_t kMostFiles = 512;

/// As if looked at when every time in the row was long past: rows are compared as they are.
constexpr std::int64_t kLongAfter = std::numeric_limits<std::int64_t>::max() / 2;

struct PathParts {
  std::string folder;
  std::string name;
};

PathParts split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return {path.substr(0, slash), path.substr(slash + 1)};
}

base::FileStat stat_of(const index::FileRow& row) {
  base::FileStat stat;
  stat.size = row.size;
  stat.mtime_ns = row.mtime_ns;
  stat.ctime_ns = row.ctime_ns;
  stat.inode = row.inode;
  return stat;
}

class NarrowPlanner {
 public:
  NarrowPlanner(PassPlan& plan,
                base::Disk& disk,
                const state::StateFolder& folder,
                state::StateDb& state,
                SealKeeper& seals)
      : plan_(plan), disk_(disk), folder_(folder), state_(state), seals_(seals) {}

  /// False: it takes a whole pass.
  Result<bool> run(index::OpenedIndex index, std::span<const std::string> hints);

 private:
  struct Known {
    std::int64_t id = 0;  // 0: new to the index
    std::uint64_t stat = scan::kNeverEqual;
    bool hinted = false;
  };
  enum class Presence { present, absent, doubtful };

  Result<bool> take_known(index::OpenedIndex index);
  Result<bool> take_tombstones();
  Result<bool> take_hint(const std::string& path);
  Result<bool> take_session(lineage::SessionToken token);
  Result<void> take_file(const std::string& path);
  Result<bool> take_dependents();
  std::set<std::string> gone() const;
  Presence look(const std::string& path, base::FileStat& stat);
  Result<bool> look_at_files();
  Result<bool> may_be_meant(const std::string& path);
  Result<void> finish();

  PassPlan& plan_;
  base::Disk& disk_;
  const state::StateFolder& folder_;
  state::StateDb& state_;
  SealKeeper& seals_;

  std::map<std::string, Known> files_;  // by path: everything that this pass looks at
  std::set<lineage::SessionToken> sessions_;
  std::map<std::string, base::FileStat> present_;
  std::map<std::string, std::unique_ptr<base::Folder>> folders_;
};

Result<bool> NarrowPlanner::run(index::OpenedIndex index, std::span<const std::string> hints) {
  TRY_ASSIGN(bool possible, take_known(std::move(index)));
  if (possible) {
    TRY_ASSIGN(possible, take_tombstones());
  }
  for (auto hint = hints.begin(); possible && hint != hints.end(); ++hint) {
    TRY_ASSIGN(possible, take_hint(*hint));
  }
  if (possible) {
    TRY_ASSIGN(possible, look_at_files());
  }
  // Nothing left of all that was named: a session that was deleted, or the whole vault.
  possible = possible && (!present_.empty() || gone().empty());
  if (possible) {
    TRY_ASSIGN(possible, take_dependents());
  }
  if (possible) {
    TRY(finish());
  }
  return possible;
}

Result<bool> NarrowPlanner::take_known(index::OpenedIndex index) {
  auto known = KnownVault::without_fingerprints(std::move(index));
  if (!known || !known->usable()) {
    return false;  // the whole pass says what is wrong, and mends it
  }
  plan_.known = std::move(known).value();
  TRY_ASSIGN(const auto state_id, state_.meta("state_id"));
  plan_.state_id = state_id.value_or("");
  plan_.secret = plan_.known.meta.secret;
  if (plan_.known.guard != plan_.guard.mark(plan_.secret)) {
    return false;
  }
  auto root = disk_.open_root(folder_.workspace());
  if (!root || !state_id || plan_.known.state_id != plan_.state_id) {
    return false;
  }
  plan_.root = std::move(root).value();
  return true;
}

/// Those that are known decide as ever; one that is new takes a whole pass.
Result<bool> NarrowPlanner::take_tombstones() {
  TRY_ASSIGN(plan_.tombstone_records, state_.tombstones().all());
  for (const lineage::Tombstone& record : plan_.tombstone_records) {
    plan_.tombstones.add(record);
  }
  return plan_.tombstones.facts() == plan_.known.tombstone_facts;
}

Result<bool> NarrowPlanner::take_hint(const std::string& path) {
  const lineage::NameReading reading = lineage::read_artifact_name(split(path).name);
  if (reading.kind == lineage::Kind::tombstone) {
    return false;
  }
  if (!scan::is_note(split(path).name)) {
    // A picture: it matters only as a name that a link may mean.
    return plan_.known.names_digest.empty();
  }
  bool possible = true;
  if (reading.form == NameForm::artifact) {
    TRY_ASSIGN(possible, take_session(reading.name.token));
  }
  if (!files_.contains(path)) {
    TRY(take_file(path));
  }
  files_[path].hinted = true;
  return possible && files_.size() <= kMostFiles;
}

/// Every file that is known to bear the session's token in its name: they are examined together.
Result<bool> NarrowPlanner::take_session(lineage::SessionToken token) {
  if (!sessions_.insert(token).second) {
    return true;
  }
  TRY_ASSIGN(const auto rows, index::Reader(*plan_.known.database).files_of_session(token));
  for (const index::FileRow& row : rows) {
    const auto reading = lineage::read_artifact_name(row.name);
    if (reading.kind == lineage::Kind::tombstone) {
      return false;
    }
    if (reading.form == NameForm::artifact && reading.name.token == token) {
      files_[row.path()] = {row.id, scan::stat_mark(stat_of(row), kLongAfter, plan_.secret), false};
    }
  }
  return files_.size() <= kMostFiles;
}

Result<void> NarrowPlanner::take_file(const std::string& path) {
  TRY_ASSIGN(const auto row, index::Reader(*plan_.known.database).file_at(path));
  files_[path] = {row ? row->id : 0, scan::kNeverEqual, false};
  return {};
}

NarrowPlanner::Presence NarrowPlanner::look(const std::string& path, base::FileStat& stat) {
  const PathParts parts = split(path);
  auto& folder = folders_[parts.folder];
  if (!folder) {
    auto opened = base::open_below(*plan_.root, parts.folder);
    if (!opened) {
      return Presence::doubtful;  // gone with its folder, or it cannot be read: all is looked at
    }
    folder = std::move(opened).value();
  }
  auto found = folder->stat(parts.name);
  if (!found) {
    return found.error().kind == ErrorKind::not_found ? Presence::absent : Presence::doubtful;
  }
  stat = *found;
  return stat.type == base::EntryType::file ? Presence::present : Presence::doubtful;
}

Result<bool> NarrowPlanner::look_at_files() {
  plan_.looked_at_ns = base::disk_clock_ms() * 1'000'000;
  for (const auto& [path, known] : files_) {
    base::FileStat stat;
    const Presence presence = look(path, stat);
    const bool is_artifact =
        lineage::read_artifact_name(split(path).name).form == NameForm::artifact;
    const bool came_or_went = (presence == Presence::present) != (known.id != 0);
    const bool came_as_name = came_or_went && !is_artifact && !plan_.known.names_digest.empty();
    TRY_ASSIGN(const bool names_matter, came_as_name ? may_be_meant(path) : Result<bool>(false));
    // A note's name is one that links may mean; and what could not be read has a finding that only
    // a whole pass takes away.
    if (presence == Presence::doubtful ||
        (came_or_went && (names_matter || plan_.known.could_not_read(path)))) {
      return false;
    }
    if (presence == Presence::present) {
      present_.emplace(path, stat);
    }
  }
  return true;
}

/// Whether a link by name may lead elsewhere now. Learning notes come and go all the time, and
/// hardly one is ever linked by name; the digest of all names, which is then out of date, has the
/// next whole pass look at such links once more.
Result<bool> NarrowPlanner::may_be_meant(const std::string& path) {
  const std::string name = split(path).name;
  const std::string stem = name.substr(0, name.size() - scan::kNoteExtension.size());
  const bool is_plain = std::all_of(
      stem.begin(), stem.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!is_plain || !lineage::is_learning_path(path)) {
    return true;
  }
  return index::Reader(*plan_.known.database).may_be_meant(stem);
}

/// Sessions with a link to a file that has come or gone. Which of their own files are there has not
/// changed by that, so this goes one step far.
Result<bool> NarrowPlanner::take_dependents() {
  index::Reader reader(*plan_.known.database);
  const std::set<std::string> gone_before = gone();
  std::set<std::string> sources;
  for (const auto& [path, known] : files_) {
    if (present_.contains(path) == (known.id != 0)) {
      continue;
    }
    TRY_ASSIGN(const auto links, reader.links_to(path));
    for (const index::FoundLink& link : links) {
      sources.insert(link.source);
    }
  }
  for (const std::string& source : sources) {
    const auto reading = lineage::read_artifact_name(split(source).name);
    if (reading.form == NameForm::artifact) {
      TRY_ASSIGN(const bool possible, take_session(reading.name.token));
      if (!possible) {
        return false;
      }
    } else if (!files_.contains(source)) {
      TRY(take_file(source));
    }
  }
  if (sources.empty()) {
    return true;
  }
  TRY_ASSIGN(const bool possible, look_at_files());
  // If one of theirs has gone, too, and nobody said so, then more may have.
  return possible && files_.size() <= kMostFiles && gone() == gone_before;
}

std::set<std::string> NarrowPlanner::gone() const {
  std::set<std::string> paths;
  for (const auto& [path, known] : files_) {
    if (known.id != 0 && !present_.contains(path)) {
      paths.insert(path);
    }
  }
  return paths;
}

Result<void> NarrowPlanner::finish() {
  std::vector<std::string> paths;
  paths.reserve(present_.size());
  for (const auto& [path, stat] : present_) {
    paths.push_back(path);
  }
  plan_.reach = Reach::narrow;
  plan_.listing.emplace(
      scan::VaultListing::of(paths,
                             [database = &*plan_.known.database,
                              files = files_](std::string_view path) -> std::optional<bool> {
                               const std::string wanted(path);
                               if (files.contains(wanted)) {
                                 return false;  // looked at, and not there
                               }
                               const auto row = index::Reader(*database).file_at(wanted);
                               return row ? std::optional(row->has_value()) : std::nullopt;
                             }));
  TRY(make_workers(plan_, disk_, folder_, seals_, 1));
  plan_.survey = scan::survey_paths(*plan_.listing, plan_.secret);
  for (scan::VaultListing::Index file = 0; file < plan_.survey.files.size(); ++file) {
    const std::string path = plan_.listing->path(file);
    plan_.survey.files[file].stat =
        scan::stat_mark(present_.at(path), plan_.looked_at_ns, plan_.secret);
  }
  for (const auto& [path, known] : files_) {
    if (known.id != 0) {
      plan_.known.fingerprints.add({scan::path_mark(path, plan_.secret),
                                    known.hinted ? scan::kNeverEqual : known.stat,
                                    static_cast<std::uint32_t>(known.id)});
    }
  }
  plan_.known.fingerprints.sort();
  plan_.differences = scan::differences(plan_.survey, plan_.known.fingerprints);
  const auto starts = plan_.listing->unit_starts();
  for (std::size_t i = 0; i < starts.size(); ++i) {
    plan_.units.emplace_back(starts[i],
                             i + 1 < starts.size()
                                 ? starts[i + 1]
                                 : static_cast<PassPlan::Index>(plan_.listing->entries().size()));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<PassPlan>> plan_narrow_pass(base::Disk& disk,
                                                   const state::StateFolder& folder,
                                                   state::StateDb& state,
                                                   index::OpenedIndex index,
                                                   SealKeeper& seals,
                                                   const capture::LearningGuard& guard,
                                                   std::span<const std::string> hints) {
  auto plan = std::make_unique<PassPlan>();
  plan->guard = guard;
  TRY_ASSIGN(const bool possible,
             NarrowPlanner(*plan, disk, folder, state, seals).run(std::move(index), hints));
  return possible ? std::move(plan) : nullptr;
}

}  // namespace daybook::service
