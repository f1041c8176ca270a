// SPDX-License-Identifier: MIT
//
// What a pass of embedding works with: its pace, the endpoint, SQLite's extension.
#include "daybook/service/embedding.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
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

RequestPace::RequestPace(std::uint64_t requests_per_minute, Now now, model::Wait wait)
    : now_(std::move(now)), wait_(std::move(wait)) {
  if (requests_per_minute > 0) {
    between_ = std::chrono::nanoseconds(std::chrono::minutes(1)) /
               static_cast<std::int64_t>(requests_per_minute);
  }
  if (!now_) {
    now_ = [] { return std::chrono::steady_clock::now(); };
  }
}

void RequestPace::take(const std::atomic<bool>& cancelled) {
  constexpr milliseconds kPiece{50};
  while (next_ && now_() < *next_ && !cancelled) {
    const auto left = std::chrono::ceil<milliseconds>(*next_ - now_());
    if (wait_) {
      wait_(left);
    } else {
      std::this_thread::sleep_for(std::min(left, kPiece));
    }
  }
  next_ = now_() + between_;
}

std::unique_ptr<model::Embedder> configured_embedder(const parse::EmbeddingConfig& config,
                                                     std::optional<milliseconds> timeout,
                                                     unsigned retries) {
  if (!config.is_set()) {
    return nullptr;
  }
  const milliseconds configured = std::chrono::seconds(config.timeout_seconds);
  model::Endpoint endpoint{
      config.base_url, config.model, config.api_key_env, configured, retries, {}};
  if (timeout && *timeout < configured) {
    endpoint.timeout = *timeout;
    endpoint.when_too_slow = "Nobody waits longer for it here: choose a faster model.";
  }
  return model::endpoint_embedder(endpoint);
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
  if (!index::has_sqlite_vec(database)) {
    return not_used(path, "it is another extension than sqlite-vec");
  }
  return index::VectorBackend::sqlite_vec;
}

}  // namespace daybook::service
