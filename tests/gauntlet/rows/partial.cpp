// SPDX-License-Identifier: MIT
//
// A capture into a random vault is killed so that one of the six states of CAPTURE.md is left, as
// the program itself calls it; the next start finishes it as if nothing had happened, and the one
// after that changes nothing. A number holds vault and state: six in a row share a vault.
#include "faults/bench.hpp"
#include "gauntlet/rows.hpp"
#include "support/vault_builder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <random>

namespace daybook::gauntlet {
namespace {

using faults::Bench;
using faults::Call;
using support::SessionFiles;

/// The first call of that kind on a path that ends so.
struct Moment {
  const char* state;
  const char* kind;
  const char* path_end;
};

// The place in this list is part of a trial's number.
constexpr std::array kMoments{Moment{"sentence-without-artifact", "rename", "--transcript.md"},
                              Moment{"transcript-without-summary", "rename", "--summary.md"},
                              Moment{"artifacts-without-manifest", "rename", "--manifest.md"},
                              Moment{"index-behind", "", "/index.db-wal"},
                              Moment{"memory-md-behind", "rename", "/MEMORY.md"},
                              Moment{"sentence-fallback", "rename", "--transcript.md"}};
constexpr std::size_t kModelFails = 5;

/// By the time at which the manifest has its name, later ones are the pass's.
int call_at(const std::vector<Call>& calls, const Moment& moment) {
  bool behind_files = false;
  const bool of_pass = moment.path_end[0] == '/';
  for (const Call& call : calls) {
    behind_files = behind_files || call.path.ends_with("--manifest.md");
    if (call.kind.starts_with(moment.kind) && call.path.ends_with(moment.path_end) &&
        (behind_files || !of_pass)) {
      return call.number;
    }
  }
  std::string seen;
  for (const Call& call : calls) {
    seen += "\n" + call.kind + " " + call.path;
  }
  throw std::runtime_error(std::string("no call leaves ") + moment.state + ":" + seen);
}

std::string prose(std::mt19937_64& random, std::size_t words) {
  constexpr std::array kWords{
      "tide", "harbour", "table", "lantern", "mooring", "ledger", "compass", "rope", "gull"};
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    text.append(i == 0        ? ""
                : i % 15 == 0 ? ".\n\n"
                              : " ")
        .append(kWords.at(random() % kWords.size()));
  }
  return text + ".\n";
}

void write_vault(const Bench& bench, std::uint64_t seed, bool with_model) {
  std::mt19937_64 random(seed);
  bench.run({"reindex"});  // so that the state folder has its name of this device
  for (std::uint64_t number = random() % 7; number > 0; --number) {
    SessionFiles files(random() % 3 == 0 ? "scribe" : "default",
                       "key-" + std::to_string(number),
                       "2026-03-1" + std::to_string(number) + "T10:00:00.000Z");
    files.summary.body = "# Session\n\n" + prose(random, 10 + random() % 50);
    files.seal();
    files.write(bench.place(), "live/vault");
  }
  if (with_model) {
    bench.place().write("live/vault/daybook.yaml", "model:\n  command: [/bin/false]\n");
  }
  if (random() % 2 == 0) {
    bench.run({"reindex"});
  }
}

faults::Operation capture_of(std::uint64_t seed, bool with_model) {
  std::mt19937_64 random(seed + 1);
  nlohmann::json input{
      {"session_id", "run-" + std::to_string(random() % 1000)},
      {"project", "/home/dev/tidewater"},
      {"harness", "codex"},
      {"transcript",
       "User: mend src/tide.cpp\n\nAssistant: " + prose(random, 5 + random() % 2000)}};
  if (random() % 2 == 0) {
    input["summary"] = "# Mended\n\nThe session about src/tide.cpp: " + prose(random, 30);
  }
  if (random() % 2 == 0) {
    input["idempotency_key"] = "once";
  }
  return {"session end",
          [seed, with_model](Bench& bench) { write_vault(bench, seed, with_model); },
          {"capture", "session-end"},
          input.dump()};
}

class PartialTrials final : public Trials {
 public:
  Complaints run(std::uint64_t number) override {
    const std::size_t state = number % kMoments.size();
    const Prepared& prepared = of(number / kMoments.size(), state == kModelFails);
    const Moment& moment = kMoments.at(state);
    const faults::Fault fault{faults::FaultMode::kill_before, call_at(prepared.calls, moment)};
    return prepared.bench->halfway(fault, moment.state);
  }

 private:
  struct Prepared {
    std::unique_ptr<Bench> bench;
    std::vector<Call> calls;
  };

  const Prepared& of(std::uint64_t seed, bool with_model) {
    const std::pair wanted{seed, with_model};
    if (!prepared_.bench || wanted != prepared_for_) {
      prepared_ = {};
      prepared_.bench = std::make_unique<Bench>(capture_of(seed, with_model));
      prepared_.calls = prepared_.bench->calls();
      prepared_for_ = wanted;
    }
    return prepared_;
  }

  Prepared prepared_;
  std::pair<std::uint64_t, bool> prepared_for_;
};

}  // namespace

Row partial() {
  return {"partial",
          "the six half-made states of a capture, restarted",
          "L C A",
          30,
          3000,
          [] { return std::make_unique<PartialTrials>(); },
          Place::memory};
}

}  // namespace daybook::gauntlet
