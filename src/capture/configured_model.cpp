// SPDX-License-Identifier: MIT
#include "daybook/capture/configured_model.hpp"

#include <chrono>
#include <cstdlib>

namespace daybook::capture {
namespace {

/// `~/x` in the person's home; without one it stays as it is, and is not found.
std::string at_home(const std::string& path) {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): only read
  return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
}

}  // namespace

std::unique_ptr<model::Model> configured_model(const parse::ModelConfig& config) {
  const std::chrono::seconds timeout(config.timeout_seconds);
  if (!config.command.empty()) {
    model::CommandModelSpec spec{config.command, timeout};
    spec.words.front() = at_home(spec.words.front());
    return model::command_model(spec);
  }
  if (!config.base_url.empty()) {
    return model::endpoint_model({config.base_url,
                                  config.model,
                                  config.api_key_env,
                                  timeout,
                                  static_cast<unsigned>(config.retries)});
  }
  return nullptr;
}

std::string literals_path(const parse::CaptureConfig& config, const std::string& workspace) {
  const std::string path = at_home(config.literals_file);
  return path.empty() || path.starts_with('/') ? path : workspace + "/" + path;
}

}  // namespace daybook::capture
