// SPDX-License-Identifier: MIT
//
// Recall by meaning: whether the vectors are of the model that is configured, all there, and
// whether the last attempt to make some failed. No endpoint is asked.
#include "doctor/probes.hpp"

namespace daybook::doctor {
namespace {

using enum FindingSeverity;
constexpr const char* kCheck = "embeddings";

}  // namespace

void look_at_embeddings(Examination& examination) {
  if (!examination.status) {
    return;  // there is no index, or nobody could ask it
  }
  if (!examination.config.embeddings.is_set()) {
    examination.add_ok(kCheck, "no embedding model is configured; recall goes by words alone");
    return;
  }
  const service::EmbeddingStatus& found = examination.status->embeddings;
  if (!found.recorded.empty() && found.recorded != found.identity) {
    const Error other =
        index::other_vectors({found.recorded, found.dimensions}, {found.identity, 0});
    examination.add(kCheck,
                    std::string(service::degraded::kEmbeddingModel),
                    warning,
                    other.message + "; recall goes by words alone",
                    other.hint);
  } else if (!found.last_error.empty()) {
    examination.add(kCheck,
                    "embeddings-failed",
                    warning,
                    found.last_error,
                    "The service tries again by itself; 'daybook reindex' does it now.");
  } else if (found.pending > 0) {
    examination.add(kCheck,
                    "embeddings-behind",
                    info,
                    std::to_string(found.pending) + " notes are not embedded yet",
                    "The service does it, or 'daybook reindex'.");
  } else if (found.left_out > 0) {
    examination.add(kCheck,
                    "embeddings-left-out",
                    info,
                    "the embedding model refused " + amount(found.left_out, "note") +
                        ": recall finds them by words alone",
                    "Its log may say why. 'daybook reindex --full' asks it once more.");
  } else {
    examination.add_ok(kCheck, std::to_string(found.embedded) + " notes are embedded");
  }
}

}  // namespace daybook::doctor
