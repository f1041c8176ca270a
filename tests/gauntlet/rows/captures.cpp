// SPDX-License-Identifier: MIT
#include "gauntlet/rows/captures.hpp"

#include "daybook/base/sha256.hpp"
#include "faults/vault_end.hpp"

namespace daybook::gauntlet {
namespace {

using faults::ending;
using nlohmann::json;

std::string hash_of(const std::string& path) {
  return base::to_hex(base::sha256(faults::bytes_of(path)));
}

json request_of(int number) {
  const std::string id = "captured-" + std::to_string(number);
  return {{"session_id", id},
          {"project", "/home/dev/tidewater"},
          {"harness", "codex"},
          {"captured_at", lineage::to_string({test::kServedNow - 30'000 - number * 10LL})},
          {"transcript",
           "User: what of " + id + "?\n\nAssistant: src/gauge/import.cpp of " + id +
               " was read, and the gap in its readings of February was found.\n"}};
}

/// Where, why and what to do.
bool says_why(const std::string& answer) {
  const json told = json::parse(answer, nullptr, false);
  const json error = told.is_object() ? told.value("error", json::object()) : json::object();
  return !error.value("message", "").empty() && !error.value("path", "").empty() &&
         !error.value("hint", "").empty();
}

}  // namespace

support::ProgramOutcome Captures::capture(int number, std::function<void(pid_t)> meanwhile) {
  // Never on a disk that may be full.
  const std::string input = "input-" + std::to_string(number) + ".json";
  vault_.place().write(input, request_of(number).dump());
  std::vector<std::string> words{"--json", "capture", "session-end", "--no-model"};
  if (number % 2 == 0) {
    words.emplace_back("--no-publish");  // the service does it
  }
  support::Program program = test::daybook(vault_.words(words));
  program.stdin_file = vault_.place().at(input);
  program.meanwhile = std::move(meanwhile);
  support::ProgramOutcome outcome = support::run(program);
  std::filesystem::remove(vault_.place().at(input));
  const json answer = json::parse(outcome.out, nullptr, false);
  if (outcome.signal == 0 && answer.is_object() && answer.value("acked", false)) {
    Acknowledged files{answer["paths"]["manifest"], {}};
    for (const auto& [kind, path] : answer["paths"].items()) {
      if (path.is_string() && kind != "manifest") {
        const std::string text = path;
        files.hashes[text] = hash_of(vault_.workspace() + "/" + text);
      }
    }
    acknowledged_[number] = std::move(files);
    refused_.erase(number);
  } else if (outcome.signal == 0) {
    refused_[number] = outcome;
  }
  return outcome;
}

std::vector<int> Captures::numbers() const {
  std::vector<int> numbers;
  for (const auto& [number, files] : acknowledged_) {
    numbers.push_back(number);
  }
  return numbers;
}

void Captures::judge(Complaints& complaints) {
  for (const auto& [number, files] : acknowledged_) {
    judge_files(number, files, complaints);
  }
  const auto refused = refused_;
  for (const auto& [number, refusal] : refused) {
    judge_refusal(number, refusal, complaints);
  }
}

void Captures::judge_files(int number, const Acknowledged& files, Complaints& complaints) const {
  const std::string names = faults::bytes_of(vault_.workspace() + "/" + files.manifest);
  for (const auto& [path, hash] : files.hashes) {
    if (hash_of(vault_.workspace() + "/" + path) != hash) {
      complaints.push_back("L: acknowledged, but gone or with other bytes: " + path);
    }
    if (names.find(path) == std::string::npos) {
      complaints.push_back("L: " + files.manifest + " does not name " + path);
    }
  }
  if (files.hashes.size() < 2) {
    complaints.push_back("L: acknowledged without files: captured-" + std::to_string(number));
  }
}

void Captures::judge_refusal(int number,
                             const support::ProgramOutcome& refusal,
                             Complaints& complaints) {
  if (refusal.exit_code == 0 || refusal.exit_code == 99) {
    complaints.push_back("E: neither done nor refused: " + ending(refusal) + refusal.out);
  } else if (!says_why(refusal.out)) {
    complaints.push_back("E: the refusal does not say where, or what to do, " + ending(refusal) +
                         refusal.out);
  }
  if (const auto again = capture(number); !is_acknowledged(number)) {
    complaints.push_back("E: it fails although the trouble is over, " + ending(again));
  }
}

}  // namespace daybook::gauntlet
