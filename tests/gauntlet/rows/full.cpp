// SPDX-License-Identifier: MIT
//
// The disk of the vault, of the state folder or of both has no room or no inodes left, or the
// service has no descriptors left, while sessions are captured; then there is room again. The
// service was never started anew: what was acknowledged is there and shown, what was refused was
// refused with a reason, all is as a rebuild gives it.
#include "cli/served_vault.hpp"
#include "daybook/base/clock.hpp"
#include "faults/vault_end.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/captures.hpp"
#include "gauntlet/rows/counted_trials.hpp"
#include "gauntlet/rows/rebuilt.hpp"
#include "gauntlet/rows/watchful_reader.hpp"
#include "support/eventually.hpp"
#include "support/own_namespace.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using support::eventually;
using test::ServedVault;

/// A small disk of its own at a folder, until it goes.
class SmallDisk {
 public:
  explicit SmallDisk(std::string at) : at_(std::move(at)) {
    fs::create_directories(at_);
    if (::mount("none", at_.c_str(), "tmpfs", 0, "size=24m,nr_inodes=900,mode=0700") != 0) {
      throw Skipped("nothing can be mounted here");
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() { ::umount2(at_.c_str(), MNT_DETACH); }

  /// Not a byte is left, or not before so many.
  void use_up_room(std::size_t but) const {
    const int fd = ::open(filler("room").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::array<char, 4096> page{};
    while (::write(fd, page.data(), page.size()) > 0) {
    }
    struct stat seen {};
    ::fstat(fd, &seen);
    const auto rest = seen.st_size - static_cast<off_t>(but * page.size());
    if (::ftruncate(fd, std::max<off_t>(rest, 0)) != 0) {
      throw std::runtime_error("a disk cannot be filled");
    }
    ::close(fd);
  }

  void use_up_inodes(std::size_t but) const {
    fs::create_directories(filler("inodes"));
    int made = 0;
    for (int fd = 0; fd >= 0; ++made) {
      fd = ::open((filler("inodes") + "/" + std::to_string(made)).c_str(),
                  O_WRONLY | O_CREAT | O_CLOEXEC,
                  0600);
      ::close(fd);
    }
    for (std::size_t i = 0; i < but; ++i) {
      ::unlink((filler("inodes") + "/" + std::to_string(i)).c_str());
    }
  }

  void free() const {
    fs::remove(filler("room"));
    fs::remove_all(filler("inodes"));
  }

 private:
  std::string filler(const char* what) const { return at_ + "/.filler-" + what; }

  std::string at_;
};

enum class Trouble { room, inodes, descriptors };

class FullTrials final : public CountedTrials {
 public:
  Complaints run(std::uint64_t number) override {
    if (!entered_ && !support::enter_namespace(CLONE_NEWNS)) {
      throw Skipped("no user namespaces");
    }
    entered_ = true;
    next_ = 1;
    Dice dice(number);
    ServedVault vault;
    vault.set_patience(300);
    const SmallDisk of_vault(vault.workspace());
    const SmallDisk of_state(vault.state());
    vault.place().make_folder("vault/memory");
    // Without the timer: by then anything would recover.
    vault.place().write("vault/daybook.yaml",
                        "watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 3600\n");
    for (int i = 1; i <= 10; ++i) {
      put_whole(vault, test::served_session(i));
    }
    Captures captures(vault);
    WatchfulReader reader(vault.workspace(), Reads::memory_md_and_notes);
    Complaints complaints;
    const auto outcome = vault.serve([&](pid_t pid) {
      if (!eventually([&] { return vault.is_ready(); })) {
        complaints.emplace_back("E: the service does not get ready");
      }
      const auto trouble = static_cast<Trouble>(number % 3);
      const int rounds = dice.between(1, 2);
      for (int round = 0; round < rounds; ++round) {
        disturb(vault, pid, trouble, {&of_vault, &of_state}, dice, captures);
      }
      judge_recovery(vault, captures, complaints);
      ::kill(pid, SIGTERM);
    });
    if (outcome.exit_code != 0) {
      complaints.push_back("E: the service ends otherwise, " + faults::ending(outcome));
    }
    captures.judge(complaints);
    for (const std::string& complaint : reader.stop()) {
      complaints.push_back(complaint);
    }
    judge_leftovers(vault, complaints);
    static_cast<void>(vault.ask({"reindex"}));  // what had been refused, and was captured since
    judge_rebuild(vault, complaints);
    count("captures", captures.acknowledged());
    count("reads", reader.reads());
    return complaints;
  }

 private:
  void disturb(const ServedVault& vault,
               pid_t service,
               Trouble trouble,
               const std::array<const SmallDisk*, 2>& disks,
               Dice& dice,
               Captures& captures) {
    const std::size_t which = dice.below(3);  // of the vault, of the state, both
    const std::size_t but = dice.once_in(2) ? 0 : dice.below(12);
    rlimit before{};
    for (std::size_t i = 0; i < disks.size(); ++i) {
      if (which != 2 && which != i) {
        continue;
      }
      if (trouble == Trouble::room) {
        disks.at(i)->use_up_room(but);
      } else if (trouble == Trouble::inodes) {
        disks.at(i)->use_up_inodes(but);
      }
    }
    if (trouble == Trouble::descriptors) {
      take_descriptors(service, but, before);
    }
    const int deeds = dice.between(2, 4);
    for (int i = 0; i < deeds; ++i) {
      if (dice.once_in(3)) {
        try_to_write(vault, next_++);
      } else {
        const std::size_t acknowledged = captures.acknowledged();
        captures.capture(next_++);
        count("refused", captures.acknowledged() == acknowledged ? 1 : 0);
      }
      support::let_pass(milliseconds(dice.below(300)));
    }
    for (const SmallDisk* disk : disks) {
      disk->free();
    }
    if (trouble == Trouble::descriptors) {
      ::prlimit(service, RLIMIT_NOFILE, &before, nullptr);
    }
  }

  /// So many more than it has open.
  static void take_descriptors(pid_t service, std::size_t but, rlimit& before) {
    rlim_t highest = 0;
    for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(service) + "/fd")) {
      highest = std::max<rlim_t>(highest, std::stoul(entry.path().filename().string()));
    }
    ::prlimit(service, RLIMIT_NOFILE, nullptr, &before);
    const rlimit none_left{highest + 1 + but, before.rlim_max};
    ::prlimit(service, RLIMIT_NOFILE, &none_left, nullptr);
  }

  /// As a person or a synchroniser does, who may be refused as well.
  static void try_to_write(const ServedVault& vault, int number) {
    try {
      put_whole(vault, test::served_session(1000 + number));
    } catch (const std::exception&) {
      return;
    }
  }

  void judge_recovery(const ServedVault& vault, const Captures& captures, Complaints& complaints) {
    const base::Stopwatch since;
    nlohmann::json seen;
    const bool fresh = eventually(
        [&] {
          seen = vault.status();
          return seen.is_object() && seen["fresh"] == true && seen["service"].is_object() &&
                 seen["service"]["state"] == "watching" && shows_all(vault, captures);
        },
        std::chrono::seconds(90),
        milliseconds(100));
    count_most("ms to recover", static_cast<std::uint64_t>(since.seconds() * 1000));
    if (!fresh) {
      complaints.push_back("C: it does not recover: " + seen.dump());
    } else if (!seen["service"]["degraded"].empty()) {
      complaints.push_back("C: it recovered, but still says: " +
                           seen["service"]["degraded"].dump());
    }
  }

  static bool shows_all(const ServedVault& vault, const Captures& captures) {
    const auto numbers = captures.numbers();
    return std::all_of(numbers.begin(), numbers.end(), [&](int number) {
      return vault.shows(Captures::mark(number));
    });
  }

  bool entered_ = false;
  int next_ = 1;
};

}  // namespace

Row full() {
  return {"full",
          "no room, inodes or descriptors, and then again",
          "L C A E",
          15,
          1'000,
          [] { return std::make_unique<FullTrials>(); },
          Place::memory,
          240};
}

}  // namespace daybook::gauntlet
