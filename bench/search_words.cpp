// SPDX-License-Identifier: MIT
// search_words COUNT: prints so many searches of two words, a line each, that find something in a
// generated vault. For scripts/bench.
#include "search_queries.hpp"

#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: search_words COUNT\n", stderr);
    return 2;
  }
  for (const auto& query :
       daybook::bench::search_queries(std::strtoul(arguments[1], nullptr, 10))) {
    std::puts(query.c_str());
  }
  return 0;
}
