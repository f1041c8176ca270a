// SPDX-License-Identifier: MIT
//
// A question -> what an index is asked: its telling words and, where an embedding model is
// configured, its vector, or why there is none. Made before an index is opened, because an endpoint
// may take its time and rows must not be older than the text. Any thread.
#pragma once

#include "daybook/base/disk.hpp"
#include "daybook/base/result.hpp"
#include "daybook/index/question.hpp"
#include "daybook/index/vectors.hpp"
#include "daybook/state/state_folder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::recall {

struct RecallRequest;

/// Why a question is answered by words alone.
enum class ModeReason : std::uint8_t {
  none,  ///< it is not: by vectors as well
  not_configured,
  asked_for,
  no_vectors,   ///< nothing is embedded yet
  other_model,  ///< the vectors are not of the model that is configured now
  endpoint,     ///< it did not answer, or not in time
};
std::string_view to_string(ModeReason reason);
/// "hybrid" or "lexical".
std::string_view mode_name(ModeReason reason);

/// A question as it is put to an index: its words and, if there is a model, what it means.
struct AskedQuestion {
  index::Question words;
  std::vector<float> vector;       ///< empty: there is none
  index::VectorIdentity identity;  ///< of the vector
  std::optional<ModeReason> mode_reason;
  std::string mode_note;
};

/// Asks the endpoint, which may take its time; so before an index is opened. Without a word to look
/// for nothing is asked.
Result<AskedQuestion> prepare_question(base::Disk& disk,
                                       const state::StateFolder& folder,
                                       const RecallRequest& request);

}  // namespace daybook::recall
