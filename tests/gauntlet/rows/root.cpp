// SPDX-License-Identifier: MIT
//
// memory/ itself is deleted, made again, renamed away, covered, unmounted or swapped for a link, in
// random order, sometimes so shortly that nobody may have noticed. That is never "all deleted":
// while it is away MEMORY.md stays as it was, no reader ever misses the session that is always
// there, nothing is taken for removed, and in the end all is as a rebuild gives it. So it is for a
// pass that a person begins, which believes what it sees, and for a folder below memory/.
#include "daemon/watched_vault.hpp"
#include "flow/disturbance.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/counted_trials.hpp"
#include "gauntlet/rows/watchful_reader.hpp"
#include "support/own_namespace.hpp"
#include "support/text_lines.hpp"

#include <array>
#include <filesystem>
#include <sys/mount.h>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using daemon::WatchedVault;
using support::eventually;

constexpr const char* kAlwaysThere = "session=key-1 ";
constexpr int kDisturbances = 5;

/// Of one agent.
support::SessionFiles session(int number) {
  return flow::session(5 * number + 1, flow::Naming::by_path);
}

/// The lines of MEMORY.md that name one; what it says of findings is another matter.
std::string sessions_in(const std::string& memory_md) {
  std::string lines;
  for (const std::string& line : support::lines_of(memory_md)) {
    lines += line.find("session=") == std::string::npos ? "" : line + "\n";
  }
  return lines;
}

/// What happens to memory/, each time until it is back.
class Root {
 public:
  Root(WatchedVault& watched, Dice& dice, Complaints& complaints)
      : watched_(watched),
        dice_(dice),
        complaints_(complaints),
        memory_(watched.at("memory")),
        real_(watched.vault().place().at("real")) {}

  void disturb() {
    using Way = void (Root::*)();
    constexpr std::array<Way, 6> kWays{
        &Root::remove, &Root::fill_again, &Root::rename, &Root::cover, &Root::unmount, &Root::link};
    if (!watched_.equals_rebuild()) {
      complaints_.push_back("C: not as a rebuild: " + watched_.difference());
    }
    before_ = watched_.vault().memory_md();
    (this->*kWays.at(dice_.below(kWays.size())))();
  }

 private:
  /// Deleted and, as from a backup, there again at once.
  void remove() {
    fs::copy(memory_, real_, fs::copy_options::recursive);
    fs::remove_all(memory_);
    stay("memory/ is deleted");
    fs::rename(real_, memory_);
  }

  /// Deleted, made again, empty for a while, and filled file by file.
  void fill_again() {
    fs::copy(memory_, real_, fs::copy_options::recursive);
    fs::remove_all(memory_);
    if (dice_.once_in(2)) {
      stay("memory/ is deleted");
    }
    fs::create_directory(memory_);
    stay("memory/ is made again, and empty");
    // The one that readers look for comes first.
    watched_.vault().add(session(0));
    fs::copy(real_, memory_, fs::copy_options::recursive | fs::copy_options::skip_existing);
    fs::remove_all(real_);
  }

  void rename() {
    fs::rename(memory_, real_);
    stay("memory/ is renamed away");
    fs::rename(real_, memory_);
  }

  /// Another disk, empty, is mounted over it.
  void cover() {
    mount("none", memory_, "tmpfs", 0);
    stay("an empty disk covers memory/");
    unmount_from(memory_);
  }

  /// The disk that it is on goes, and leaves the bare mount point.
  void unmount() {
    fs::rename(memory_, real_);
    fs::create_directory(memory_);
    mount(real_, memory_, nullptr, MS_BIND);
    if (dice_.once_in(2)) {
      add_one();
    }
    if (!watched_.equals_rebuild()) {
      complaints_.push_back("C: not as a rebuild, on a disk of its own: " + watched_.difference());
    }
    before_ = watched_.vault().memory_md();
    unmount_from(memory_);
    stay("memory/ is unmounted");
    if (dice_.once_in(2)) {
      mount(real_, memory_, nullptr, MS_BIND);
      unmount_from(memory_);
      stay("memory/ is unmounted once more");
    }
    fs::remove(memory_);
    fs::rename(real_, memory_);
  }

  void link() {
    fs::rename(memory_, real_);
    fs::create_directory_symlink(real_, memory_);
    stay("memory/ is a link");
    fs::remove(memory_);
    fs::rename(real_, memory_);
  }

  /// Until the service has noticed, or so shortly that it may not have.
  void stay(const std::string& what) {
    if (dice_.once_in(3)) {
      support::let_pass(std::chrono::milliseconds(dice_.below(300)));
    } else if (!eventually([this] { return watched_.health().state == daemon::State::away; })) {
      complaints_.push_back("C: not noticed: " + what);
    }
    if (watched_.vault().memory_md() != before_) {
      complaints_.push_back("C: MEMORY.md has changed while " + what);
    }
  }

  void add_one() { watched_.vault().add(session(next_++)); }

  void mount(const std::string& from, const std::string& to, const char* kind, unsigned long how) {
    if (::mount(from.c_str(), to.c_str(), kind, how, nullptr) != 0) {
      throw Skipped("nothing can be mounted here");
    }
  }

  void unmount_from(const std::string& at) {
    if (::umount2(at.c_str(), MNT_DETACH) != 0) {
      throw std::runtime_error("cannot unmount " + at);
    }
  }

  WatchedVault& watched_;
  Dice& dice_;
  Complaints& complaints_;
  std::string memory_;
  std::string real_;
  std::string before_;
  int next_ = 40;
};

class RootTrials final : public CountedTrials {
 public:
  Complaints run(std::uint64_t number) override {
    if (!entered_ && !support::enter_namespace(CLONE_NEWNS)) {
      throw Skipped("no user namespaces");
    }
    entered_ = true;
    Dice dice(number);
    Complaints complaints;
    WatchedVault watched;
    for (int i = 0; i < 10; ++i) {
      watched.vault().add(session(i));
    }
    watched.start();
    WatchfulReader reader(watched.vault().workspace(), Reads::memory_md, [](const auto& text) {
      const std::string torn = WatchfulReader::whole(text);
      return !torn.empty() || text.find(kAlwaysThere) != std::string::npos
                 ? torn
                 : "C: a session vanished from MEMORY.md while memory/ was away";
    });
    Root root(watched, dice, complaints);
    for (int i = 0; i < kDisturbances; ++i) {
      root.disturb();
      if (dice.once_in(2)) {
        watched.vault().add(session(20 + i));
      }
      count("disturbances");
    }
    if (!watched.equals_rebuild()) {
      complaints.push_back("C: not as a rebuild at the end: " + watched.difference());
    }
    judge_tombstones(watched, complaints);
    for (const std::string& complaint : reader.stop()) {
      complaints.push_back(complaint);
    }
    count("reads", reader.reads());
    watched.stop();
    judge_passes(watched.vault(), complaints);
    return complaints;
  }

 private:
  static void judge_tombstones(WatchedVault& watched, Complaints& complaints) {
    if (watched.vault().rows().find("tombstone ") != std::string::npos) {
      complaints.emplace_back("L: what was away has a tombstone");
    }
    for (const std::string& path : flow::notes(watched.vault())) {
      if (path.find("--tombstone") != std::string::npos) {
        complaints.push_back("L: a tombstone was written: " + path);
      }
    }
  }

  /// Without a service that doubts: memory/ is not there, or a link; and then a folder below it.
  static void judge_passes(support::IndexedVault& vault, Complaints& complaints) {
    support::SessionFiles kept = session(48);
    for (const lineage::Kind kind : {lineage::Kind::summary, lineage::Kind::transcript}) {
      kept.file(kind).folder = "memory/kept";
    }
    kept.manifest.folder = "memory/kept";
    vault.add(kept);
    vault.reindex();
    const std::string rows = vault.rows();
    const std::string shown = vault.memory_md();
    if (shown.find("memory/kept") == std::string::npos) {
      throw std::runtime_error("there is nothing below memory/ to be kept");
    }
    const std::string real = vault.place().at("real");
    for (const std::string folder : {"memory", "memory/kept"}) {
      for (const bool linked : {false, true}) {
        if (folder != "memory" && !linked) {
          continue;  // a folder below that is not there is gone
        }
        fs::rename(vault.at(folder), real);
        if (linked) {
          fs::create_directory_symlink(real, vault.at(folder));
        }
        static_cast<void>(vault.try_reindex());
        const std::string what = folder + (linked ? "/ is a link" : "/ is away");
        if (sessions_in(vault.memory_md()) != sessions_in(shown)) {
          complaints.push_back("L: a pass has taken sessions out of MEMORY.md while " + what);
        }
        fs::remove(vault.at(folder));
        fs::rename(real, vault.at(folder));
      }
    }
    vault.reindex();
    if (vault.rows() != rows || vault.memory_md() != shown) {
      complaints.emplace_back("C: not as before when all is back");
    }
  }

  bool entered_ = false;
};

}  // namespace

Row root() {
  return {"root",
          "memory/ deleted, renamed, unmounted, a link",
          "L C A",
          10,
          500,
          [] { return std::make_unique<RootTrials>(); },
          Place::disk};
}

}  // namespace daybook::gauntlet
