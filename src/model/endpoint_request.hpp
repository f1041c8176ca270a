// SPDX-License-Identifier: MIT
//
// One question to an OpenAI-compatible endpoint, tries and all: what to send -> the body of a good
// answer, or an Error that says why there is none, names the settings at fault and what to do.
// Neither the key nor a word of what is sent or answered gets into an Error. Any thread.
#pragma once

#include "daybook/base/result.hpp"
#include "daybook/model/model.hpp"
#include "daybook/model/request_pace.hpp"
#include "model/http_post.hpp"

#include <atomic>
#include <string>

namespace daybook::model {

/// How its settings and it itself are called in errors.
struct EndpointWords {
  std::string section;  ///< of daybook.yaml: `model`
  std::string subject;  ///< `the model`
};

struct EndpointQuestion {
  std::string method;  ///< what follows base_url: `/chat/completions`
  std::string body;    ///< JSON
  std::size_t most_answer = kMostAnswerBytes;
  const std::atomic<bool>* cancelled = nullptr;
  /// Each try waits for its turn. Told when the endpoint wants to be left alone for longer than
  /// anybody waits between two tries. Null: no limit.
  RequestPace* pace = nullptr;
};

Result<std::string> ask_endpoint(const Endpoint& endpoint,
                                 const EndpointQuestion& question,
                                 const EndpointWords& words,
                                 const Wait& wait);

/// Sleeps; in short pieces, so that `cancelled` ends it.
Wait patient_wait(const std::atomic<bool>* cancelled = nullptr);

}  // namespace daybook::model
