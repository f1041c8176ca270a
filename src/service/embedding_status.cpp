// SPDX-License-Identifier: MIT
#include "service/embedding_status.hpp"

#include "daybook/index/index_file.hpp"
#include "daybook/service/embedding.hpp"
#include "daybook/service/embedding_tools.hpp"

namespace daybook::service {
namespace {

Result<void> ask_index(store::Database& database, lineage::Timestamp now, EmbeddingStatus& status) {
  index::Vectors vectors(database);
  TRY_ASSIGN(const auto recorded, vectors.identity());
  if (recorded) {
    status.recorded = recorded->model;
    status.dimensions = recorded->dimensions;
  }
  TRY_ASSIGN(const auto counts, vectors.counts(status.identity, now));
  status.embedded = counts.embedded;
  status.pending = counts.pending;
  status.left_out = counts.refused;
  TRY_ASSIGN(status.last_error, last_embedding_error(database));
  return {};
}

}  // namespace

EmbeddingStatus embedding_status(const std::string& index_path,
                                 const parse::EmbeddingConfig& config,
                                 const std::string& workspace,
                                 lineage::Timestamp now) {
  EmbeddingStatus status;
  status.configured = config.is_set();
  if (!status.configured) {
    return status;
  }
  status.identity = model::embedder_identity(config.base_url, config.model);
  auto opened = index::open_index(index_path, store::Access::read_only);
  if (!opened || !opened->database) {
    return status;
  }
  if (const auto asked = ask_index(*opened->database, now, status); !asked) {
    status.last_error = asked.error().message;
  }
  const auto backend = vector_backend(*opened->database, config, workspace);
  if (backend) {
    status.backend = *backend;
  } else if (status.last_error.empty()) {
    status.last_error = backend.error().message;
  }
  return status;
}

}  // namespace daybook::service
