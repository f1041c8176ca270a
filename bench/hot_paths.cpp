// SPDX-License-Identifier: MIT
// hot_paths prepare VAULT STATE SESSIONS: makes a vault and the state of one that was indexed and
// then rested, so that nothing of it is too young to be trusted.
// hot_paths check|cold|warm|change|search|recall|context|capture VAULT STATE: does one thing that
// Daybook does all the time, on one worker thread, and lets callgrind count that alone: what comes
// before and after it is not counted. `cold` and `capture` make the state folder, which must not
// exist; the others take a prepared one, and `change` leaves it behind the vault: to be thrown
// away. The same vault gives the same work. Run by scripts/instructions; exit code 1 if it was not
// the work that was meant, because a count of something else would be a lie.
#include "daybook/base/disk.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/recall/context.hpp"
#include "daybook/recall/recall.hpp"
#include "daybook/service/check.hpp"
#include "daybook/service/pipeline.hpp"
#include "daybook/service/search.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "search_queries.hpp"
#include "support/made_history.hpp"
#include "vault_generator.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <valgrind/callgrind.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace daybook;

constexpr int kArrivals = 20;
constexpr int kCaptures = 5;
constexpr std::size_t kSearches = 6;
constexpr std::size_t kContexts = 3;
constexpr std::uint64_t kOtherSeed = 2;  // of what is not in the vault yet
constexpr std::size_t kTranscriptBytes = 100'000;

template <typename T>
T must(Result<T> result) {
  if (!result) {
    throw std::runtime_error(result.error().message + " " + result.error().path);
  }
  return std::move(result).value();
}

void must_be(bool right, const char* what) {
  if (!right) {
    throw std::runtime_error(std::string("this is not what was to be counted: ") + what);
  }
}

/// Counts from here to the end of its life, on all threads.
class Counted {
 public:
  Counted() { CALLGRIND_START_INSTRUMENTATION; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { CALLGRIND_STOP_INSTRUMENTATION; }
};

struct Place {
  std::string vault;
  std::string state;

  state::StateFolder open(state::Create create) const {
    return must(state::StateFolder::open(state, fs::canonical(vault).string(), create));
  }
  state::StateFolder make() const {
    must_be(!fs::exists(state), "the state folder is there already");
    return open(state::Create::if_missing);
  }
};

/// The moment at which every generated vault ends.
base::FixedClock clock_of_vault() { return base::FixedClock(bench::VaultPlan().now.ms); }

service::PassRequest one_thread() {
  service::PassRequest request;
  request.threads = 1;
  return request;
}

service::PassReport pass(const state::StateFolder& folder) {
  const base::FixedClock clock = clock_of_vault();
  service::WorkProgress progress;
  return must(service::Pipeline(base::real_disk(), folder, clock).run(one_thread(), progress));
}

void prepare(const Place& place, std::uint32_t sessions) {
  // Younger files are read again, and rightly.
  constexpr std::chrono::milliseconds kRest{2500};
  if (!fs::exists(place.vault)) {
    bench::VaultPlan plan;
    plan.sessions = sessions;
    must(bench::generate_vault(plan, place.vault));
  }
  std::this_thread::sleep_for(kRest);
  const state::StateFolder folder = place.make();
  pass(folder);
  std::this_thread::sleep_for(kRest);  // of the manifests that name the new MEMORY.md
  pass(folder);
}

void count_check(const Place& place) {
  service::CheckRequest request;
  request.workspace = place.vault;
  request.threads = 1;
  service::WorkProgress progress;
  const Counted counted;
  const auto report = must(service::check(base::real_disk(), request, progress));
  must_be(report.files > 0, "nothing was checked");
}

void count_cold(const Place& place) {
  const state::StateFolder folder = place.make();
  const Counted counted;
  const auto report = pass(folder);
  must_be(report.added > 0 && report.added == report.scanned, "some files were known");
}

void count_warm(const Place& place) {
  const state::StateFolder folder = place.open(state::Create::never);
  pass(folder);  // the state was copied: full text in files of other inodes is made anew, once
  const Counted counted;
  const auto report = pass(folder);
  must_be(report.scanned > 0 && report.added + report.changed + report.removed == 0,
          "the vault had changed");
}

/// The files of sessions that are not in the vault, beside it, session by session.
std::map<std::string, std::vector<std::string>> make_arrivals(const std::string& aside) {
  bench::VaultPlan plan;
  plan.sessions = kArrivals;
  plan.days = 1;
  plan.seed = kOtherSeed;
  plan.compactions = plan.resumed = plan.linked = plan.noise = 0;  // three files each
  must(bench::generate_vault(plan, aside));
  std::map<std::string, std::vector<std::string>> sessions;
  for (const auto& entry : fs::directory_iterator(aside + "/memory")) {
    const std::string name = entry.path().filename().string();
    sessions[name.substr(0, name.rfind("--"))].push_back("memory/" + name);
  }
  return sessions;
}

/// One session after the other arrives, and a narrow pass of a service follows each. The first one
/// opens the databases, once in the life of a service, and is not counted.
void count_change(const Place& place) {
  const state::StateFolder folder = place.open(state::Create::never);
  const std::string aside = place.vault + "/.hot-paths";
  const auto sessions = make_arrivals(aside);
  const base::FixedClock clock = clock_of_vault();
  service::WorkProgress progress;
  service::Pipeline pipeline(base::real_disk(), folder, clock, service::Keeping::between_runs);
  service::PassRequest request = one_thread();
  request.text = service::Text::without_full_text;  // which comes on a thread of its own, later
  request.counting = service::Counting::not_wanted;
  const auto follow = [&](const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      fs::rename(fs::path(aside) / path, fs::path(place.vault) / path);
    }
    request.hints = paths;
    const auto report = must(pipeline.run(request, progress));
    must_be(report.narrow && report.added == paths.size(), "no narrow pass that added a session");
  };
  follow(sessions.begin()->second);
  {
    const Counted counted;
    for (auto session = std::next(sessions.begin()); session != sessions.end(); ++session) {
      follow(session->second);
    }
  }
  for (const auto& [name, paths] : sessions) {
    for (const std::string& path : paths) {
      fs::remove(place.vault + "/" + path);
    }
  }
  fs::remove_all(aside);
}

void count_search(const Place& place) {
  const state::StateFolder folder = place.open(state::Create::never);
  const auto queries = bench::search_queries(kSearches);
  bool found = true;
  const Counted counted;
  for (const std::string& query : queries) {
    service::SearchRequest request;
    request.query = query;
    found = !must(service::search(base::real_disk(), folder, request)).results.empty() && found;
  }
  must_be(found, "a search found nothing");
}

/// Questions in plain words that the vault can answer.
std::vector<std::string> questions(std::size_t count) {
  std::vector<std::string> asked;
  for (const std::string& words : bench::search_queries(count)) {
    asked.push_back("what was it about " + words + "?");
  }
  return asked;
}

void count_recall(const Place& place) {
  const state::StateFolder folder = place.open(state::Create::never);
  const auto asked = questions(kSearches);
  std::size_t answered = 0;
  const Counted counted;
  for (const std::string& question : asked) {
    recall::RecallRequest request;
    request.query = question;
    request.now = bench::VaultPlan().now;
    request.noise = recall::Noise::included;
    request.learned = recall::Learned::included;
    answered +=
        must(recall::recall(base::real_disk(), folder, {}, request)).results.empty() ? 0U : 1U;
  }
  // Two words that say nothing are a search, but no question.
  must_be(answered >= kSearches / 2, "most questions had no answer");
}

void count_context(const Place& place) {
  const state::StateFolder folder = place.open(state::Create::never);
  const auto asked = questions(kContexts);
  const parse::Config config;
  const state::RunMemoryPolicy policy;
  std::size_t told = 0;
  const Counted counted;
  for (const std::string& question : asked) {
    recall::ContextRequest request;
    request.agent = "default";
    request.query = question;
    request.now = bench::VaultPlan().now;
    const auto context =
        must(recall::make_context({base::real_disk(), folder, config, policy}, request));
    told += context.prompt.text.empty() ? 0U : 1U;
  }
  must_be(told == kContexts, "a context was empty");
}

capture::CaptureResult capture_one(const state::StateFolder& folder,
                                   state::StateDb& state,
                                   const std::string& said,
                                   int number) {
  const redact::Policy policy;
  capture::SessionEnd request;
  request.session.session_id = "run-" + std::to_string(number);
  request.transcript = [&said](const auto& take) { return take(said); };
  request.format = harness::Format::claude_code;
  const lineage::Timestamp now{bench::VaultPlan().now.ms + number};
  auto result =
      must(capture::end_session({base::real_disk(), folder, state, policy, nullptr, now}, request));
  must_be(result.deed == capture::CaptureDeed::captured, "nothing was captured");
  return result;
}

/// Session files of a harness, of about 100 KB each: read, sanitised, written, synced.
void count_capture(const Place& place) {
  const state::StateFolder folder = place.make();
  auto state = must(state::StateDb::open(folder));
  std::vector<std::string> said;
  for (std::uint64_t seed = 1; seed <= kCaptures; ++seed) {
    said.push_back(support::made_claude_session(seed, kTranscriptBytes, kTranscriptBytes / 50));
  }
  std::vector<capture::CaptureResult> results;
  {
    const Counted counted;
    for (int i = 0; i < kCaptures; ++i) {
      results.push_back(capture_one(folder, state, said[static_cast<std::size_t>(i)], i));
    }
  }
  for (const capture::CaptureResult& result : results) {
    for (const std::string& path : result.paths()) {
      fs::remove(place.vault + "/" + path);
    }
  }
}

const std::map<std::string_view, void (*)(const Place&)> kPaths{{"check", count_check},
                                                                {"cold", count_cold},
                                                                {"warm", count_warm},
                                                                {"change", count_change},
                                                                {"search", count_search},
                                                                {"recall", count_recall},
                                                                {"context", count_context},
                                                                {"capture", count_capture}};

}  // namespace

int main(int count, char** arguments) {
  const bool preparing = count == 5 && arguments[1] == std::string_view("prepare");
  const auto path = count == 4 ? kPaths.find(arguments[1]) : kPaths.end();
  if (!preparing && path == kPaths.end()) {
    std::fputs(
        "usage: hot_paths prepare VAULT STATE SESSIONS\n"
        "       hot_paths check|cold|warm|change|search|recall|context|capture VAULT STATE\n",
        stderr);
    return 2;
  }
  const Place place{arguments[2], arguments[3]};
  try {
    if (preparing) {
      prepare(place, static_cast<std::uint32_t>(std::atoi(arguments[4])));
    } else {
      path->second(place);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hot_paths: %s\n", error.what());
    return 1;
  }
  return 0;
}
