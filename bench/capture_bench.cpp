// SPDX-License-Identifier: MIT
// capture_bench DAYBOOK FOLDER: what a session's end and a hook cost, in the new folder FOLDER. A
// session's end (a transcript of 100 KB, no model, up to the acknowledgement) is a ratio to writing
// and syncing the same three files by hand, turn by turn in one run, in an empty vault and in one
// of 10,000 sessions. The hook is the median of whole processes, with a transcript of 5 MB, in that
// vault, indexed, beside writing and syncing the transcript by hand. Five runs each. Prints rows
// for scripts/bench.
#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "row.hpp"
#include "vault_generator.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace {

using daybook::base::Stopwatch;
using daybook::bench::median;
using daybook::bench::print;
using daybook::bench::ratios;
using daybook::bench::with_unit;
namespace fs = std::filesystem;

constexpr int kRuns = 5;
constexpr int kSessionsARun = 21;
constexpr int kHooksARun = 9;
constexpr std::uint32_t kSessionsAroundHooks = 10'000;
constexpr int kMostTrouble = 1;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "capture_bench: %s\n", why.c_str());
  std::_Exit(kMostTrouble);
}

/// Words and numbers, as an agent's transcript has them.
std::string transcript_of(std::size_t bytes, int seed) {
  std::string text = "User: mend src/tide.cpp, attempt " + std::to_string(seed) + "\n\n";
  unsigned number = static_cast<unsigned>(seed) * 2654435761U;
  while (text.size() < bytes) {
    number = number * 1664525U + 1013904223U;
    text += "Assistant: line " + std::to_string(number % 1000) +
            " of src/tide.cpp reads the table of the harbour, and the forecast holds.\n";
  }
  return text;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_by_hand(const std::string& path, const std::string& bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  const bool written =
      file >= 0 && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (!written || ::fsync(file) != 0) {
    give_up("cannot write " + path);
  }
  ::close(file);
}

struct Times {
  std::vector<double> ours;
  std::vector<double> by_hand;
};

/// Milliseconds of one capture, and of writing the same files.
void end_one_session(const daybook::state::StateFolder& folder,
                     daybook::state::StateDb& state,
                     const std::string& hand,
                     int number,
                     Times& times) {
  static const daybook::redact::Policy kPolicy;
  const std::string said = transcript_of(100'000, number);
  daybook::capture::SessionEnd request;
  request.session.session_id = "run-" + std::to_string(number);
  request.session.project = "/home/nina/tidewater";
  request.transcript = [&said](const auto& take) { return take(said); };
  const Stopwatch capture_time;
  const auto result = daybook::capture::end_session(
      {daybook::base::real_disk(), folder, state, kPolicy, nullptr, {1'774'872'000'000 + number}},
      request);
  times.ours.push_back(capture_time.seconds() * 1000);
  if (!result) {
    give_up(result.error().message);
  }
  std::vector<std::string> bytes;
  for (const std::string& path : result->paths()) {
    bytes.push_back(read_file(folder.workspace() + "/" + path));
  }
  const Stopwatch hand_time;
  for (std::size_t file = 0; file < bytes.size(); ++file) {
    write_by_hand(hand + "/" + std::to_string(number) + "-" + std::to_string(file), bytes[file]);
  }
  times.by_hand.push_back(hand_time.seconds() * 1000);
}

void measure_session_end(const std::string& root,
                         const std::string& vault,
                         const std::string& name,
                         const std::string& target) {
  const std::string hand = root + "/hand-" + name;
  fs::create_directories(vault + "/memory");
  fs::create_directories(hand);
  const auto folder = daybook::state::StateFolder::open(
      root + "/state-" + name, vault, daybook::state::Create::if_missing);
  if (!folder) {
    give_up(folder.error().message);
  }
  auto state = daybook::state::StateDb::open(*folder);
  Times runs;
  for (int run = 0; run < kRuns; ++run) {
    Times times;
    for (int i = 0; i < kSessionsARun; ++i) {
      end_one_session(*folder, *state, hand, run * kSessionsARun + i, times);
    }
    runs.ours.push_back(median(times.ours));
    runs.by_hand.push_back(median(times.by_hand));
  }
  print({"session end, " + name + " / writing by hand",
         "ratio",
         target,
         ratios(runs.ours, runs.by_hand),
         with_unit(median(runs.ours), "ms"),
         with_unit(median(runs.by_hand), "ms"),
         std::to_string(kSessionsARun) + " sessions a run"});
}

/// Runs it to its end, with a file as its input.
void run(const std::vector<std::string>& words, const std::string& input) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int status = 0;
  if (::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ) != 0 ||
      ::waitpid(child, &status, 0) != child || status != 0) {
    give_up("did not work: " + words.front() + " " + words.back());
  }
  ::posix_spawn_file_actions_destroy(&actions);
}

void write_transcript(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  const std::string line =
      R"({"type":"user","sessionId":"s-1","message":{"role":"user","content":")" +
      transcript_of(2'000, 1).substr(0, 2'000) + "\"}}";
  std::string escaped;
  for (const char c : line) {
    escaped += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  for (std::size_t size = 0; size < 5'000'000; size += escaped.size() + 1) {
    file << escaped << '\n';
  }
}

std::string make_large_vault(const std::string& root) {
  std::string vault = root + "/large";
  daybook::bench::VaultPlan plan;
  plan.sessions = kSessionsAroundHooks;
  if (const auto made = daybook::bench::generate_vault(plan, vault); !made) {
    give_up(made.error().message);
  }
  return vault;
}

void measure_hook(const std::string& program, const std::string& root, const std::string& vault) {
  write_transcript(root + "/session.jsonl");
  const std::string transcript = read_file(root + "/session.jsonl");
  const std::string input = root + "/hook.json";
  std::ofstream(input, std::ios::binary)
      << R"({"hook_event_name":"SessionEnd","session_id":"s-1","transcript_path":")" << root
      << "/session.jsonl\"}";
  const std::vector<std::string> begin{
      program, "--workspace", vault, "--state-dir", root + "/large-state"};
  const auto with = [&begin](const std::vector<std::string>& more) {
    std::vector<std::string> words = begin;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  run(with({"-q", "reindex"}), "/dev/null");
  Times runs;
  for (int round = 0; round < kRuns; ++round) {
    Times times;
    for (int i = 0; i < kHooksARun; ++i) {
      const Stopwatch hook_time;
      run(with({"hook", "claude-code"}), input);
      times.ours.push_back(hook_time.seconds() * 1000);
      const Stopwatch hand_time;
      write_by_hand(root + "/copy-" + std::to_string(round * kHooksARun + i), transcript);
      times.by_hand.push_back(hand_time.seconds() * 1000);
    }
    runs.ours.push_back(median(times.ours));
    runs.by_hand.push_back(median(times.by_hand));
  }
  print({"hook, transcript of 5 MB",
         "ms",
         "<= 25",
         runs.ours,
         with_unit(median(runs.ours), "ms"),
         with_unit(median(runs.by_hand), "ms"),
         std::to_string(kHooksARun) + " processes a run, in a vault of " +
             std::to_string(kSessionsAroundHooks) + " sessions; against writing by hand"});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: capture_bench DAYBOOK FOLDER\n");
    return 2;
  }
  fs::create_directories(argv[2]);
  const std::string root = fs::canonical(argv[2]).string();
  measure_session_end(root, root + "/empty", "empty vault", "<= 3");
  const std::string large = make_large_vault(root);
  measure_hook(argv[1], root, large);
  measure_session_end(root, large, std::to_string(kSessionsAroundHooks) + " sessions", "");
  return 0;
}
