// SPDX-License-Identifier: MIT
//
// The service is killed at random moments while files come, change and go and sessions are
// captured, some of the captures being killed, too. The next start converges, nothing that was
// acknowledged is missing, the doctor leaves nothing over, and nobody ever reads half a file.
#include "cli/served_vault.hpp"
#include "faults/vault_end.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/captures.hpp"
#include "gauntlet/rows/counted_trials.hpp"
#include "gauntlet/rows/rebuilt.hpp"
#include "gauntlet/rows/watchful_reader.hpp"
#include "support/eventually.hpp"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using support::eventually;
using support::let_pass;
using test::ServedVault;

constexpr int kKills = 12;
constexpr int kSessions = 120;

/// Two threads: one writes notes by hand, one captures sessions.
class Load {
 public:
  Load(const ServedVault& vault, std::uint64_t seed)
      : vault_(vault),
        captures_(vault),
        writer_([this, seed] { write(Dice(seed + 1)); }),
        capturer_([this, seed] { capture(Dice(seed + 2)); }) {}
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() { end(); }

  Captures& end() {
    ended_ = true;
    for (std::thread* thread : {&writer_, &capturer_}) {
      if (thread->joinable()) {
        thread->join();
      }
    }
    return captures_;
  }

 private:
  void write(Dice dice) const {
    while (!ended_) {
      const auto session = test::served_session(dice.between(1, kSessions));
      if (dice.once_in(4)) {
        std::error_code ignored;
        fs::remove(vault_.workspace() + "/" + session.summary.path(), ignored);
      } else {
        put_whole(vault_, session);
      }
      let_pass(milliseconds(dice.between(1, 12)));
    }
  }

  void capture(Dice dice) {
    for (int number = 1; !ended_; ++number) {
      const auto moment = milliseconds(dice.between(1, 60));
      if (dice.once_in(3)) {
        captures_.capture(number, [moment](pid_t pid) {
          let_pass(moment);
          ::kill(pid, SIGKILL);
        });
      } else {
        captures_.capture(number);
      }
      let_pass(moment);
    }
  }

  const ServedVault& vault_;
  std::atomic<bool> ended_{false};
  Captures captures_;  // the capturer's until it has ended
  std::thread writer_;
  std::thread capturer_;
};

class SuddenEndTrials final : public CountedTrials {
 public:
  Complaints run(std::uint64_t number) override {
    Dice dice(number);
    const ServedVault vault;
    // Without the timer: what the start does not find is not found.
    vault.place().write("vault/daybook.yaml",
                        "watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 3600\n");
    WatchfulReader reader(vault.workspace(), Reads::memory_md_and_notes);
    Load load(vault, number);
    Complaints complaints;
    for (int i = 0; i < kKills; ++i) {
      const milliseconds moment(dice.between(0, 250));
      const auto outcome = vault.serve([&](pid_t pid) {
        let_pass(moment);
        ::kill(pid, SIGKILL);
      });
      if (outcome.signal != SIGKILL) {
        complaints.push_back("E: it ended otherwise, " + faults::ending(outcome));
      }
    }
    Captures& captures = load.end();
    // What came and went while nobody watched, and no command either.
    put_whole(vault, test::served_session(kSessions + 1));
    fs::remove(vault.workspace() + "/" + test::served_session(1).summary.path());
    judge_last_start(vault, complaints);
    captures.judge(complaints);
    for (const std::string& complaint : reader.stop()) {
      complaints.push_back(complaint);
    }
    judge_leftovers(vault, complaints);
    static_cast<void>(vault.ask({"reindex"}));  // what was captured last of all
    judge_rebuild(vault, complaints);
    count("kills", kKills);
    count("captures", captures.acknowledged());
    count("reads", reader.reads());
    return complaints;
  }

 private:
  static void judge_last_start(const ServedVault& vault, Complaints& complaints) {
    bool fresh = false;
    const auto last = vault.serve([&](pid_t pid) {
      fresh = eventually([&] { return vault.is_ready() && vault.status()["fresh"] == true; },
                         std::chrono::seconds(60),
                         milliseconds(100));
      ::kill(pid, SIGTERM);
    });
    if (!fresh) {
      complaints.push_back("C: it does not get fresh, " + faults::ending(last));
    }
    if (last.exit_code != 0) {
      complaints.push_back("E: the last start ends otherwise, " + faults::ending(last));
    }
  }
};

}  // namespace

Row sudden_end() {
  return {"sudden-end",
          "killed at random under load",
          "L C A",
          10,
          850,
          [] { return std::make_unique<SuddenEndTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet
