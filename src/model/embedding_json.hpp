// SPDX-License-Identifier: MIT
//
// The JSON of embeddings, in the form that OpenAI-compatible endpoints share: texts -> the
// request's body; the answer's body -> vectors in the order of the texts. Hostile bodies are
// refused in linear time. Pure; any thread; throws nothing.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/model/embedder.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::model {

/// Invalid UTF-8 in a text becomes U+FFFD.
std::string embedding_request(const std::string& model, std::span<const std::string> texts);

/// ErrorKind::damaged unless there is one vector for each of so many texts, each named once by its
/// index, all of one length, and of numbers that are finite and not all 0.
Result<std::vector<Vector>> embedding_answer(std::string_view body, std::size_t texts);

}  // namespace daybook::model
