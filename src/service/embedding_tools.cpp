// SPDX-License-Identifier: MIT
#include "daybook/service/embedding_tools.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace daybook::service {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;

Error not_used(const std::string& path, const std::string& why) {
  return {ErrorKind::usage,
          "embeddings.sqlite_vec is not used: " + why,
          path,
          "Name a file of yours that only you may write, outside the workspace, or take the line "
          "out: Daybook's own code finds the same."};
}

/// It runs as part of this process: not what others may write, nor what came with a synced vault.
Result<void> judge_library(const std::string& path, const std::string& workspace) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    return not_used(path, errno == ENOENT ? "it is not there" : "it cannot be looked at");
  }
  if (!S_ISREG(status.st_mode)) {
    return not_used(path, "it is no regular file");
  }
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return not_used(path, "it belongs to another user");
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return not_used(path, "others may write it");
  }
  std::error_code trouble;
  const std::string real = fs::canonical(path, trouble).string();
  if (trouble || real.starts_with(workspace + "/")) {
    return not_used(path, "it lies in the workspace");
  }
  return {};
}

}  // namespace

std::unique_ptr<model::Embedder> configured_embedder(const parse::EmbeddingConfig& config,
                                                     const Patience& patience) {
  static_assert(parse::EmbeddingConfig::kMostTexts == model::kMostTextsAtOnce);
  if (!config.is_set()) {
    return nullptr;
  }
  const milliseconds configured = std::chrono::seconds(config.timeout_seconds);
  model::Endpoint endpoint{
      config.base_url, config.model, config.api_key_env, configured, patience.retries, {}};
  if (patience.timeout && *patience.timeout < configured) {
    endpoint.timeout = *patience.timeout;
    endpoint.when_too_slow = "Nobody waits longer for it here: choose a faster model.";
  }
  return model::endpoint_embedder(endpoint, {}, patience.pace);
}

Result<index::VectorBackend> vector_backend(store::Database& database,
                                            const parse::EmbeddingConfig& config,
                                            const std::string& workspace) {
  if (config.sqlite_vec.empty()) {
    return index::VectorBackend::exact;
  }
  const char* const home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): only read
  const std::string path = config.sqlite_vec.starts_with("~/") && home != nullptr
                               ? home + config.sqlite_vec.substr(1)
                               : config.sqlite_vec;
  TRY(judge_library(path, workspace));
  if (const auto loaded = database.load_extension(path); !loaded) {
    return not_used(path, loaded.error().message);
  }
  const auto version = database.text("SELECT vec_version()");
  if (!version || !*version) {
    return not_used(path, "it is another extension than sqlite-vec");
  }
  return index::VectorBackend::sqlite_vec;
}

}  // namespace daybook::service
