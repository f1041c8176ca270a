// SPDX-License-Identifier: MIT
//
// What processes of ours that are gone have left: temporaries in the vault and the state folder,
// databases that were never finished, old ones that were set aside, and the note in a lock's file.
#include "daybook/base/atomic_file.hpp"
#include "daybook/base/folder_walk.hpp"
#include "daybook/scan/vault_layout.hpp"
#include "daybook/state/holders.hpp"
#include "doctor/probes.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace daybook::doctor {
namespace {

using Kind = Leftover::Kind;
using enum FindingSeverity;

constexpr std::int64_t kOldMs = 60LL * 60 * 1000;
constexpr std::string_view kSetAside = ".set-aside-";

/// `index.db.new`, `text/2026-03.2.db.new` and what SQLite puts beside them.
bool is_half_built(std::string_view name) {
  const std::size_t mark = name.rfind(".db.new");
  const std::string_view rest = mark == std::string_view::npos ? "x" : name.substr(mark + 7);
  return rest.empty() || rest == "-wal" || rest == "-shm" || rest == "-journal";
}

/// Derived, so nothing is lost with it. A state.db that was set aside is for a person to judge.
bool is_derived_set_aside(std::string_view name) {
  const std::size_t mark = name.find(kSetAside);
  return mark != std::string_view::npos &&
         (name.substr(0, mark) == "index.db" || name.substr(0, mark) == "lease.db");
}

/// Renaming changes ctime alone.
bool is_old(const struct stat& status, std::int64_t now_ms) {
  return static_cast<std::int64_t>(status.st_ctime) * 1000 + kOldMs < now_ms;
}

class LeftoverSearch {
 public:
  explicit LeftoverSearch(const DoctorRequest& request)
      : request_(request), now_ms_(request.system.wall_clock_ms) {}

  std::vector<Leftover> run() {
    search_vault();
    if (is_our_state(request_)) {
      search_state();
    }
    return std::move(found_);
  }

 private:
  void search_state() {
    base::walk_folder(request_.state_path,
                      [this](int folder, const std::string& name, const std::string& path) {
                        note_temporary(folder, name, path);
                        note_database(folder, name, path);
                        return base::Walk::into;
                      });
  }

  /// Only where Daybook writes: the root, agents/NAME/ and memory/.
  void search_vault() {
    const std::string root = request_.workspace;
    const std::string memory = root + "/" + std::string(scan::kMemoryFolder);
    const std::string agents = root + "/agents";
    base::walk_folder(root, [&](int folder, const std::string& name, const std::string& path) {
      note_temporary(folder, name, path);
      const bool in_memory = path == memory || path.starts_with(memory + "/");
      const bool in_agents =
          path == agents || (path.starts_with(agents + "/") &&
                             path.find('/', agents.size() + 1) == std::string::npos);
      return (in_memory || in_agents) && !scan::is_hidden(name) ? base::Walk::into : base::Walk::on;
    });
  }

  void note_temporary(int folder, const std::string& name, const std::string& path) {
    if (base::is_temporary_name(name) && base::is_abandoned_temporary(folder, name, now_ms_)) {
      found_.push_back({path, Kind::temporary});
    }
  }

  void note_database(int folder, const std::string& name, const std::string& path) {
    const bool half_built = is_half_built(name);
    if (!half_built && !is_derived_set_aside(name)) {
      return;
    }
    const auto status = base::entry_status(folder, name);
    if (status && S_ISREG(status->st_mode) && (half_built || is_old(*status, now_ms_))) {
      found_.push_back({path, half_built ? Kind::half_built : Kind::set_aside});
    }
  }

  const DoctorRequest& request_;
  std::int64_t now_ms_;
  std::vector<Leftover> found_;
};

std::vector<std::string> paths_of(const std::vector<Leftover>& leftovers) {
  std::vector<std::string> paths;
  paths.reserve(leftovers.size());
  for (const Leftover& leftover : leftovers) {
    paths.push_back(leftover.path);
  }
  return paths;
}

/// Those that are no leftovers: young ones, and state.db, which a person may want to look into.
void look_at_set_aside(Examination& examination, const std::vector<Leftover>& leftovers) {
  if (!examination.folder) {
    return;
  }
  auto files = examination.folder->set_aside_files();
  if (!files) {
    return;
  }
  for (const Leftover& leftover : leftovers) {
    std::erase(*files, leftover.path);
  }
  if (!files->empty()) {
    examination.add("set-aside",
                    "set-aside-files",
                    info,
                    "the state folder keeps " + amount(files->size(), "damaged file"),
                    "Delete what you do not want to look into.",
                    Remedy::none,
                    first_few(*files));
  }
}

}  // namespace

std::vector<Leftover> find_leftovers(const DoctorRequest& request) {
  return LeftoverSearch(request).run();
}

Result<bool> remove_leftover(const Leftover& leftover, std::int64_t wall_clock_ms) {
  const std::size_t slash = leftover.path.rfind('/');
  const std::string name = leftover.path.substr(slash + 1);
  const base::WalkedFolder folder(AT_FDCWD, leftover.path.substr(0, slash));
  if (folder.get() < 0) {
    return base::system_error("cannot open the folder of a leftover", leftover.path, errno);
  }
  if (leftover.kind == Kind::temporary) {
    return base::remove_abandoned_temporary(folder.get(), name, wall_clock_ms);
  }
  if (::unlinkat(folder.get(), name.c_str(), 0) != 0) {
    return errno == ENOENT ? Result<bool>(false)
                           : base::system_error("cannot remove a leftover", leftover.path, errno);
  }
  return true;
}

void look_at_locks(Examination& examination) {
  if (!examination.folder) {
    return;
  }
  if (const auto holder = state::pipeline_holder(*examination.folder)) {
    examination.add("locks",
                    "lock-held",
                    info,
                    "a pass over this workspace is under way, held by " + *holder,
                    "Nothing; look again when it has finished.");
  } else if (const auto note = state::abandoned_lock_note(*examination.folder)) {
    examination.add("locks",
                    "lock-note-left",
                    info,
                    "pipeline.lock names a process that is gone: " + *note,
                    "It keeps nobody from anything; 'daybook doctor --fix' clears it.",
                    Remedy::clear_lock_note,
                    {examination.folder->file("pipeline.lock")});
  } else {
    examination.add_ok("locks", "no lock is held, and none was left behind");
  }
}

void look_at_leftovers(Examination& examination) {
  std::vector<Leftover> leftovers = find_leftovers(examination.request);
  if (examination.folder && state::pipeline_holder(*examination.folder)) {
    // What a pass that is under way builds is no leftover.
    std::erase_if(leftovers, [](const Leftover& one) { return one.kind == Kind::half_built; });
  }
  if (leftovers.empty()) {
    examination.add_ok("leftovers", "no temporary file was left behind");
  } else {
    examination.add("leftovers",
                    "leftovers-found",
                    warning,
                    "processes that are gone have left " + amount(leftovers.size(), "file"),
                    "'daybook doctor --fix' removes what Daybook itself has made and nobody uses.",
                    Remedy::remove_leftovers,
                    first_few(paths_of(leftovers)));
  }
  look_at_set_aside(examination, leftovers);
}

}  // namespace daybook::doctor
