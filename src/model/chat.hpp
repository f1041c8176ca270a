// SPDX-License-Identifier: MIT
//
// The JSON of a chat completion, in the form that OpenAI-compatible endpoints share: prompt -> the
// request's body; the answer's body -> what the model said. Hostile bodies are refused in linear
// time. Pure; any thread; throws nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/model/model.hpp"

#include <string>
#include <string_view>

namespace daybook::model {

/// Invalid UTF-8 in the prompt becomes U+FFFD.
std::string chat_request(const std::string& model, const Prompt& prompt);

/// ErrorKind::damaged when this is not a whole answer with text in it.
Result<std::string> chat_answer(std::string_view body);

}  // namespace daybook::model
