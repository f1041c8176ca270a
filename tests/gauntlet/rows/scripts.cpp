// SPDX-License-Identifier: MIT
//
// Rows whose trials are scripts of this project, for the nights: one fuzz target for some hours
// (DAYBOOK_FUZZ_SECONDS), and every test under a sanitizer. What they print stays in
// build/gauntlet/.
#include "gauntlet/rows.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/wait.h>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;

constexpr int kHour = 3600;

/// Fails with the end of what the script printed. The script's own temporaries must lie where the
/// machine has them, not where this trial's do.
Complaints run_script(const std::string& name, const std::string& command) {
  const fs::path logs = fs::path(DAYBOOK_SOURCE_DIR) / "build" / "gauntlet";
  fs::create_directories(logs);
  const std::string log = (logs / (name + ".log")).string();
  const int status = std::system(  // NOLINT(concurrency-mt-unsafe,cert-env33-c)
      ("cd '" DAYBOOK_SOURCE_DIR "' && env -u TMPDIR " + command + " > '" + log + "' 2>&1")
          .c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return {};
  }
  constexpr std::size_t kEnd = 1500;
  std::ifstream file(log);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return {"E: " + command + " fails:\n" +
          (text.size() > kEnd ? text.substr(text.size() - kEnd) : text) + "\n      (" + log + ")"};
}

/// By the names of their sources, sorted: the place in this list is a trial's number.
std::vector<std::string> fuzz_targets() {
  constexpr std::string_view kEnd = "_fuzz.cpp";
  std::vector<std::string> targets;
  for (const auto& entry : fs::directory_iterator(fs::path(DAYBOOK_SOURCE_DIR) / "fuzz")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(kEnd)) {
      targets.push_back(name.substr(0, name.size() - kEnd.size()));
    }
  }
  std::sort(targets.begin(), targets.end());
  return targets;
}

std::vector<std::uint64_t> places(std::size_t count) {
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(i);
  }
  return all;
}

class FuzzTrials final : public Trials {
 public:
  std::vector<std::uint64_t> numbers(std::optional<std::uint64_t> first,
                                     std::size_t most) override {
    // Once, before workers do so side by side.
    if (const Complaints wrong = run_script("fuzz-build", "scripts/fuzz --seconds 1 names");
        !wrong.empty()) {
      throw std::runtime_error(wrong.front());
    }
    return choose(places(targets_.size()), first, most);
  }
  Complaints run(std::uint64_t number) override {
    const char* asked = std::getenv("DAYBOOK_FUZZ_SECONDS");  // NOLINT(concurrency-mt-unsafe)
    const std::string& target = targets_.at(number);
    return run_script(
        "fuzz-" + target,
        "scripts/fuzz --seconds " + std::string(asked == nullptr ? "7200" : asked) + " " + target);
  }

 private:
  std::vector<std::string> targets_ = fuzz_targets();
};

constexpr std::array kSanitizers{"asan", "tsan"};

class SanitizerTrials final : public Trials {
 public:
  std::vector<std::uint64_t> numbers(std::optional<std::uint64_t> first,
                                     std::size_t most) override {
    return choose(places(kSanitizers.size()), first, most);
  }
  Complaints run(std::uint64_t number) override {
    const std::string preset = kSanitizers.at(number);
    return run_script("test-" + preset, "scripts/test --preset " + preset);
  }
};

}  // namespace

Row fuzz() {
  return {"fuzz",
          "bytes that nobody thought of, for hours",
          "E",
          0,
          kEvery,
          [] { return std::make_unique<FuzzTrials>(); },
          Place::disk,
          4 * kHour};
}

Row sanitizers() {
  return {"sanitizers",
          "every test under ASan and UBSan, and under TSan",
          "E",
          0,
          kEvery,
          [] { return std::make_unique<SanitizerTrials>(); },
          Place::disk,
          6 * kHour};
}

}  // namespace daybook::gauntlet
