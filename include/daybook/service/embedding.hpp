// SPDX-License-Identifier: MIT
//
// Rows -> vectors, behind everything else: of each note without vectors that a session's sentence
// comes from, and of each that was learned and is not sensitive, the sentence and what it says are
// sanitised, sent to the endpoint that daybook.yaml names, and what comes back is put into the
// index, a batch at a time. What is put is done: cut off, it goes on where it stopped. Between two
// batches nothing is held, neither a lock nor a snapshot; `write` holds what is needed while a
// batch is written. Without an endpoint there is nothing to do. One thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/lineage/timestamp.hpp"
#include "daybook/model/request_pace.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/service/work_progress.hpp"
#include "daybook/state/state_folder.hpp"
#include "daybook/store/database.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace daybook::service {

/// Runs the deed under whatever keeps others from the index meanwhile.
using WriteGuard = std::function<Result<void>(const std::function<Result<void>()>& deed)>;

enum class Reembed : std::uint8_t {
  missing,
  everything,
  by_service,  ///< everything is dropped, and left to the service that runs beside this
};

/// In the state folder: made anew when vectors were dropped for the service to make again.
inline constexpr const char* kReembedMark = "reembed";

struct EmbedRequest {
  Reembed what = Reembed::missing;
  WriteGuard write;
  lineage::Timestamp now;
  model::RequestPace* pace = nullptr;  ///< null: one of its own, as the configuration says
  /// Where nothing is to be embedded: whether to ask for one vector, to see its dimensions.
  bool asks_dimensions = false;
};

struct EmbedReport {
  std::uint64_t embedded = 0;  ///< files
  std::uint64_t left_out = 0;  ///< changed since they were indexed, or refused by the endpoint
  std::string refusal;         ///< why it refused the last of them; empty: it did not
};

/// Of another model than the index has vectors of: an Error that names both, before anything is
/// sent. What drops asks for one vector first, so that nothing is dropped for an endpoint that is
/// not there. Busy: somebody else has dropped the vectors meanwhile, and this one may be outdated.
Result<EmbedReport> run_embed_pass(base::Disk& disk,
                                   const state::StateFolder& folder,
                                   const parse::Config& config,
                                   const EmbedRequest& request,
                                   WorkProgress& progress);

/// Why the last pass failed; empty: it did not. In the index, for `status`.
Result<std::string> last_embedding_error(store::Database& index);

}  // namespace daybook::service
