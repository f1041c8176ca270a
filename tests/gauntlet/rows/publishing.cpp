// SPDX-License-Identifier: MIT
//
// Who may write MEMORY.md. A holder of the lease is stopped past its time or killed before each
// step, and another one publishes meanwhile; and eight processes publish at once. One writer, whole
// versions, growing fences, and nobody who was overtaken overwrites anything.
#include "gauntlet/rows.hpp"
#include "gauntlet/rows/counted_trials.hpp"
#include "gauntlet/rows/watchful_reader.hpp"
#include "projection/stopped_holder.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using projection::Desk;
using projection::generation_of;
using projection::Holder;
using projection::kAllSteps;
using projection::PublishState;
using projection::PublishStep;
using projection::Vault;
using projection::version;
using std::chrono::milliseconds;

std::string memory_md(const Vault& vault) { return vault.temp.read("vault/MEMORY.md"); }

constexpr const char* kByHand = "by hand\n";

/// A whole version, never an older one than the one before; or what was put there by hand.
WatchfulReader::Judge growing_generations() {
  return [newest = std::int64_t{0}](const std::string& text) mutable -> std::string {
    if (text == kByHand) {
      return {};
    }
    const std::int64_t generation = generation_of(text);
    if (generation < 0) {
      return WatchfulReader::whole(text);
    }
    if (generation < newest) {
      return "W: after generation " + std::to_string(newest) + " a reader saw " +
             std::to_string(generation);
    }
    newest = generation;
    return {};
  };
}

void put_by_hand(const Vault& vault) {
  vault.temp.write("staged", kByHand);
  fs::rename(vault.temp.at("staged"), vault.temp.at("vault/MEMORY.md"));
}

class StoppedHolderTrials final : public CountedTrials {
 public:
  Complaints run(std::uint64_t number) override {
    Dice dice(number);
    const PublishStep at = kAllSteps.at(number % kAllSteps.size());
    // What somebody else has put there is copied first; that, too, is a way to be overtaken.
    const bool by_hand = dice.once_in(2) || at == PublishStep::copy;
    Complaints complaints;
    Vault vault;
    {
      auto first = Desk::open(vault);
      if (!first || !first->publish(vault, {"MEMORY.md", version(1), 1})) {
        return {"the first publication fails"};
      }
    }
    if (by_hand) {
      put_by_hand(vault);
    }
    WatchfulReader reader(vault.temp.at("vault"), Reads::memory_md, growing_generations());
    number / kAllSteps.size() % 2 == 0 ? stop_one(vault, at, dice, complaints)
                                       : kill_one(vault, at, dice, complaints);
    for (const std::string& complaint : reader.stop()) {
      complaints.push_back(complaint);
    }
    count("reads", reader.reads());
    return complaints;
  }

 private:
  /// Of the same generation as the last of the others, or of a later one: so the lease alone tells
  /// who was overtaken.
  static void stop_one(const Vault& vault, PublishStep at, Dice& dice, Complaints& complaints) {
    const int more = dice.between(1, 3);
    const int later = dice.once_in(2) ? 2 + more : 10;
    // Before its last step it has published already, and the others come after it.
    const Holder holder(vault, at, SIGSTOP, 2, at == PublishStep::record ? 2 : later);
    const std::string while_stopped = memory_md(vault);
    auto next = Desk::open(vault, {milliseconds{50}, milliseconds{1000}, 0, "next"});
    if (projection::inside_transaction(at)) {
      if (next || next.error().kind != ErrorKind::busy ||
          next.error().message.find("pid " + std::to_string(holder.pid)) == std::string::npos) {
        complaints.emplace_back("W: inside its transaction another one got the lease");
      }
      if (memory_md(vault) != while_stopped) {
        complaints.emplace_back("W: MEMORY.md changed while the one writer stood still");
      }
      judge_end(holder, PublishState::published, complaints);
      return;
    }
    if (!next) {
      complaints.push_back("W: a stopped holder's lease is not free after its time: " +
                           next.error().message);
      static_cast<void>(holder.continue_to_end());
      return;
    }
    for (int i = 0; i < more; ++i) {
      publish(vault, *next, 3 + i, complaints);
    }
    judge_end(holder,
              at == PublishStep::record ? PublishState::published : PublishState::superseded,
              complaints);
    if (memory_md(vault) != version(2 + more)) {
      complaints.push_back("W: who was overtaken has overwritten generation " +
                           std::to_string(2 + more));
    }
    // Not a contest, either: one replacement, seen by two.
    if (!next->database.publications().contested().value().empty()) {
      complaints.emplace_back("W: two who saw one replacement count as a contest");
    }
  }

  static void kill_one(Vault& vault, PublishStep at, Dice& dice, Complaints& complaints) {
    const int rounds = dice.between(1, 3);
    for (int round = 1; round <= rounds; ++round) {
      const std::int64_t generation = 10 * round;
      const Holder holder(vault, at, SIGKILL, generation, generation);
      auto next = Desk::open(vault, {milliseconds{10'000}, milliseconds{0}, 0, "next"});
      if (!next) {
        complaints.push_back("W: a dead holder's lease is not free at once: " +
                             next.error().message);
        return;
      }
      publish(vault, *next, generation + 1, complaints);
      come_late(vault, *next, generation, complaints);
      // So that there is something to copy in the next round, too; seldom enough for no contest.
      vault.clock.now += 11 * 60 * 1000;
      if (at == PublishStep::copy) {
        put_by_hand(vault);
      }
    }
  }

  static void publish(const Vault& vault, Desk& desk, std::int64_t generation, Complaints& told) {
    const auto outcome = desk.publish(vault, {"MEMORY.md", version(generation), generation});
    if (!outcome || outcome->state != PublishState::published ||
        memory_md(vault) != version(generation)) {
      told.push_back("W: generation " + std::to_string(generation) + " was not published" +
                     (outcome ? "" : ": " + outcome.error().message));
    }
  }

  /// The lease is its own, but what it has rendered is older than what stands there: it looked at
  /// the index before the others did.
  static void come_late(const Vault& vault, Desk& desk, std::int64_t generation, Complaints& told) {
    const std::string newer = memory_md(vault);
    const auto outcome = desk.publish(vault, {"MEMORY.md", version(generation), generation});
    if (!outcome) {
      told.push_back("E: who comes late fails: " + outcome.error().message);
    }
    if (memory_md(vault) != newer) {
      told.push_back("W: who came late has put generation " + std::to_string(generation) +
                     " over a newer one");
    }
  }

  static void judge_end(const Holder& holder, PublishState wanted, Complaints& complaints) {
    if (const int ended = holder.continue_to_end(); ended != static_cast<int>(wanted)) {
      complaints.push_back("W: the one that was stopped ends with " + std::to_string(ended) +
                           " and not " + std::to_string(static_cast<int>(wanted)));
    }
  }
};

constexpr int kWriters = 8;
constexpr int kPublicationsOfEach = 25;

/// Publishes the next generation again and again; each line of its log is one fence and generation.
[[noreturn]] void be_a_writer(const Vault& vault, int number) {
  std::ofstream log(vault.temp.at("log-" + std::to_string(number)));
  for (int done = 0; done < kPublicationsOfEach;) {
    auto desk = Desk::open(vault, {milliseconds{2000}, milliseconds{5000}, 0, "writer"});
    if (!desk) {
      if (desk.error().kind == ErrorKind::busy) {
        continue;
      }
      log << "failed: " << desk.error().message << std::endl;
      ::_exit(1);
    }
    const auto known = desk->lease.published_generation("MEMORY.md");
    const std::int64_t generation = known->value_or(0) + 1;
    const auto outcome = desk->publish(vault, {"MEMORY.md", version(generation), generation});
    if (outcome && outcome->state == PublishState::superseded) {
      continue;  // it came to its turn too late
    }
    if (!outcome || outcome->state != PublishState::published || outcome->record_problem) {
      log << "failed: " << (outcome ? "state" : outcome.error().message) << std::endl;
      ::_exit(1);
    }
    log << desk->lease.fence() << ' ' << generation << '\n';
    ++done;
  }
  log.flush();
  ::_exit(0);
}

class PublishersTrials final : public CountedTrials {
 public:
  Complaints run(std::uint64_t /*number*/) override {
    const Vault vault;
    WatchfulReader reader(vault.temp.at("vault"), Reads::memory_md, growing_generations());
    std::vector<pid_t> writers;
    for (int i = 0; i < kWriters; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        be_a_writer(vault, i);
      }
      writers.push_back(child);
    }
    Complaints complaints;
    std::map<std::int64_t, std::int64_t> by_fence;
    for (std::size_t i = 0; i < writers.size(); ++i) {
      take_log(vault, i, writers[i], by_fence, complaints);
    }
    for (const std::string& complaint : reader.stop()) {
      complaints.push_back(complaint);
    }
    count("reads", reader.reads());
    count("publications", by_fence.size());
    judge(vault, by_fence, complaints);
    return complaints;
  }

 private:
  static void take_log(const Vault& vault,
                       std::size_t number,
                       pid_t writer,
                       std::map<std::int64_t, std::int64_t>& by_fence,
                       Complaints& complaints) {
    int status = 0;
    ::waitpid(writer, &status, 0);
    const std::string log = vault.temp.read("log-" + std::to_string(number));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      complaints.push_back("W: a writer ends otherwise: " + log.substr(log.rfind("failed")));
    }
    std::istringstream lines(log);
    std::int64_t fence = 0;
    std::int64_t generation = 0;
    while (lines >> fence >> generation) {
      if (!by_fence.emplace(fence, generation).second) {
        complaints.push_back("W: two had the fence " + std::to_string(fence));
      }
    }
  }

  /// Each publication the next generation: no two writers ever overlapped.
  static void judge(const Vault& vault,
                    const std::map<std::int64_t, std::int64_t>& by_fence,
                    Complaints& complaints) {
    std::int64_t expected = 0;
    for (const auto& [fence, generation] : by_fence) {
      if (generation != ++expected) {
        complaints.push_back("W: fence " + std::to_string(fence) + " published generation " +
                             std::to_string(generation) + " where " + std::to_string(expected) +
                             " was next");
        return;
      }
    }
    if (generation_of(memory_md(vault)) != expected) {
      complaints.emplace_back("W: the last generation is not the one that stands there");
    }
    for (const auto& entry : fs::directory_iterator(vault.temp.at("vault"))) {
      if (entry.path().filename() != "MEMORY.md") {
        complaints.push_back("A: left over: " + entry.path().string());
      }
    }
  }
};

}  // namespace

Row stopped_holder() {
  return {"stopped-holder",
          "a publisher stopped or killed before each step",
          "W A",
          54,
          2'000,
          [] { return std::make_unique<StoppedHolderTrials>(); },
          Place::memory};
}

Row publishers() {
  return {"publishers",
          "eight processes publish at once",
          "W A",
          3,
          500,
          [] { return std::make_unique<PublishersTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet
