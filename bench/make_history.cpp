// SPDX-License-Identifier: MIT
//
// make_history DIR FILES [SEED [RESULT_BYTES]]: writes a made history of session files, homes of
// both harnesses below DIR, which must not exist yet. Prints how many files and bytes there are.
#include "support/made_history.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

int main(int count, char** arguments) {
  if (count < 3 || count > 5) {
    std::fputs("usage: make_history DIR FILES [SEED [RESULT_BYTES]]\n", stderr);
    return 2;
  }
  try {
    if (std::filesystem::exists(arguments[1])) {
      std::fprintf(stderr, "%s is there already\n", arguments[1]);
      return 2;
    }
    daybook::support::HistoryPlan plan;
    plan.files = std::strtoull(arguments[2], nullptr, 10);
    plan.seed = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1;
    plan.result_bytes = count > 4 ? std::strtoull(arguments[4], nullptr, 10) : 20'000;
    unsigned long long bytes = 0;
    const auto made = daybook::support::make_history(arguments[1], plan);
    for (const auto& session : made) {
      bytes += session.bytes;
    }
    std::printf("%zu files, %llu bytes\n", made.size(), bytes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_history: %s\n", error.what());
    return 1;
  }
  return 0;
}
