// SPDX-License-Identifier: MIT
//
// The process stands still while more happens than the kernel keeps events for: so many files come,
// or so often are two of them saved and then others come, of which no event tells. What was dropped
// is noticed, counted in status, and made good, although no sweep is due for an hour.
#include "cli/served_vault.hpp"
#include "daybook/base/clock.hpp"
#include "faults/vault_end.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/counted_trials.hpp"
#include "support/eventually.hpp"

#include <csignal>
#include <fstream>

namespace daybook::gauntlet {
namespace {

using nlohmann::json;
using support::eventually;
using test::ServedVault;

constexpr int kLeastFiles = 20'000;
constexpr int kMostFiles = 50'000;
constexpr std::size_t kTrialsOfACommit = 3;  // with the least, which is enough
constexpr int kUntold = 100;
constexpr const char* kNoSweep =
    "watch:\n  settle_ms: 40\n  longest_ms: 400\n  sweep_seconds: 3600\n";

/// Two events a file at the least, and one for each file is enough to run over.
void require_a_short_queue() {
  int most = 0;
  if (std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most; most >= kLeastFiles) {
    throw Skipped("the kernel keeps " + std::to_string(most) + " events");
  }
}

class OverflowTrials final : public CountedTrials {
 public:
  Complaints run(std::uint64_t number) override {
    require_a_short_queue();
    Dice dice(number);
    const int files =
        number <= kTrialsOfACommit ? kLeastFiles : dice.between(kLeastFiles, kMostFiles);
    ServedVault vault;
    vault.place().write("vault/daybook.yaml", kNoSweep);
    vault.set_patience(600);
    vault.add(test::served_session(1));
    Complaints complaints;
    const auto outcome = vault.serve([&](pid_t pid) {
      number % 2 == 0 ? come_at_once(vault, pid, files, complaints)
                      : come_untold(vault, pid, files, complaints);
    });
    if (outcome.exit_code != 0) {
      complaints.push_back("E: the service ends otherwise, " + faults::ending(outcome));
    }
    const std::string shown = vault.place().read("vault/MEMORY.md");
    if (const auto rebuilt = vault.ask({"reindex", "--full", "--no-text"});
        rebuilt.exit_code != 0 || vault.place().read("vault/MEMORY.md") != shown) {
      complaints.push_back("C: a rebuild gives another MEMORY.md, " + faults::ending(rebuilt));
    }
    return complaints;
  }

 private:
  void come_at_once(const ServedVault& vault, pid_t pid, int files, Complaints& complaints) {
    await_ready(vault, complaints);
    ::kill(pid, SIGSTOP);
    add_files(vault, files);
    ::kill(pid, SIGCONT);
    await_all(vault, files, std::chrono::seconds(100), complaints);
    ::kill(pid, SIGTERM);
  }

  /// So many files at once may well be seen by one look that their first events ask for. Here the
  /// events that are kept tell of two files only.
  void come_untold(const ServedVault& vault, pid_t pid, int saves, Complaints& complaints) {
    await_ready(vault, complaints);
    ::kill(pid, SIGSTOP);
    for (int i = 0; i < saves; ++i) {
      std::ofstream(vault.place().at(i % 2 == 0 ? "vault/memory/One.md" : "vault/memory/Two.md"))
          << "saved " << i << "\n";
    }
    add_files(vault, kUntold);
    ::kill(pid, SIGCONT);
    const json seen = await_all(vault, kUntold, std::chrono::seconds(20), complaints);
    if (!seen.is_object() || !seen["service"].is_object() || seen["service"]["overflows"] < 1) {
      complaints.push_back("C: no overflow is counted: " + seen.dump());
    }
    ::kill(pid, SIGTERM);
  }

  static void await_ready(const ServedVault& vault, Complaints& complaints) {
    if (!eventually([&] { return vault.is_ready(); })) {
      complaints.emplace_back("E: the service does not get ready");
    }
  }

  static void add_files(const ServedVault& vault, int files) {
    for (int i = 2; i < files + 2; ++i) {
      support::SessionFiles session = test::served_session(i);
      session.transcript.present = false;
      session.manifest.present = false;
      vault.add(session);
    }
  }

  /// What status says in the end.
  json await_all(const ServedVault& vault,
                 int files,
                 std::chrono::seconds patience,
                 Complaints& complaints) {
    const base::Stopwatch since;
    json seen;
    const bool complete = eventually(
        [&] {
          seen = vault.status();
          return seen.is_object() && seen["service"].is_object() &&
                 seen["service"]["state"] == "watching" && seen["artifacts"] == files + 3;
        },
        patience * (support::is_sanitized() ? 3 : 1),
        std::chrono::milliseconds(100));
    count("files", static_cast<std::uint64_t>(files));
    count_most("ms to see them all", static_cast<std::uint64_t>(since.seconds() * 1000));
    if (!complete || seen["fresh"] != true) {
      complaints.push_back("C: not all " + std::to_string(files) +
                           " files are known: " + seen.dump());
    }
    return seen;
  }
};

}  // namespace

Row overflow() {
  return {"overflow",
          "20,000 to 50,000 files while it stands still",
          "C",
          kTrialsOfACommit,
          200,
          [] { return std::make_unique<OverflowTrials>(); },
          Place::memory,
          400};
}

}  // namespace daybook::gauntlet
