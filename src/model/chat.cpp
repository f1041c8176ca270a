// SPDX-License-Identifier: MIT
#include "model/chat.hpp"

#include "model/json_depth.hpp"

#include <nlohmann/json.hpp>

namespace daybook::model {
namespace {

using nlohmann::json;

Error not_understood(std::string why) {
  return {ErrorKind::damaged,
          "the model's answer " + std::move(why),
          {},
          "model.base_url must be that of an OpenAI-compatible endpoint, up to and with its /v1."};
}

/// The member, or null.
const json& member(const json& of, const char* name) {
  static const json kNone;
  const auto found = of.is_object() ? of.find(name) : of.end();
  return of.is_object() && found != of.end() ? *found : kNone;
}

Result<std::string> text_of(const json& whole) {
  const json& choices = member(whole, "choices");
  if (!choices.is_array() || choices.empty()) {
    return not_understood("holds no choices");
  }
  const json& content = member(member(choices.front(), "message"), "content");
  if (!content.is_string()) {
    return not_understood("holds no message text");
  }
  if (member(choices.front(), "finish_reason") == "length") {
    return Error{ErrorKind::damaged,
                 "the model's answer was cut off at its own limit of tokens",
                 {},
                 "Let the endpoint answer with more tokens, or choose a model that thinks less."};
  }
  return content.get<std::string>();
}

}  // namespace

std::string chat_request(const std::string& model, const Prompt& prompt) {
  // No temperature and no limit of tokens: some models refuse either. The answer is judged anyway.
  const json body{{"model", model},
                  {"stream", false},
                  {"messages",
                   {{{"role", "system"}, {"content", prompt.instructions}},
                    {{"role", "user"}, {"content", prompt.text}}}}};
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<std::string> chat_answer(std::string_view body) {
  if (is_too_deep(body)) {
    return not_understood("is nested too deeply");
  }
  const json whole = json::parse(body, nullptr, false);
  if (whole.is_discarded()) {
    return not_understood("is not JSON");
  }
  return text_of(whole);
}

}  // namespace daybook::model
