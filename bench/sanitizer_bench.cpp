// SPDX-License-Identifier: MIT
// sanitizer_bench VAULT SOURCES: sanitises prose (the notes of VAULT/memory), code (the sources
// below SOURCES) and JSON (both of them, a line each, escaped) in pieces of 64 KiB. The cost is a
// ratio to copying and validating the same bytes as UTF-8 with a step a byte, by processor time of
// the same run, so that other work on the machine weighs on both. Prints rows for scripts/bench.
#include "daybook/redact/sanitizer.hpp"
#include "row.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using daybook::bench::median;
using daybook::bench::print;
using daybook::bench::ratios;
using daybook::bench::with_unit;

constexpr std::size_t kWanted = 24'000'000;
constexpr std::size_t kPiece = 65536;
constexpr int kRuns = 5;

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// Everything below the folder with one of the endings, again and again until it is enough.
std::string gathered(const std::filesystem::path& folder, const std::vector<std::string>& endings) {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (!entry.is_regular_file() ||
        std::find(endings.begin(), endings.end(), ending) == endings.end()) {
      continue;
    }
    std::ifstream file(entry.path(), std::ios::binary);
    text.append(std::istreambuf_iterator<char>(file), {});
    if (text.size() >= kWanted) {
      break;
    }
  }
  while (!text.empty() && text.size() < kWanted) {
    text.append(text, 0, std::min(text.size(), kWanted - text.size()));
  }
  return text;
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '"':
      case '\\':
        out += '\\';
        [[fallthrough]];
      default:
        out += c;
    }
  }
}

/// Lines as harnesses write them: ids, times, counts, and a text that is escaped.
std::string as_json(std::string_view prose, std::string_view code) {
  std::string out;
  std::size_t at = 0;
  for (unsigned n = 0; out.size() < kWanted; ++n) {
    const std::string_view source = n % 2 == 0 ? prose : code;
    char head[256];
    std::snprintf(
        head,
        sizeof head,
        R"({"type":"assistant","uuid":"%08x-1a2b-4c3d-8e4f-0123456789ab","timestamp":"2026-11-16T03:%02u:%02u.123Z",)"
        R"("message":{"role":"assistant","usage":{"input_tokens":%u,"output_tokens":%u},"content":[{"type":"text","text":")",
        n,
        n % 60,
        n % 59,
        n * 7 % 100'000,
        n * 3 % 9'000);
    out += head;
    at = (at + 4096) % (source.size() - 4096);
    append_escaped(out, source.substr(at, 500 + n % 3000));
    out += "\"}]}}\n";
  }
  return out;
}

double seconds_of(const auto& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

/// The yardstick: one table look and one store a byte.
double copying(const std::string& text) {
  std::string out(kPiece, ' ');
  unsigned char table[256];
  for (unsigned c = 0; c < 256; ++c) {
    table[c] = static_cast<unsigned char>(c < 0x80 ? c : 0xFF);
  }
  return seconds_of([&] {
    unsigned char seen = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const unsigned char c = table[static_cast<unsigned char>(text[at])];
      out[at % kPiece] = static_cast<char>(c);
      seen = static_cast<unsigned char>(seen | c);
    }
    out[0] = static_cast<char>(seen);
  });
}

struct Cleaned {
  double seconds = 0;
  std::uint64_t found = 0;
};

Cleaned sanitising(const std::string& text) {
  const daybook::redact::Policy policy;
  std::string out;
  Cleaned cleaned;
  cleaned.seconds = seconds_of([&] {
    daybook::redact::Sanitizer sanitizer(policy);
    for (std::size_t at = 0; at < text.size(); at += kPiece) {
      out.clear();
      sanitizer.feed(std::string_view(text).substr(at, kPiece), out);
    }
    sanitizer.finish(out);
    cleaned.found = sanitizer.report().secrets + sanitizer.report().pii;
  });
  return cleaned;
}

bool measure(const std::string& name, const std::string& text) {
  if (text.empty()) {
    std::fprintf(stderr, "sanitizer_bench: no %s found\n", name.c_str());
    return false;
  }
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  std::vector<double> ours;
  std::vector<double> copies;
  std::vector<double> rates;
  std::uint64_t found = 0;
  for (int run = 0; run <= kRuns; ++run) {
    const Cleaned cleaned = sanitising(text);
    const double copied = copying(text);
    if (run > 0) {  // the first warms both
      ours.push_back(cleaned.seconds);
      copies.push_back(copied);
      rates.push_back(megabytes / cleaned.seconds);
      found = cleaned.found;
    }
  }
  const std::string work = with_unit(median(ours), "s");
  const std::string yardstick = with_unit(median(copies), "s");
  print({"sanitizer, " + name + " / copying",
         "ratio",
         "<= 5.5",
         ratios(ours, copies),
         work,
         yardstick,
         std::to_string(found) + " found"});
  print({"sanitizer, " + name, "MB/s", ">= 300", rates, work, yardstick, "processor time"});
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: sanitizer_bench VAULT SOURCES\n");
    return 2;
  }
  const std::string prose = gathered(std::string(argv[1]) + "/memory", {".md"});
  const std::string code = gathered(argv[2], {".cpp", ".hpp"});
  return measure("prose", prose) && measure("code", code) && measure("json", as_json(prose, code))
             ? 0
             : 2;
}
