// SPDX-License-Identifier: MIT
//
// fixtures/recall-quality as values, and as a vault: 300 sessions of twenty projects, and 60
// questions of which it is known which session answers them. One thread.
#pragma once

#include "support/indexed_vault.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace daybook::test {

struct AskedQuestion {
  std::string id;
  std::string text;
  std::vector<std::string> answers;  ///< keys of sessions
};

inline std::vector<nlohmann::json> read_lines(const std::string& name) {
  std::ifstream file(std::string(DAYBOOK_SOURCE_DIR) + "/fixtures/recall-quality/" + name);
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(nlohmann::json::parse(line));
  }
  return lines;
}

inline std::vector<AskedQuestion> quality_questions(const std::string& name) {
  std::vector<AskedQuestion> questions;
  for (const auto& line : read_lines(name)) {
    questions.push_back({line.at("id"), line.at("question"), line.at("answers")});
  }
  return questions;
}

/// Its sessions are known by their ids in the set. Not indexed yet.
inline void write_quality_sessions(const support::IndexedVault& vault) {
  for (const auto& line : read_lines("sessions.jsonl")) {
    const std::string time = line.at("ended_at");
    support::SessionFiles files("default", line.at("id").get<std::string>(), time);
    files.set_everywhere("project", support::json_quoted(line.at("project").get<std::string>()));
    files.set_everywhere("ended_at", support::json_quoted(time));
    files.summary.fields.set_text("memory_sentence", line.at("sentence").get<std::string>());
    files.summary.body = line.at("summary").get<std::string>() + "\n";
    files.transcript.present = false;
    vault.add(files);
  }
}

}  // namespace daybook::test
