// SPDX-License-Identifier: MIT
//
// The process stands still while more files come than the kernel keeps events for. What was dropped
// is noticed, counted in status, and made good.
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
    vault.set_patience(600);
    vault.add(test::served_session(1));
    Complaints complaints;
    const auto outcome =
        vault.serve([&](pid_t pid) { stand_still(vault, pid, files, complaints); });
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
  void stand_still(const ServedVault& vault, pid_t pid, int files, Complaints& complaints) {
    if (!eventually([&] { return vault.is_ready(); })) {
      complaints.emplace_back("E: the service does not get ready");
    }
    ::kill(pid, SIGSTOP);
    for (int i = 2; i < files + 2; ++i) {
      support::SessionFiles session = test::served_session(i);
      session.transcript.present = false;
      session.manifest.present = false;
      vault.add(session);
    }
    ::kill(pid, SIGCONT);
    const base::Stopwatch since;
    json seen;
    const bool complete = eventually(
        [&] {
          seen = vault.status();
          return seen.is_object() && seen["service"].is_object() &&
                 seen["service"]["state"] == "watching" && seen["artifacts"] == files + 3;
        },
        std::chrono::seconds(support::is_sanitized() ? 300 : 100),
        std::chrono::milliseconds(100));
    count("files", static_cast<std::uint64_t>(files));
    count_most("ms to see them all", static_cast<std::uint64_t>(since.seconds() * 1000));
    if (!complete || seen["fresh"] != true) {
      complaints.push_back("C: not all " + std::to_string(files) +
                           " files are known: " + seen.dump());
    }
    if (!seen.is_object() || !seen["service"].is_object() || seen["service"]["overflows"] < 1) {
      complaints.push_back("C: no overflow is counted: " + seen.dump());
    }
    ::kill(pid, SIGTERM);
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
