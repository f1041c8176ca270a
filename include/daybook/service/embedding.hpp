// SPDX-License-Identifier: MIT
//
// Rows -> vectors, behind everything else: of each session without vectors its sentence and what
// its note says are sanitised, sent to the endpoint that daybook.yaml names, and what comes back is
// put into the index, a batch at a time. What is put is done: cut off, it goes on where it stopped.
// Between two batches nothing is held, neither a lock nor a snapshot; `write` holds what is needed
// while a batch is written. Without an endpoint there is nothing to do. One thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/model/embedder.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/work_progress.hpp"
#include "daybook/state/state_folder.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace daybook::service {

/// Requests spread over time, so many a minute at most. The clock and the waiting are handed in.
class RequestPace {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  using Now = std::function<Moment()>;

  /// 0: no limit. Waits in short pieces while nothing is cancelled, unless told how to wait.
  explicit RequestPace(std::uint64_t requests_per_minute, Now now = {}, model::Wait wait = {});
  /// Returns when the next request may begin.
  void take(const std::atomic<bool>& cancelled);

 private:
  std::chrono::nanoseconds between_{0};
  Now now_;
  model::Wait wait_;
  std::optional<Moment> next_;
};

/// Runs the deed under whatever keeps others from the index meanwhile.
using WriteGuard = std::function<Result<void>(const std::function<Result<void>()>& deed)>;

enum class Reembed : std::uint8_t { missing, everything };

struct EmbedRequest {
  Reembed what = Reembed::missing;
  WriteGuard write;
  RequestPace* pace = nullptr;  ///< null: as the configuration says
};

struct EmbedReport {
  std::uint64_t embedded = 0;  ///< files
  std::uint64_t left_out = 0;  ///< changed since they were indexed, or refused by the endpoint
  std::string refusal;         ///< why it refused the last of them; empty: it did not
};

/// The embedder that daybook.yaml names; null: none. `timeout` in place of the configured one.
std::unique_ptr<model::Embedder> configured_embedder(
    const parse::EmbeddingConfig& config,
    std::optional<std::chrono::milliseconds> timeout = {},
    unsigned retries = 2);

/// What the database computes distances with from now on: the extension that is configured, or our
/// own code. An Error says why the extension is not used.
Result<index::VectorBackend> vector_backend(store::Database& database,
                                            const parse::EmbeddingConfig& config,
                                            const std::string& workspace);

/// Of another model than the index has vectors of: an Error that names both, before anything is
/// sent. `everything` asks for one vector first, so that nothing is dropped for an endpoint that is
/// not there.
Result<EmbedReport> run_embed_pass(base::Disk& disk,
                                   const state::StateFolder& folder,
                                   const parse::Config& config,
                                   const EmbedRequest& request,
                                   WorkProgress& progress);

/// Why the last pass failed; empty: it did not. In the index, for `status`.
Result<std::string> last_embedding_error(store::Database& index);

}  // namespace daybook::service
