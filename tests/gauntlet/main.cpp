// SPDX-License-Identifier: MIT
//
// The gauntlet's program; scripts/gauntlet builds and starts it.
//
//   daybook_gauntlet [--only ROW]... [--nightly] [--seed N] [--trials N] [--workers N]
//                    [--stop-at-failure] [--json FILE] [--commit NAME]
//   daybook_gauntlet --list
//   daybook_gauntlet --rows-are "NAME;NAME…"    are these the rows that a commit runs?
//
// Exit 0: all held. 1: something failed. 2: wrong usage. 77: nothing could be tried here. 130: it
// was stopped by Ctrl-C or SIGTERM; nothing that it has started, and none of its folders, is left.
#include "gauntlet/rows.hpp"
#include "gauntlet/scoreboard.hpp"
#include "support/program.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace daybook::gauntlet {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;
constexpr int kSkipped = 77;
constexpr int kStopped = 130;
// A sanitizer makes every start of the program ten times as long, and looks for other mistakes.
constexpr std::size_t kFewerSanitized = 8;

volatile std::sig_atomic_t stop_wanted = 0;

void stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_wanted = 1; };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool is_stop_wanted() { return stop_wanted != 0; }

struct Wish {
  std::vector<std::string> only;
  bool nightly = false;
  bool list = false;
  bool stop_at_failure = false;
  std::optional<std::uint64_t> seed;
  std::optional<std::size_t> trials;
  int workers = 1;
  std::string json;
  std::string commit = "unknown";
  std::string expected_rows;
};

class WrongUsage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::uint64_t number_of(const std::string& option, const std::string& value) {
  if (value.empty() || value.find_first_not_of("0123456789") != std::string::npos ||
      value.size() > 18) {
    throw WrongUsage(option + " needs a number, not '" + value + "'.");
  }
  return std::stoull(value);
}

bool* flag_of(Wish& wish, const std::string& word) {
  return word == "--nightly"           ? &wish.nightly
         : word == "--list"            ? &wish.list
         : word == "--stop-at-failure" ? &wish.stop_at_failure
                                       : nullptr;
}

Wish read_arguments(const std::vector<std::string>& words) {
  Wish wish;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (bool* flag = flag_of(wish, word); flag != nullptr) {
      *flag = true;
      continue;
    }
    if (i + 1 == words.size()) {
      throw WrongUsage("'" + word + "' is unknown, or lacks its value.");
    }
    const std::string& value = words[++i];
    if (word == "--only") {
      wish.only.push_back(value);
    } else if (word == "--seed") {
      wish.seed = number_of(word, value);
    } else if (word == "--trials") {
      wish.trials = number_of(word, value);
    } else if (word == "--workers") {
      wish.workers = static_cast<int>(std::max<std::uint64_t>(1, number_of(word, value)));
    } else if (word == "--json") {
      wish.json = value;
    } else if (word == "--commit") {
      wish.commit = value;
    } else if (word == "--rows-are") {
      wish.expected_rows = value;
    } else {
      throw WrongUsage("unknown argument '" + word + "'.");
    }
  }
  return wish;
}

std::vector<Row> wanted_rows(const Wish& wish) {
  const std::vector<Row> all = all_rows();
  if (wish.only.empty()) {
    return all;
  }
  std::vector<Row> wanted;
  for (const std::string& name : wish.only) {
    const auto row =
        std::find_if(all.begin(), all.end(), [&](const Row& one) { return one.name == name; });
    if (row == all.end()) {
      std::string names;
      for (const Row& one : all) {
        names += " " + one.name;
      }
      throw WrongUsage("there is no row '" + name + "'; there are:" + names);
    }
    wanted.push_back(*row);
  }
  return wanted;
}

std::size_t size_of(const Row& row, const Wish& wish) {
  if (wish.trials) {
    return *wish.trials;
  }
  const std::size_t size = wish.nightly ? row.nightly : row.per_commit;
  return support::is_sanitized() && size > 0 && size != kEvery ? size / kFewerSanitized + 1 : size;
}

void list(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::printf("%s\n", row.name.c_str());
  }
}

/// A row that nobody has told CTest of would never run.
int compare_rows(const std::string& expected) {
  std::string names;
  for (const Row& row : all_rows()) {
    if (row.per_commit > 0) {
      names.append(names.empty() ? "" : ";").append(row.name);
    }
  }
  if (names != expected) {
    std::printf(
        "the rows of a commit: %s\nthe tests:            %s\n", names.c_str(), expected.c_str());
  }
  return names == expected ? 0 : kFailed;
}

RowResult run_told(const Row& row, const Wish& wish, std::size_t size) {
  RunPlan plan{wish.seed, size, wish.workers, wish.stop_at_failure, is_stop_wanted, {}};
  const bool on_terminal = ::isatty(STDERR_FILENO) != 0;
  if (on_terminal) {
    plan.progress = [&row](std::size_t done, std::size_t of) {
      std::fprintf(stderr, "\r%s: %zu of %zu ", row.name.c_str(), done, of);
    };
  }
  RowResult result = run_row(row, plan);
  if (on_terminal) {
    std::fprintf(stderr, "\r\033[K");
  }
  return result;
}

int run(const Wish& wish) {
  if (!wish.expected_rows.empty()) {
    return compare_rows(wish.expected_rows);
  }
  const std::vector<Row> rows = wanted_rows(wish);
  if (wish.list) {
    list(rows);
    return 0;
  }
  Results results;
  std::fputs(table_head().c_str(), stdout);
  stop_on_signals();
  for (const Row& row : rows) {
    const std::size_t size = size_of(row, wish);
    if (size == 0) {
      continue;  // a row of the nights only
    }
    results.emplace_back(row, run_told(row, wish, size));
    std::fputs(table_line(row, results.back().second).c_str(), stdout);
    std::fputs(failures_text(row, results.back().second).c_str(), stdout);
    std::fflush(stdout);
    if (is_stop_wanted()) {
      std::fputs("gauntlet: stopped; the last row has only some of its trials\n", stderr);
      return kStopped;
    }
  }
  std::fputs(verdict(results).c_str(), stdout);
  if (!wish.json.empty()) {
    std::ofstream(wish.json) << as_json(
        results, wish.commit, wish.nightly ? "nightly" : "per commit");
  }
  const bool tried = std::any_of(
      results.begin(), results.end(), [](const auto& one) { return one.second.skipped.empty(); });
  return failures(results) > 0 ? kFailed : tried ? 0 : kSkipped;
}

}  // namespace
}  // namespace daybook::gauntlet

int main(int argc, char** argv) {
  using namespace daybook::gauntlet;
  try {
    return run(read_arguments(std::vector<std::string>(argv + 1, argv + argc)));
  } catch (const WrongUsage& error) {
    std::fprintf(stderr, "gauntlet: %s\n", error.what());
    return kWrongUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gauntlet: %s\n", error.what());
    return kFailed;
  }
}
