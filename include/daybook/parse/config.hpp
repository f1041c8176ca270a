// SPDX-License-Identifier: MIT
//
// daybook.yaml -> Config. Everything is optional; an unknown key or a wrong value is an error that
// names the line and the nearest valid key, because a setting that is silently ignored is worse
// than none. Pure; any thread.
#pragma once

#include "daybook/base/result.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::parse {

inline constexpr std::string_view kConfigFile = "daybook.yaml";
inline constexpr std::uint64_t kLargestConfig = 64 * 1024;

/// Who writes the sentence of a session: an endpoint, a command, or nobody.
struct ModelConfig {
  std::string base_url;                ///< of an OpenAI-compatible endpoint; empty: none
  std::string model;                   ///< as the endpoint calls it
  std::string api_key_env;             ///< the variable that holds its key; empty: no key
  std::uint64_t timeout_seconds = 30;  ///< of one request; 60 for a command unless it is set
  std::uint64_t retries = 2;           ///< of the endpoint
  std::vector<std::string> command;    ///< program and words, instead of an endpoint

  bool is_set() const { return !base_url.empty() || !command.empty(); }
};

/// Who turns texts into vectors, so that recall finds what is meant in other words.
struct EmbeddingConfig {
  /// What an embedder takes at once; service/embedding_tools.cpp holds the two against each other.
  static constexpr std::uint64_t kMostTexts = 256;

  std::string base_url;                   ///< of an OpenAI-compatible endpoint; empty: none
  std::string model;                      ///< as the endpoint calls it
  std::string api_key_env;                ///< the variable that holds its key; empty: no key
  std::uint64_t timeout_seconds = 30;     ///< of one request
  std::uint64_t batch = 32;               ///< texts of one request
  std::uint64_t requests_per_minute = 0;  ///< 0: as fast as it answers
  std::string sqlite_vec;                 ///< path of SQLite's extension; empty: our own code

  bool is_set() const { return !base_url.empty(); }
  bool operator==(const EmbeddingConfig&) const = default;
};

/// What happens to text on its way into the vault.
struct CaptureConfig {
  bool redact_pii = true;     ///< secrets are redacted always
  std::string literals_file;  ///< texts to redact, one a line; `~/…`, or relative to the workspace
};

/// One of the three types of what is learned.
struct LearningLimit {
  bool enabled = true;
  std::uint64_t most = 0;  ///< active notes of an agent; older ones are archived
};

struct LearningsConfig {
  bool agent_procedures_active = false;  ///< else they wait for a person's approval
  LearningLimit semantic{true, 1000};
  LearningLimit episodic{true, 500};
  LearningLimit procedural{true, 100};
};

struct Config {
  std::vector<std::string> noise;           ///< globs of projects kept out of MEMORY.md
  std::uint64_t max_bytes = 25'000;         ///< of MEMORY.md
  std::uint64_t max_lines = 200;            ///< of MEMORY.md
  std::optional<std::uint64_t> max_tokens;  ///< of MEMORY.md, estimated
  std::string publisher = "any";            ///< `any`, or the id of the one device that publishes
  std::uint64_t settle_ms = 200;            ///< a changed file rests so long before it is read
  std::uint64_t longest_ms = 2'000;         ///< and one that never rests is read after that
  std::uint64_t sweep_seconds = 60;         ///< between two looks at every file
  ModelConfig model;
  EmbeddingConfig embeddings;
  CaptureConfig capture;
  LearningsConfig learnings;
  std::set<std::string> given;  ///< what the file sets, such as `memory_md.max_bytes`
};

/// ErrorKind::usage with path `daybook.yaml:LINE` on anything that is not understood.
Result<Config> read_config(std::string_view yaml);

}  // namespace daybook::parse
