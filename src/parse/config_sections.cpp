// SPDX-License-Identifier: MIT
#include "parse/config_sections.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>

namespace daybook::parse {
namespace {

constexpr std::uint64_t kLongestAnswer = 600;
constexpr std::uint64_t kMostRetries = 10;
constexpr std::uint64_t kCommandSeconds = 60;
constexpr std::uint64_t kMostRequests = 60'000;

/// The text, or nothing when none is given.
std::string text_in(const YAML::Node& node) {
  return node.IsDefined() && node.IsScalar() ? node.Scalar() : std::string();
}

bool is_variable_name(const std::string& name) {
  const auto is_part = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
         std::all_of(name.begin(), name.end(), is_part);
}

Result<std::string> base_url_of(const YAML::Node& node, const std::string& key) {
  TRY_ASSIGN(std::string url, text_of(node, key));
  const std::size_t host = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  if (host == 0 || host == url.size() || url[host] == '/') {
    return config_error(node,
                        "'" + key + "' must begin with http:// or https:// and name a host",
                        "Such as http://127.0.0.1:8080/v1.");
  }
  if (url.find_first_of("@?# \t\r\n") != std::string::npos) {
    return config_error(node,
                        "'" + key + "' takes an address without user, key, '?' or '#'",
                        "Such as http://127.0.0.1:8080/v1. A key belongs into an environment "
                        "variable: see " +
                            key.substr(0, key.find('.')) + ".api_key_env.");
  }
  return url;
}

Result<std::string> variable_of(const YAML::Node& node, const std::string& key) {
  TRY_ASSIGN(std::string name, text_of(node, key));
  if (!is_variable_name(name)) {
    // Not shown: it may be the key.
    return config_error(node,
                        "'" + key + "' takes the name of an environment variable, not the key",
                        "Such as OPENAI_API_KEY. If a key stood here, replace it: this file may "
                        "be synced.");
  }
  return name;
}

Result<std::vector<std::string>> command_of(const YAML::Node& node, const std::string& key) {
  std::vector<std::string> words;
  if (node.IsScalar()) {
    words.push_back(node.Scalar());
    if (words.front().find_first_of(" \t\r\n") != std::string::npos) {
      return config_error(node,
                          "'" + key + "' takes one program, or a list of words: no shell reads it",
                          "Write a list, such as [llm, --model, small].");
    }
  } else {
    TRY_ASSIGN(words, texts_of(node, key));
  }
  if (words.empty() || words.front().empty()) {
    return config_error(node, "'" + key + "' names no program", "Such as [llm, --model, small].");
  }
  const std::string& program = words.front();
  if (program.find('/') != std::string::npos && !program.starts_with('/') &&
      !program.starts_with("~/")) {
    return config_error(node,
                        "'" + key + "' takes a name on PATH, or a path that begins with / or ~/",
                        "Write its full path.");
  }
  return words;
}

Result<std::string> path_of(const YAML::Node& node, const std::string& key) {
  TRY_ASSIGN(std::string path, text_of(node, key));
  if (path.empty() || path.ends_with('/')) {
    return config_error(node, "'" + key + "' takes the path of a file", "Such as ~/literals.txt.");
  }
  return path;
}

/// A library that this process would run: never one that came with the vault.
Result<std::string> library_of(const YAML::Node& node, const std::string& key) {
  TRY_ASSIGN(std::string path, path_of(node, key));
  if (!path.starts_with('/') && !path.starts_with("~/")) {
    return config_error(
        node, "'" + key + "' takes a path that begins with / or ~/", "Write it whole.");
  }
  return path;
}

Result<void> judge_embeddings(const YAML::Node& node, const EmbeddingConfig& embeddings) {
  if (!embeddings.base_url.empty() && embeddings.model.empty()) {
    return config_error(node["base_url"],
                        "'embeddings.base_url' needs 'embeddings.model'",
                        "Add the name by which the endpoint knows the model.");
  }
  for (const char* name :
       {"model", "api_key_env", "timeout_seconds", "batch", "requests_per_minute", "sqlite_vec"}) {
    if (embeddings.base_url.empty() && node[name].IsDefined()) {
      return config_error(
          node[name],
          "'embeddings." + std::string(name) + "' has no use without 'embeddings.base_url'",
          "Add embeddings.base_url, or take this line out.");
    }
  }
  if (embeddings.timeout_seconds > kLongestAnswer) {
    return config_error(node["timeout_seconds"],
                        "'embeddings.timeout_seconds' must not be above 600",
                        "The default is 30.");
  }
  if (embeddings.batch > EmbeddingConfig::kMostTexts) {
    return config_error(
        node["batch"], "'embeddings.batch' must not be above 256", "The default is 32.");
  }
  if (embeddings.requests_per_minute > kMostRequests) {
    return config_error(node["requests_per_minute"],
                        "'embeddings.requests_per_minute' must not be above 60000",
                        "0 means as many as the endpoint answers.");
  }
  return {};
}

/// What each value says alone is right; do they also fit together?
Result<void> judge_model(const YAML::Node& node, const ModelConfig& model) {
  if (!model.base_url.empty() && !model.command.empty()) {
    return config_error(node["command"],
                        "'model.base_url' and 'model.command' exclude each other",
                        "Keep one of the two.");
  }
  if (!model.base_url.empty() && model.model.empty()) {
    return config_error(node["base_url"],
                        "'model.base_url' needs 'model.model'",
                        "Add the name by which the endpoint knows the model.");
  }
  for (const char* name : {"model", "api_key_env", "retries"}) {
    if (model.base_url.empty() && node[name].IsDefined()) {
      return config_error(node[name],
                          "'model." + std::string(name) + "' has no use without 'model.base_url'",
                          "Add model.base_url, or take this line out.");
    }
  }
  if (model.timeout_seconds > kLongestAnswer) {
    return config_error(node["timeout_seconds"],
                        "'model.timeout_seconds' must not be above 600",
                        "The default is 30, and 60 for a command.");
  }
  if (model.retries > kMostRetries) {
    return config_error(
        node["retries"], "'model.retries' must not be above 10", "The default is 2.");
  }
  return {};
}

}  // namespace

Result<void> read_memory_md(const YAML::Node& node, const std::string& key, Config& config) {
  const Reader tokens = [&config](const YAML::Node& value,
                                  const std::string& name) -> Result<void> {
    if (value.IsNull() || text_in(value) == "none") {
      return {};
    }
    TRY_ASSIGN(config.max_tokens, number_of(value, name));
    return {};
  };
  return read_mapping(node,
                      key + ".",
                      {{"max_bytes", into(config.max_bytes, number_of)},
                       {"max_lines", into(config.max_lines, number_of)},
                       {"max_tokens", tokens}},
                      config.given);
}

Result<void> read_watch(const YAML::Node& node, const std::string& key, Config& config) {
  TRY(read_mapping(node,
                   key + ".",
                   {{"settle_ms", into(config.settle_ms, number_of)},
                    {"longest_ms", into(config.longest_ms, number_of)},
                    {"sweep_seconds", into(config.sweep_seconds, number_of)}},
                   config.given));
  constexpr std::uint64_t kLongestSettle = 60'000;
  constexpr std::uint64_t kLongestSweep = 86'400;
  if (config.settle_ms > config.longest_ms || config.longest_ms > kLongestSettle) {
    return config_error(node.Mark(),
                        "'watch.settle_ms' must not be above 'watch.longest_ms', nor that above "
                        "60000",
                        "The defaults are 200 and 2000.");
  }
  if (config.sweep_seconds > kLongestSweep) {
    return config_error(
        node.Mark(), "'watch.sweep_seconds' must not be above 86400", "The default is 60.");
  }
  return {};
}

Result<void> read_model(const YAML::Node& node, const std::string& key, Config& config) {
  ModelConfig& model = config.model;
  TRY(read_mapping(node,
                   key + ".",
                   {{"base_url", into(model.base_url, base_url_of)},
                    {"model", into(model.model, text_of)},
                    {"api_key_env", into(model.api_key_env, variable_of)},
                    {"timeout_seconds", into(model.timeout_seconds, number_of)},
                    {"retries", into(model.retries, count_of)},
                    {"command", into(model.command, command_of)}},
                   config.given));
  if (!model.command.empty() && !config.given.contains("model.timeout_seconds")) {
    model.timeout_seconds = kCommandSeconds;
  }
  return node.IsMap() ? judge_model(node, model) : Result<void>();
}

Result<void> read_embeddings(const YAML::Node& node, const std::string& key, Config& config) {
  EmbeddingConfig& embeddings = config.embeddings;
  TRY(read_mapping(node,
                   key + ".",
                   {{"base_url", into(embeddings.base_url, base_url_of)},
                    {"model", into(embeddings.model, text_of)},
                    {"api_key_env", into(embeddings.api_key_env, variable_of)},
                    {"timeout_seconds", into(embeddings.timeout_seconds, number_of)},
                    {"batch", into(embeddings.batch, number_of)},
                    {"requests_per_minute", into(embeddings.requests_per_minute, count_of)},
                    {"sqlite_vec", into(embeddings.sqlite_vec, library_of)}},
                   config.given));
  return node.IsMap() ? judge_embeddings(node, embeddings) : Result<void>();
}

Result<void> read_capture(const YAML::Node& node, const std::string& key, Config& config) {
  return read_mapping(node,
                      key + ".",
                      {{"redact_pii", into(config.capture.redact_pii, flag_of)},
                       {"literals_file", into(config.capture.literals_file, path_of)}},
                      config.given);
}

Result<void> read_learnings(const YAML::Node& node, const std::string& key, Config& config) {
  LearningsConfig& learnings = config.learnings;
  const Reader procedures = [&](const YAML::Node& value, const std::string& name) -> Result<void> {
    const std::string text = text_in(value);
    if (text != "provisional" && text != "active") {
      return config_error(
          value,
          "'" + name + "' must be provisional or active",
          "provisional: what an agent wrote waits for 'daybook learnings approve'.");
    }
    learnings.agent_procedures_active = text == "active";
    return {};
  };
  const auto limit = [&config](LearningLimit& place, const char* most) -> Reader {
    return [&config, &place, most](const YAML::Node& value, const std::string& name) {
      return read_mapping(
          value,
          name + ".",
          {{"enabled", into(place.enabled, flag_of)}, {most, into(place.most, number_of)}},
          config.given);
    };
  };
  return read_mapping(node,
                      key + ".",
                      {{"agent_procedures", procedures},
                       {"semantic", limit(learnings.semantic, "max_memories")},
                       {"episodic", limit(learnings.episodic, "max_episodes")},
                       {"procedural", limit(learnings.procedural, "max_procedures")}},
                      config.given);
}

}  // namespace daybook::parse
