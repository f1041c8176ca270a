// SPDX-License-Identifier: MIT
#include "daybook/service/embedding_tools.hpp"

#include "daybook/service/capture_tools.hpp"
#include "service/extension_library.hpp"

#include <cstdlib>

namespace daybook::service {
namespace {

using std::chrono::milliseconds;

constexpr const char* kEntryPoint = "sqlite3_vec_init";

Error not_used(const std::string& path, const std::string& why) {
  return {ErrorKind::usage,
          "embeddings.sqlite_vec is not used: " + why,
          path,
          "Name a file that only you may write, in folders that only you or root may write, "
          "outside the "
          "workspace; or take the line out: Daybook's own code finds the same."};
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

Result<redact::Policy> policy_for_sending(base::Disk& disk,
                                          const std::string& workspace,
                                          const parse::Config& config) {
  auto policy = redaction_policy(disk, workspace, config);
  if (policy) {
    return policy;
  }
  const Error& why = policy.error();
  return Error{
      ErrorKind::usage,
      "nothing is sent to the embedding model without the list of texts to redact: " + why.message,
      why.path,
      "Make it readable, or take capture.literals_file out of daybook.yaml."};
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
  const auto library = ExtensionLibrary::open(path, workspace);
  if (!library) {
    return not_used(library.error().path, library.error().message);
  }
  if (const auto loaded = database.load_extension(library->loadable_path(), kEntryPoint); !loaded) {
    return not_used(path, loaded.error().message);
  }
  if (!index::has_sqlite_vec(database)) {
    return not_used(path, "it is another extension than sqlite-vec");
  }
  return index::VectorBackend::sqlite_vec;
}

}  // namespace daybook::service
