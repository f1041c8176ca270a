// SPDX-License-Identifier: MIT
#include "daybook/base/sha256.hpp"
#include "daybook/model/embedder.hpp"
#include "model/embedding_json.hpp"
#include "model/endpoint_request.hpp"

#include <utility>

namespace daybook::model {
namespace {

/// 256 vectors of 8192 numbers would be more; no model that is in use answers so.
constexpr std::size_t kMostVectorBytes = std::size_t{16} * 1024 * 1024;
constexpr const char* kOwnAddress = "https://api.openai.com/v1";
constexpr std::size_t kHashDigits = 8;

class EndpointEmbedder final : public Embedder {
 public:
  EndpointEmbedder(Endpoint endpoint, Wait wait, RequestPace* pace)
      : endpoint_(std::move(endpoint)), wait_(std::move(wait)), pace_(pace) {}

  Result<std::vector<Vector>> embed(std::span<const std::string> texts,
                                    const std::atomic<bool>& cancelled) override {
    if (texts.empty()) {
      return std::vector<Vector>();
    }
    if (texts.size() > kMostTextsAtOnce) {
      return Error{ErrorKind::usage,
                   "the embedding model is not asked about " + std::to_string(texts.size()) +
                       " texts at once",
                   {},
                   "256 are the most."};
    }
    const EndpointQuestion question{"/embeddings",
                                    embedding_request(endpoint_.model, texts),
                                    kMostVectorBytes,
                                    &cancelled,
                                    pace_};
    TRY_ASSIGN(const std::string body,
               ask_endpoint(endpoint_,
                            question,
                            {"embeddings", "the embedding model"},
                            wait_ ? wait_ : patient_wait(&cancelled)));
    return embedding_answer(body, texts.size());
  }

  std::string identity() const override {
    return embedder_identity(endpoint_.base_url, endpoint_.model);
  }

 private:
  Endpoint endpoint_;
  Wait wait_;
  RequestPace* pace_;
};

}  // namespace

std::unique_ptr<Embedder> endpoint_embedder(const Endpoint& endpoint,
                                            Wait wait,
                                            RequestPace* pace) {
  return std::make_unique<EndpointEmbedder>(endpoint, std::move(wait), pace);
}

std::string embedder_identity(const std::string& base_url, const std::string& model) {
  std::string address = base_url;
  while (address.ends_with('/')) {
    address.pop_back();
  }
  std::string identity = "openai:" + model;
  if (address != kOwnAddress) {
    identity += ":" + base::to_hex(base::sha256(address)).substr(0, kHashDigits);
  }
  return identity;
}

}  // namespace daybook::model
