// SPDX-License-Identifier: MIT
//
// The one port to a language model: prompt -> its answer as it came, or an Error that says why
// there is none and what to do. The answer is text from outside: callers sanitise and judge it. The
// prompt must be sanitised already, for it leaves this process. An Error, a name and a log line
// never hold the prompt, the answer or the key. One thread at a time for each Model; a call takes
// as long as its time limit and its tries at most, and leaves nothing behind but, where no name
// server answers, a thread that waits for one as long as the system does.
#pragma once

#include "daybook/base/result.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daybook::model {

struct Prompt {
  std::string instructions;
  std::string text;  ///< already sanitised by the caller
};

class Model {
 public:
  virtual ~Model() = default;
  virtual Result<std::string> answer(const Prompt& prompt) = 0;
  /// For people: `gpt-x at http://127.0.0.1:8080/v1`, or the command's name.
  virtual std::string name() const = 0;
};

struct Endpoint {
  std::string base_url;     ///< `http://127.0.0.1:8080/v1`; http or https
  std::string model;        ///< as the endpoint calls it
  std::string api_key_env;  ///< the variable that holds the key; empty: no key is sent
  std::chrono::milliseconds timeout{30'000};  ///< of one request, from the name to the last byte
  unsigned retries = 2;            ///< after no connection, a connection that breaks, 429 and 5xx
  std::string when_too_slow = {};  ///< what to do then; empty: raise the timeout in daybook.yaml
};

/// How the time between two tries passes; tests only note it.
using Wait = std::function<void(std::chrono::milliseconds)>;

/// OpenAI-compatible: POST {base_url}/chat/completions. Certificates are verified, redirects are
/// not followed, and an answer has at most 256 KiB. Nothing is asked before the first prompt.
std::unique_ptr<Model> endpoint_model(const Endpoint& endpoint, Wait wait = {});

struct CommandModelSpec {
  std::vector<std::string> words;
  std::chrono::milliseconds timeout{60'000};
};

/// Instructions and text on the program's standard input, the answer on its standard output, with
/// DAYBOOK_INHIBIT=1 in its environment: hooks of Daybook that it may set off do nothing then.
std::unique_ptr<Model> command_model(const CommandModelSpec& spec);

}  // namespace daybook::model
