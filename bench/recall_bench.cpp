// SPDX-License-Identifier: MIT
//
// recall_bench DAYBOOK VAULT STATE QUERIES WORDS_TARGET VECTORS_TARGET: whole 'daybook recall'
// commands against a vault with vectors, by words alone and by vectors as well, less what every
// command takes to start. The endpoint is this program, and answers at once: we measure ourselves
// and not a model. Writes a daybook.yaml into the vault and takes it away again.
#include "row.hpp"
#include "support/made_embeddings.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <vector>

extern char** environ;

namespace {

using daybook::bench::Row;

constexpr std::size_t kLeastQuestions = 10;
constexpr std::size_t kDimensions = 512;
constexpr int kRuns = 5;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "recall_bench: %s\n", why.c_str());
  std::_Exit(1);
}

struct Ended {
  double milliseconds = 0;
  bool well = false;
};

/// A whole command, its output thrown away.
Ended run(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const auto begun = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = 0;
  if (posix_spawn(&child, words.front(), &actions, nullptr, words.data(), environ) != 0 ||
      ::waitpid(child, &status, 0) != child) {
    give_up("this cannot be run: " + command.front());
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begun;
  posix_spawn_file_actions_destroy(&actions);
  return {taken.count(), status == 0};
}

/// Of one that must succeed.
double milliseconds(const std::vector<std::string>& command) {
  const Ended ended = run(command);
  if (!ended.well) {
    give_up("this failed: " + command.front() + " … " + command.back());
  }
  return ended.milliseconds;
}

double percentile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

std::vector<std::string> lines_of(const char* path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(line);
  }
  if (lines.empty()) {
    give_up("there are no questions");
  }
  return lines;
}

/// The file, for as long as this lives.
class Settings {
 public:
  Settings(std::string path, const std::string& text) : path_(std::move(path)) {
    if (std::filesystem::exists(path_)) {
      give_up("the vault has a daybook.yaml of its own");
    }
    std::ofstream(path_) << text;
  }
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
  ~Settings() { std::filesystem::remove(path_); }

 private:
  std::string path_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    give_up("takes DAYBOOK VAULT STATE QUERIES WORDS_TARGET VECTORS_TARGET");
  }
  const std::string daybook = arguments[1];
  const std::string vault = arguments[2];
  std::vector<std::string> questions;
  const daybook::support::MadeEmbeddings endpoint(kDimensions);
  const Settings settings(vault + "/daybook.yaml", endpoint.section("  batch: 256\n"));
  const auto command = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {daybook, "-q", "--workspace", vault, "--state-dir", arguments[3]});
    return words;
  };
  milliseconds(command({"reindex"}));
  for (const std::string& query : lines_of(arguments[4])) {
    const std::string question = "what was it about " + query + "?";
    // Two words that say nothing are a search, but no question.
    if (run(command({"recall", "--all", "--lexical", question})).well) {
      questions.push_back(question);
    }
  }
  if (questions.size() < kLeastQuestions) {
    give_up("too few of the questions have an answer");
  }
  std::vector<double> by_words;
  std::vector<double> by_both;
  std::vector<double> starts;
  for (int run = 0; run <= kRuns; ++run) {  // the first does not count
    std::vector<double> start;
    std::vector<double> words;
    std::vector<double> both;
    for (const std::string& question : questions) {
      words.push_back(milliseconds(command({"recall", "--all", "--lexical", question})));
      both.push_back(milliseconds(command({"recall", "--all", question})));
      start.push_back(milliseconds({daybook, "--version"}));
    }
    if (run > 0) {
      const double begin = daybook::bench::median(start);
      starts.push_back(begin);
      by_words.push_back(percentile(words, 0.95) - begin);
      by_both.push_back(percentile(both, 0.95) - begin);
    }
  }
  const std::string note = std::to_string(questions.size()) + " questions a run; start-up " +
                           daybook::bench::with_unit(daybook::bench::median(starts), "ms");
  daybook::bench::print(
      {"recall, by words, p95 after start-up", "ms", arguments[5], by_words, {}, {}, note});
  daybook::bench::print({"recall, by words and vectors, p95 after start-up",
                         "ms",
                         arguments[6],
                         by_both,
                         {},
                         {},
                         "512 dimensions; an endpoint that answers at once"});
  return 0;
}
