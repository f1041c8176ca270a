// SPDX-License-Identifier: MIT
//
// A question -> its vector, from the endpoint that is configured, or why there is none: then recall
// goes by words alone. The question is sanitised before it is sent, and nothing is sent when there
// is nothing to compare it with. Takes two seconds at most, less when it is cancelled. Cannot fail.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/parse/config.hpp"
#include "daybook/recall/recall.hpp"
#include "daybook/state/state_folder.hpp"

#include <atomic>
#include <string>
#include <vector>

namespace daybook::recall {

struct VectorQuestion {
  std::vector<float> vector;       ///< empty: there is none
  index::VectorIdentity identity;  ///< of the vector
  ModeReason reason = ModeReason::not_configured;
  std::string note;  ///< for people; empty when all is as it is meant to be
};

/// None, because the index holds no vectors.
VectorQuestion nothing_embedded();
/// None, because the index holds those of another model.
VectorQuestion other_model(const index::VectorIdentity& recorded,
                           const index::VectorIdentity& wanted);

VectorQuestion vector_of_question(base::Disk& disk,
                                  const state::StateFolder& folder,
                                  const parse::Config& config,
                                  const std::string& question,
                                  const std::atomic<bool>* cancelled);

}  // namespace daybook::recall
