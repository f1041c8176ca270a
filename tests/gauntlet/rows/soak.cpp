// SPDX-License-Identifier: MIT
//
// A large vault under the service for hours, in which weeks pass: fifty sessions a day are
// captured, as many old ones go, notes are edited, one in fifty sessions is removed. Eight times
// everything is held against a rebuild; once it is warm, the service must not grow.
//
//   DAYBOOK_SOAK_MINUTES   how long (480)
//   DAYBOOK_SOAK_FILES     how large the vault is (50000)
#include "daybook/index/reader.hpp"
#include "daybook/service/ledger.hpp"
#include "faults/vault_end.hpp"
#include "gauntlet/random_vault.hpp"
#include "gauntlet/rows.hpp"
#include "gauntlet/soak_service.hpp"
#include "support/eventually.hpp"
#include "support/program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <thread>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using support::SessionFiles;

constexpr int kDays = 48;
constexpr int kSessionsADay = 50;
constexpr int kChecks = 8;
constexpr int kFilesOfSession = 3;
constexpr std::uint64_t kMostGrowth = 5;  // percent

int asked(const char* name, int usual) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? usual : std::max(1, std::atoi(value));
}

int minutes() { return asked("DAYBOOK_SOAK_MINUTES", 480); }

class SoakTrials final : public Trials {
 public:
  Complaints run(std::uint64_t number) override {
    RandomVault vault(number);
    fill(vault);
    const auto length = std::chrono::minutes(minutes());
    const FastClock clock(kDays * 24.0 * 60 / minutes());
    vault.reindex();
    const SoakService service(vault, clock);
    const auto began = Clock::now();
    // A machine that is too slow for all of them makes fewer, and not a longer night.
    const auto pause = length / (kDays * kSessionsADay);
    int checked = 0;
    for (int deed = 0; Clock::now() < began + length; ++deed) {
      if (!service.is_alive()) {
        complaints_.emplace_back("E: the service has ended");
        return complaints_;
      }
      const auto next = Clock::now() + pause;
      live_on(vault, clock, deed);
      costs_.push_back(service.cost());
      if (Clock::now() >= began + length * (checked + 1) / kChecks) {
        check(vault, clock, deed);
        ++checked;
      }
      std::this_thread::sleep_until(next);
    }
    check(vault, clock, static_cast<int>(costs_.size()));
    judge_costs();
    return complaints_;
  }

  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const override { return counts_; }

 private:
  /// Of the two years before.
  void fill(RandomVault& vault) {
    const int sessions = asked("DAYBOOK_SOAK_FILES", 50'000) / kFilesOfSession;
    for (int i = 0; i < sessions; ++i) {
      const std::int64_t ago = (sessions - i) * (730LL * 86'400'000 / sessions);
      SessionFiles files(
          "default", "old-" + std::to_string(i), lineage::to_string({support::kTestNow - ago}));
      files.summary.body = "# Session\n\n" + vault.prose(40);
      files.transcript.body = "## User\n\n" + vault.prose(100);
      vault.add(files);
      old_.push_back({files.summary.path(), files.transcript.path(), files.manifest.path()});
    }
  }

  /// What happens in the time of one session.
  void live_on(RandomVault& vault, const FastClock& clock, int deed) {
    const std::string id = "run-" + std::to_string(deed);
    const nlohmann::json request{
        {"session_id", id},
        {"project", "/home/dev/tidewater"},
        {"harness", "codex"},
        {"transcript", "User: mend src/tide.cpp\n\nAssistant: " + vault.prose(200)}};
    ask(vault, clock, {"capture", "session-end", "--no-publish"}, request.dump());
    ++counts_["sessions"];
    if (!old_.empty()) {
      for (const std::string& path : old_.front()) {
        fs::remove(vault.at(path));
      }
      old_.pop_front();
    }
    if (vault.one_in(5) && !old_.empty()) {
      const std::string& path = old_.at(vault.below(old_.size())).front();
      vault.write(path, vault.read(path) + "\nAdded later.\n");
    }
    if (deed % kSessionsADay == kSessionsADay - 1) {
      const std::string gone = "run-" + std::to_string(deed - static_cast<int>(vault.below(20)));
      ask(vault, clock, {"remove", "--session", gone, "--reason", "soak", "--yes"});
      ++counts_["removals"];
    }
  }

  void ask(const RandomVault& vault,
           const FastClock& clock,
           const std::vector<std::string>& words,
           const std::string& input = {}) {
    support::Program program;
    program.command = {DAYBOOK_BINARY,
                       "--workspace",
                       vault.workspace(),
                       "--state-dir",
                       vault.folder().path(),
                       "--now",
                       lineage::to_string({clock.now_ms()})};
    program.command.insert(program.command.end(), words.begin(), words.end());
    if (!input.empty()) {
      vault.place().write("input", input);
      program.stdin_file = vault.place().at("input");
    }
    // Beside a service that works, waiting in vain is a right answer.
    constexpr int kBusy = 3;
    const auto outcome = support::run(program);
    if (outcome.exit_code != 0 && outcome.exit_code != kBusy) {
      complaints_.push_back("E: daybook " + words.front() + ": " + outcome.err);
    }
    counts_["busy"] += outcome.exit_code == kBusy ? 1U : 0U;
  }

  void check(const RandomVault& vault, const FastClock& clock, int deed) {
    std::string difference;
    clock.stop();  // else MEMORY.md says something else at each look
    if (!support::eventually([&] { return (difference = differs(vault, clock)).empty(); },
                             std::chrono::minutes(5))) {
      complaints_.push_back("C: after " + std::to_string(deed + 1) + " sessions: " + difference);
    }
    clock.go_on();
    ++counts_["comparisons"];
  }

  /// In another state folder, with this device's seals; nothing is published from there.
  static std::string differs(const RandomVault& vault, const FastClock& clock) {
    const support::IndexedVault::Copy rebuilt(vault, "rebuilt");
    service::PassRequest request;
    request.extent = service::Extent::everything;
    request.text = service::Text::without_full_text;
    request.config = parse::Config{};
    request.config->publisher = "nobody";
    service::WorkProgress progress;
    const base::FixedClock now(clock.now_ms());
    const auto report =
        service::Pipeline(base::real_disk(), rebuilt.folder(), now).run(request, progress);
    if (!report) {
      return report.error().message;
    }
    const std::string ours = vault.rows();
    const std::string theirs = vault.rows(rebuilt.folder());
    if (ours != theirs) {
      return faults::difference(ours, theirs);
    }
    auto reader = index::Reader::open(rebuilt.folder().file(index::kIndexFile));
    const auto ledger =
        reader ? service::render_ledger(
                     base::real_disk(), vault.workspace(), *reader, {}, "default", {now.now_ms()})
               : Result<service::RenderedLedger>(reader.error());
    if (!ledger) {
      return ledger.error().message;
    }
    return ledger->md.text == vault.memory_md()
               ? ""
               : "MEMORY.md" + faults::difference(vault.memory_md(), ledger->md.text);
  }

  /// The second quarter against the last: the first is the time to get warm.
  void judge_costs() {
    const auto middle = [this](std::size_t from, std::size_t to, auto of) {
      std::vector<std::uint64_t> values;
      for (std::size_t i = from; i < to; ++i) {
        values.push_back(of(costs_[i]));
      }
      std::nth_element(values.begin(),
                       values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                       values.end());
      return values[values.size() / 2];
    };
    const std::size_t quarter = costs_.size() / 4;
    const auto compare = [&](const std::string& name, auto of) {
      const std::uint64_t warm = middle(quarter, 2 * quarter, of);
      const std::uint64_t late = middle(3 * quarter, costs_.size(), of);
      counts_[name + " when warm"] = warm;
      counts_[name + " at the end"] = late;
      if (late * 100 > warm * (100 + kMostGrowth)) {
        complaints_.push_back("E: the service grows: " + std::to_string(warm) + " -> " +
                              std::to_string(late) + " " + name);
      }
    };
    compare("KB", [](const Cost& cost) { return cost.memory_kb; });
    compare("descriptors", [](const Cost& cost) { return cost.descriptors; });
  }

  std::deque<std::vector<std::string>> old_;  ///< paths of sessions that were there before
  std::vector<Cost> costs_;
  std::map<std::string, std::uint64_t> counts_;
  Complaints complaints_;
};

}  // namespace

Row soak() {
  constexpr int kToPrepare = 3600;
  return {"soak",
          "weeks under the service, in hours",
          "C E",
          0,
          1,
          [] { return std::make_unique<SoakTrials>(); },
          Place::disk,
          2 * 60 * minutes() + kToPrepare};
}

}  // namespace daybook::gauntlet
