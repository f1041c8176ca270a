// SPDX-License-Identifier: MIT
//
// How long rendering a session file takes, against the SHA-256 of the same bytes, on one core. Both
// in one run, turn about; the median of the ratios counts. Prints one row a kind of file for
// scripts/bench. The target is 150 MB/s where SHA-256 makes 600.
#include "daybook/base/clock.hpp"
#include "daybook/base/sha256.hpp"
#include "daybook/harness/session_file.hpp"
#include "row.hpp"
#include "support/made_history.hpp"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

using daybook::harness::Format;

constexpr int kRounds = 9;
constexpr std::size_t kBytes = std::size_t{48} * 1000 * 1000;
constexpr std::size_t kPiece = std::size_t{512} * 1024;

double render_seconds(Format format, std::string_view text) {
  const daybook::base::Stopwatch stopwatch;
  daybook::harness::TranscriptRenderer renderer(format);
  std::string out;
  std::size_t written = 0;
  for (std::size_t at = 0; at < text.size(); at += kPiece) {
    renderer.feed(text.substr(at, kPiece), out);
    written += out.size();
    out.clear();  // as a writer would
  }
  renderer.finish(out);
  return written + out.size() > 0 ? stopwatch.seconds() : -1;
}

double hash_seconds(std::string_view text) {
  const daybook::base::Stopwatch stopwatch;
  const auto digest = daybook::base::sha256(text);
  return digest == daybook::base::Digest{} ? -1 : stopwatch.seconds();
}

void measure(const char* name, Format format, const std::string& text) {
  std::vector<double> rendered;
  std::vector<double> hashed;
  for (int round = 0; round < kRounds; ++round) {
    hashed.push_back(hash_seconds(text));
    rendered.push_back(render_seconds(format, text));
  }
  const double seconds = daybook::bench::median(rendered);
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.0f MB/s", static_cast<double>(text.size()) / seconds / 1e6);
  daybook::bench::print({name,
                         "ratio",
                         "<= 4",
                         daybook::bench::ratios(rendered, hashed),
                         daybook::bench::with_unit(seconds, "s"),
                         daybook::bench::with_unit(daybook::bench::median(hashed), "s"),
                         rate});
}

}  // namespace

int main() {
  using daybook::support::made_claude_session;
  using daybook::support::made_codex_session;
  measure("render, huge results / sha256",
          Format::claude_code,
          made_claude_session(1, kBytes, 200'000));
  measure("render, rollout / sha256", Format::codex, made_codex_session(2, kBytes, 20'000));
  measure("render, short lines / sha256", Format::claude_code, made_claude_session(3, kBytes, 600));
  return 0;  // whether the targets are met is for scripts/bench to say
}
