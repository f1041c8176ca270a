// SPDX-License-Identifier: MIT
#include "gauntlet/power/power_cut.hpp"
#include "support/vault_builder.hpp"

#include <algorithm>
#include <filesystem>

namespace daybook::gauntlet {
namespace {

namespace fs = std::filesystem;
using support::SessionFiles;

constexpr int kSessions = 60;

std::string word(const std::string& number) { return "quartzlantern" + number + "x"; }

SessionFiles session(int number) {
  const std::string day = std::to_string(10 + number % 18);
  const std::string minute = std::to_string(10 + number % 50);
  const std::string named = word(std::to_string(number));
  SessionFiles files(
      "default", "key-" + std::to_string(number), "2026-03-" + day + "T10:" + minute + ":00.000Z");
  files.summary.body = "# Session\n\nLit the " + named +
                       " in the harbour, so that every boat finds home at night.\n";
  files.transcript.body = "## user\n\nWhere is the " + named +
                          ", and who has put it there at that time of the night?\n";
  return files;
}

bool has_tombstone(const PowerDesk& desk, int number) {
  const std::string end = "--" + session(number).token() + "--tombstone.md";
  const fs::directory_iterator files(desk.vault() + "/memory");
  return std::any_of(begin(files), fs::end(files), [&end](const auto& entry) {
    return entry.path().filename().string().ends_with(end) && fs::file_size(entry.path()) > 0;
  });
}

bool prepare(const PowerDesk& desk) {
  for (int number = 0; number < kSessions; ++number) {
    session(number).write(desk.place(), "disk/vault");
  }
  return desk.daybook({"reindex"}).exit_code == 0;
}

std::string remove(const PowerDesk& desk, int number) {
  const std::string text = std::to_string(number);
  const auto removed =
      desk.daybook({"remove", "--session", "key-" + text, "--reason", "cut", "--yes"});
  return removed.exit_code == 0 ? text : "";
}

Complaints judge(const PowerDesk& desk, const std::vector<std::string>& noted) {
  Complaints lost;
  for (const std::string& number : noted) {
    if (!has_tombstone(desk, std::stoi(number))) {
      lost.push_back("L: the tombstone of key-" + number);
    }
  }
  desk.judge_recovery(lost);
  std::string everything;
  for (const auto& entry : fs::recursive_directory_iterator(desk.disk())) {
    everything += entry.is_regular_file() ? file_bytes(entry.path().string()) : "";
  }
  for (const std::string& number : noted) {
    if (everything.find(word(number)) != std::string::npos) {
      lost.push_back("T: text of key-" + number + " is still there");
    }
  }
  return lost;
}

}  // namespace

PowerWork power_removals() { return {"removals", kSessions, prepare, remove, judge}; }

}  // namespace daybook::gauntlet
