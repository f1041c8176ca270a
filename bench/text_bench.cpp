// SPDX-License-Identifier: MIT
// text_bench VAULT STATE [THREADS]: builds the full text of VAULT/memory into the new folder STATE,
// changes it and searches it. Cost of building is a ratio to sha256sum of the same files, size one
// to the vault's bytes; latencies are in milliseconds. Prints rows for scripts/bench.
#include "daybook/base/clock.hpp"
#include "daybook/index/full_text.hpp"
#include "daybook/index/full_text_search.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "random.hpp"
#include "vocabulary.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace {

using daybook::bench::Random;
using daybook::bench::Vocabulary;
using daybook::index::MonthOutcome;
using daybook::index::MonthWork;
using daybook::index::TextContent;
using daybook::index::TextDocument;

constexpr const char* kIndexId = "bench";

struct Vault {
  std::vector<std::string> paths;  // by file number
  std::map<std::int64_t, std::vector<TextDocument>> months;
  double bytes = 0;
};

std::string slurp(const std::string& path) {
  std::string text;
  if (std::FILE* file = std::fopen(path.c_str(), "rb"); file != nullptr) {
    text.resize(std::filesystem::file_size(path));
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
  }
  return text;
}

Vault read_vault(const std::string& folder) {
  Vault vault;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    vault.paths.push_back(entry.path().string());
    vault.bytes += static_cast<double>(entry.file_size());
    const auto time = daybook::lineage::parse_file_timestamp(name.substr(0, name.find("--")));
    if (!time || name.find("--manifest") != std::string::npos) {
      continue;
    }
    TextDocument document;
    document.file = static_cast<std::int64_t>(vault.paths.size()) - 1;
    document.time = *time;
    document.source_sha256[0] = 1;
    vault.months[std::atoll(name.c_str()) * 12 + std::atoll(name.c_str() + 5) - 1].push_back(
        document);
  }
  return vault;
}

TextContent content_of(const std::string& path) {
  std::string text = slurp(path);
  TextContent content;
  const std::size_t end = text.find("\n---\n");
  const std::size_t sentence = text.find("memory_sentence: ");
  if (sentence < end) {
    content.sentence = text.substr(sentence + 17, text.find('\n', sentence) - sentence - 17);
  }
  content.body = text.substr(std::min(text.size(), end + 5));
  return content;
}

daybook::Result<MonthOutcome> bring(const Vault& vault,
                                    const std::string& state,
                                    std::int64_t month,
                                    std::vector<TextDocument> wanted) {
  static const std::atomic<bool> kNever = false;
  return daybook::index::bring_up_to_date(
      {state, month, kIndexId, MonthWork::update},
      std::move(wanted),
      [&vault](const TextDocument& document) -> daybook::Result<std::optional<TextContent>> {
        return std::optional(content_of(vault.paths[static_cast<std::size_t>(document.file)]));
      },
      kNever);
}

double build(const Vault& vault, const std::string& state, int threads) {
  std::vector<std::int64_t> months;
  for (const auto& [month, documents] : vault.months) {
    months.push_back(month);
  }
  std::atomic<std::size_t> next = 0;
  const daybook::base::Stopwatch stopwatch;
  const auto work = [&] {
    for (std::size_t i = next++; i < months.size(); i = next++) {
      const auto outcome = bring(vault, state, months[i], vault.months.at(months[i]));
      if (!outcome) {
        std::fprintf(stderr, "text_bench: %s\n", outcome.error().message.c_str());
        std::_Exit(5);
      }
    }
  };
  std::vector<std::thread> pool;
  pool.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) {
    pool.emplace_back(work);
  }
  for (std::thread& thread : pool) {
    thread.join();
  }
  return stopwatch.seconds();
}

/// Negative when it cannot be run.
double sha256sum(const std::string& folder) {
  const std::string quoted = "'" + folder + "'";
  const daybook::base::Stopwatch stopwatch;
  const int code =
      std::system(("find " + quoted + " -type f -print0 | xargs -0 sha256sum > /dev/null").c_str());
  return code == 0 ? stopwatch.seconds() : -1;
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values.empty()
             ? 0
             : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// Milliseconds of each search, the words drawn between two ranks.
void search(const char* name, const std::string& state, std::size_t from, std::size_t to) {
  constexpr int kSearches = 200;
  Random random(from + 1);
  std::vector<double> times;
  std::size_t hits = 0;
  for (int i = 0; i < kSearches; ++i) {
    std::string typed;
    for (int word = 0; word < 2; ++word) {
      typed.append(Vocabulary::instance().word(from + random.next() % (to - from))).append(" ");
    }
    const daybook::base::Stopwatch stopwatch;
    const auto query = daybook::index::SearchQuery::parse(typed);
    const auto answer = daybook::index::search_text(state, kIndexId, *query, {}, 20);
    times.push_back(stopwatch.seconds() * 1000);
    hits += answer ? answer->hits.size() : 0;
  }
  std::printf("search, two %s words\t%.2f\t30\tms p95; p50 %.2f, max %.2f, %zu hits\n",
              name,
              percentile(times, 0.95),
              percentile(times, 0.5),
              percentile(times, 1),
              hits / kSearches);
}

/// The newest month grows by one document at a time.
void grow(const Vault& vault, const std::string& state) {
  auto [month, documents] = *vault.months.rbegin();
  std::vector<double> times;
  TextDocument added = documents.front();
  for (std::int64_t i = 0; i < 100; ++i) {
    added.source_sha256[1] = static_cast<std::uint8_t>(i + 1);
    documents.back() = added;
    documents.push_back(added);
    documents.back().file = static_cast<std::int64_t>(vault.paths.size()) - 1 - i;
    const daybook::base::Stopwatch stopwatch;
    static_cast<void>(bring(vault, state, month, documents));
    times.push_back(stopwatch.seconds() * 1000);
  }
  std::printf("one document more\t%.2f\t50\tms p95; p50 %.2f, max %.2f\n",
              percentile(times, 0.95),
              percentile(times, 0.5),
              percentile(times, 1));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: text_bench VAULT STATE [THREADS]\n");
    return 2;
  }
  const int threads = argc > 3 ? std::atoi(argv[3]) : 2;
  const std::string folder = std::string(argv[1]) + "/memory";
  const Vault vault = read_vault(folder);
  const std::string state = argv[2];
  const double hashing = sha256sum(folder);
  const double building = build(vault, state, threads);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  double bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(state)) {
    bytes += static_cast<double>(entry.file_size());
  }
  std::printf("full text, built\t%.2f\t2.5\t%.2f s with %d threads, %zu months, %ld MB resident\n",
              building / hashing,
              building,
              threads,
              vault.months.size(),
              usage.ru_maxrss / 1024);
  std::printf("full text, size\t%.2f\t0.5\t%.1f MB\n", bytes / vault.bytes, bytes / 1e6);
  search("common", state, 0, 100);
  search("ordinary", state, 100, 2000);
  search("rare", state, 2000, 20000);
  grow(vault, state);
  return 0;
}
