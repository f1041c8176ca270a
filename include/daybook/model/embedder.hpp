// SPDX-License-Identifier: MIT
//
// The one port to a model that turns texts into vectors: what is alike in meaning lies near. The
// texts must be sanitised already, for they leave this process. Vectors come from outside: they are
// as many as the texts, in their order, finite and all of one length, or there are none. An Error,
// a name and a log line never hold a text or the key. One thread at a time for each Embedder; a
// call takes as long as its time limit and its tries at most, ends soon when it is cancelled, and
// leaves nothing behind.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/model/model.hpp"
#include "daybook/model/request_pace.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace daybook::model {

using Vector = std::vector<float>;

inline constexpr std::size_t kMostDimensions = 8192;
inline constexpr std::size_t kMostTextsAtOnce = 256;

class Embedder {
 public:
  virtual ~Embedder() = default;
  /// One vector a text; more than kMostTextsAtOnce are refused, and nothing is sent.
  virtual Result<std::vector<Vector>> embed(std::span<const std::string> texts,
                                            const std::atomic<bool>& cancelled) = 0;
  /// Vectors of equal identity can be compared: `openai:MODEL`, and `:` with the first 8 hex digits
  /// of the SHA-256 of the address where it is not the provider's own.
  virtual std::string identity() const = 0;
};

/// OpenAI-compatible: POST {base_url}/embeddings, as endpoint_model() otherwise. `pace` must
/// outlive it; null: as fast as it answers.
std::unique_ptr<Embedder> endpoint_embedder(const Endpoint& endpoint,
                                            Wait wait = {},
                                            RequestPace* pace = nullptr);

/// Of the embedder that endpoint_embedder() would make.
std::string embedder_identity(const std::string& base_url, const std::string& model);

}  // namespace daybook::model
