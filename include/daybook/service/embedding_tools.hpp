// SPDX-License-Identifier: MIT
//
// What recall by meaning works with, as daybook.yaml names it: the embedder, what is kept from it,
// and what computes the distances. One thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/model/embedder.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/redact/sanitizer.hpp"
#include "daybook/store/database.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace daybook::service {

/// How patiently an endpoint is asked.
struct Patience {
  std::optional<std::chrono::milliseconds>
      timeout;  ///< in place of a longer one that is configured
  unsigned retries = 2;
  model::RequestPace* pace = nullptr;  ///< must outlive the embedder; null: no limit
};

/// The embedder that daybook.yaml names; null: none.
std::unique_ptr<model::Embedder> configured_embedder(const parse::EmbeddingConfig& config,
                                                     const Patience& patience);

/// What is taken out of a text before it is sent. Without the list of texts to redact, if one is
/// configured, nothing may be sent: ErrorKind::usage.
Result<redact::Policy> policy_for_sending(base::Disk& disk,
                                          const std::string& workspace,
                                          const parse::Config& config);

/// What the database computes distances with from now on: the extension that is configured, or our
/// own code. An Error says why the extension is not used.
Result<index::VectorBackend> vector_backend(store::Database& database,
                                            const parse::EmbeddingConfig& config,
                                            const std::string& workspace);

}  // namespace daybook::service
