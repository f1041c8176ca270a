// SPDX-License-Identifier: MIT
//
// How much of yaml-cpp's time the fast frontmatter reader needs, on a generated artifact's
// frontmatter. Both in one run, turn about, so that a noisy machine disturbs both alike; the median
// of the ratios counts. Prints one row for scripts/bench.
#include "daybook/base/clock.hpp"
#include "daybook/parse/frontmatter.hpp"
#include "row.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace {

using daybook::parse::Frontmatter;

constexpr int kRounds = 21;
constexpr int kReadsPerRound = 200;

/// The form that Signet and Daybook write, of ordinary length.
const std::string kYaml =
    "kind: \"summary\"\n"
    "agent_id: \"default\"\n"
    "session_id: \"session-end:a245b4fc-b607-4c50-8566-ebe23264272f:9f86d081\"\n"
    "session_key: \"a245b4fc-b607-4c50-8566-ebe23264272f\"\n"
    "project: \"/home/nina/projects/tidewater\"\n"
    "harness: \"claude-code\"\n"
    "captured_at: \"2026-03-28T22:34:06.792Z\"\n"
    "started_at: null\n"
    "ended_at: \"2026-03-28T22:33:58.101Z\"\n"
    "manifest_path: \"memory/2026-03-28T22-34-06.792Z--ly63agshl7q5mxfi--manifest.md\"\n"
    "source_node_id: null\n"
    "content_sha256: \"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"\n"
    "hash_scope: \"body-normalized-v1\"\n"
    "memory_sentence: \"Replaced the cosine table in src/tide/harmonics.cpp with a Chebyshev "
    "series and closed TW-41 after the forecast matched the gauge.\"\n"
    "memory_sentence_version: \"memory_sentence_v1\"\n"
    "memory_sentence_quality: \"ok\"\n"
    "memory_sentence_generated_at: \"2026-03-28T22:34:07.020Z\"\n";

/// Negative when the reader refuses the sample.
template <typename Read>
double seconds_for(Read read) {
  const daybook::base::Stopwatch stopwatch;
  for (int i = 0; i < kReadsPerRound; ++i) {
    if (!read()) {
      return -1;
    }
  }
  return stopwatch.seconds();
}

}  // namespace

int main() {
  Frontmatter fields;
  std::vector<daybook::lineage::Diagnostic> diagnostics;
  std::vector<double> fast_times;
  std::vector<double> yaml_times;
  for (int round = 0; round < kRounds; ++round) {
    const double yaml = seconds_for(
        [&] { return daybook::parse::read_frontmatter_yaml(kYaml, fields, diagnostics); });
    const double fast = seconds_for([&] {
      return daybook::parse::read_frontmatter_fast(kYaml, fields) == daybook::parse::FastRead::done;
    });
    if (yaml < 0 || fast < 0) {
      std::fputs("a reader refused the sample\n", stderr);
      return 2;
    }
    fast_times.push_back(fast / kReadsPerRound * 1e6);
    yaml_times.push_back(yaml / kReadsPerRound * 1e6);
  }
  daybook::bench::print({"frontmatter, fast reader / yaml-cpp",
                         "ratio",
                         "<= 0.05",
                         daybook::bench::ratios(fast_times, yaml_times),
                         daybook::bench::with_unit(daybook::bench::median(fast_times), "us"),
                         daybook::bench::with_unit(daybook::bench::median(yaml_times), "us"),
                         std::to_string(kRounds) + " rounds"});
  return 0;  // whether the targets are met is for scripts/bench to say
}
