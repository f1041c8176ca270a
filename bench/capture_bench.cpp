// SPDX-License-Identifier: MIT
// capture_bench DAYBOOK FOLDER: what a session's end and a hook cost, in the new folder FOLDER. A
// session's end (a transcript of 100 KB, no model, up to the acknowledgement) is a ratio to writing
// and syncing the same three files by hand, turn by turn in one run; the hook is the median of
// whole processes, with a transcript of 5 MB, in a vault of 10,000 sessions that has been indexed.
// Prints rows for scripts/bench.
#include "daybook/base/clock.hpp"
#include "daybook/base/disk.hpp"
#include "daybook/capture/capture.hpp"
#include "daybook/state/state_db.hpp"
#include "daybook/state/state_folder.hpp"
#include "vault_generator.hpp"

#include <algorithm>
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
namespace fs = std::filesystem;

constexpr int kSessions = 101;
constexpr int kHooks = 41;
constexpr std::uint32_t kSessionsAroundHooks = 10'000;
constexpr int kMostTrouble = 1;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "capture_bench: %s\n", why.c_str());
  std::exit(kMostTrouble);
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

void measure_session_end(const std::string& folder) {
  const std::string vault = fs::canonical(folder).string() + "/vault";
  fs::create_directories(vault + "/memory");
  fs::create_directories(folder + "/hand");
  const auto state_folder = daybook::state::StateFolder::open(
      fs::canonical(folder).string() + "/state", vault, daybook::state::Create::if_missing);
  if (!state_folder) {
    give_up(state_folder.error().message);
  }
  auto state = daybook::state::StateDb::open(*state_folder);
  const daybook::redact::Policy policy;
  std::vector<double> ours;
  std::vector<double> by_hand;
  for (int i = 0; i < kSessions; ++i) {
    const std::string said = transcript_of(100'000, i);
    daybook::capture::SessionEnd request;
    request.session.session_id = "run-" + std::to_string(i);
    request.session.project = "/home/nina/tidewater";
    request.transcript = [&said](const auto& take) { return take(said); };
    const Stopwatch capture_time;
    const auto result = daybook::capture::end_session({daybook::base::real_disk(),
                                                       *state_folder,
                                                       *state,
                                                       policy,
                                                       nullptr,
                                                       {1'774'872'000'000 + i}},
                                                      request);
    ours.push_back(capture_time.seconds());
    if (!result) {
      give_up(result.error().message);
    }
    std::vector<std::string> bytes;
    for (const std::string& path : result->paths()) {
      bytes.push_back(read_file(vault + "/" + path));
    }
    const Stopwatch hand_time;
    for (std::size_t file = 0; file < bytes.size(); ++file) {
      write_by_hand(folder + "/hand/" + std::to_string(i) + "-" + std::to_string(file),
                    bytes[file]);
    }
    by_hand.push_back(hand_time.seconds());
  }
  std::printf("session end / writing by hand\t%.2f\t3\t%.2f ms against %.2f ms, medians of %d\n",
              median(ours) / median(by_hand),
              median(ours) * 1000,
              median(by_hand) * 1000,
              kSessions);
}

/// Runs it to its end, with a file as its input.
void run(const std::vector<std::string>& words, const std::string& input) {
  std::vector<char*> arguments;
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

void measure_hook(const std::string& program, const std::string& folder) {
  const std::string root = fs::canonical(folder).string();
  const std::string vault = root + "/large";
  daybook::bench::VaultPlan plan;
  plan.sessions = kSessionsAroundHooks;
  if (const auto made = daybook::bench::generate_vault(plan, vault); !made) {
    give_up(made.error().message);
  }
  write_transcript(root + "/session.jsonl");
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
  std::vector<double> times;
  for (int i = 0; i < kHooks; ++i) {
    const Stopwatch time;
    run(with({"hook", "claude-code"}), input);
    times.push_back(time.seconds());
  }
  std::printf(
      "hook, transcript of 5 MB (ms)\t%.1f\t25\tmedian of %d processes in a vault of %u "
      "sessions; slowest %.1f ms\n",
      median(times) * 1000,
      kHooks,
      kSessionsAroundHooks,
      *std::max_element(times.begin(), times.end()) * 1000);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: capture_bench DAYBOOK FOLDER\n");
    return 2;
  }
  fs::create_directories(argv[2]);
  measure_session_end(argv[2]);
  measure_hook(argv[1], argv[2]);
  return 0;
}
