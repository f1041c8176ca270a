// SPDX-License-Identifier: MIT
#include "daybook/model/model.hpp"
#include "model/chat.hpp"
#include "model/endpoint_request.hpp"

#include <utility>

namespace daybook::model {
namespace {

class EndpointModel final : public Model {
 public:
  EndpointModel(Endpoint endpoint, Wait wait)
      : endpoint_(std::move(endpoint)), wait_(std::move(wait)) {}

  Result<std::string> answer(const Prompt& prompt) override {
    TRY_ASSIGN(const std::string body,
               ask_endpoint(endpoint_,
                            {"/chat/completions", chat_request(endpoint_.model, prompt)},
                            {"model", "the model"},
                            wait_));
    return chat_answer(body);
  }

  std::string name() const override { return endpoint_.model + " at " + endpoint_.base_url; }

 private:
  Endpoint endpoint_;
  Wait wait_;
};

}  // namespace

std::unique_ptr<Model> endpoint_model(const Endpoint& endpoint, Wait wait) {
  return std::make_unique<EndpointModel>(endpoint, wait ? std::move(wait) : patient_wait());
}

}  // namespace daybook::model
