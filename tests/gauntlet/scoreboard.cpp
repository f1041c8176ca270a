// SPDX-License-Identifier: MIT
#include "gauntlet/scoreboard.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <sstream>

namespace daybook::gauntlet {
namespace {

constexpr std::size_t kMostTold = 20;  // failures of a row
// Of one complaint; the JSON has all of it.
constexpr std::size_t kLongestTold = 2000;

std::string repeat_command(const Row& row, std::uint64_t number) {
  return "scripts/gauntlet --only " + row.name + " --seed " + std::to_string(number) +
         " --trials 1";
}

std::string format_line(const std::string& name,
                        const std::string& fault,
                        const std::string& trials,
                        const std::string& failures,
                        const std::string& time,
                        const std::string& detail) {
  std::vector<char> line(400 + fault.size() + detail.size());
  const int length = std::snprintf(line.data(),
                                   line.size(),
                                   "%-15s %-48s %8s %9s %9s  %s",
                                   name.c_str(),
                                   fault.c_str(),
                                   trials.c_str(),
                                   failures.c_str(),
                                   time.c_str(),
                                   detail.c_str());
  std::string text(line.data(), static_cast<std::size_t>(length));
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string seconds_text(double seconds) {
  std::vector<char> text(40);
  std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  return text.data();
}

std::string counts_text(const RowResult& result) {
  std::string text;
  for (const auto& [name, value] : result.counts) {
    text.append(text.empty() ? "" : ", ").append(std::to_string(value)).append(" ").append(name);
  }
  return text;
}

nlohmann::json row_json(const Row& row, const RowResult& result) {
  nlohmann::json failed = nlohmann::json::array();
  for (const Failure& failure : result.failures) {
    failed.push_back({{"seed", failure.number},
                      {"command", repeat_command(row, failure.number)},
                      {"complaints", failure.complaints}});
  }
  nlohmann::json json = {{"row", row.name},
                         {"fault", row.fault},
                         {"judged", row.judged},
                         {"trials", result.trials},
                         {"failures", result.failures.size()},
                         {"seconds", result.seconds},
                         {"counts", result.counts},
                         {"failed", failed}};
  if (!result.skipped.empty()) {
    json["skipped"] = result.skipped;
  }
  return json;
}

}  // namespace

std::string table_head() { return format_line("row", "fault", "trials", "failures", "time", ""); }

std::string table_line(const Row& row, const RowResult& result) {
  if (!result.skipped.empty()) {
    return format_line(row.name, row.fault, "-", "-", "", "skipped: " + result.skipped);
  }
  return format_line(row.name,
                     row.fault + " (" + row.judged + ")",
                     std::to_string(result.trials),
                     std::to_string(result.failures.size()),
                     seconds_text(result.seconds),
                     counts_text(result));
}

std::string failures_text(const Row& row, const RowResult& result) {
  std::ostringstream text;
  for (std::size_t i = 0; i < std::min(result.failures.size(), kMostTold); ++i) {
    const Failure& failure = result.failures[i];
    text << "  FAILED " << repeat_command(row, failure.number) << "\n";
    for (const std::string& complaint : failure.complaints) {
      text << "    " << complaint.substr(0, kLongestTold) << "\n";
    }
  }
  if (result.failures.size() > kMostTold) {
    text << "  and " << result.failures.size() - kMostTold << " more\n";
  }
  return text.str();
}

std::size_t failures(const Results& results) {
  return std::accumulate(
      results.begin(), results.end(), std::size_t{0}, [](std::size_t sum, const auto& one) {
        return sum + one.second.failures.size();
      });
}

std::string verdict(const Results& results) {
  std::size_t trials = 0;
  std::size_t skipped = 0;
  for (const auto& [row, result] : results) {
    trials += result.trials;
    skipped += static_cast<std::size_t>(!result.skipped.empty());
  }
  const std::size_t failed = failures(results);
  std::ostringstream text;
  text << results.size() - skipped << " rows, " << trials << " trials, " << failed << " failures";
  if (skipped > 0) {
    text << "; " << skipped << " rows skipped, which says nothing about them";
  }
  text << "\n";
  return text.str();
}

std::string as_json(const Results& results, const std::string& commit, const std::string& sizes) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [row, result] : results) {
    rows.push_back(row_json(row, result));
  }
  const nlohmann::json json = {
      {"commit", commit}, {"sizes", sizes}, {"failures", failures(results)}, {"rows", rows}};
  // A complaint may quote any bytes.
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace daybook::gauntlet
