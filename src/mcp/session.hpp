// SPDX-License-Identifier: MIT
//
// One client from its first message to its last: which revision was agreed on, what may be asked
// when, and who answers it. One thread works through the messages in their order.
#pragma once

#include "mcp/json_rpc.hpp"
#include "mcp/memory.hpp"
#include "mcp/notifications.hpp"
#include "mcp/outlet.hpp"
#include "mcp/pass.hpp"
#include "mcp/request.hpp"
#include "mcp/revision.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daybook::mcp {

class Session {
 public:
  Session(const Memory& memory, Outlet& outlet)
      : memory_(memory), outlet_(outlet), notifications_(memory) {}

  /// Answers a line's messages. `requests` has one for each of them, null for what is no request.
  void take(const Incoming& incoming, const std::vector<std::shared_ptr<Request>>& requests);
  /// Tells what has changed in the vault.
  void look() { notifications_.look(outlet_); }
  /// Nothing was asked for a moment: what was kept open for the next call is closed.
  void rest() { passes_.let_go(); }

 private:
  using Answer = std::optional<std::string>;  // a line; nothing: none is due
  enum class Framing : std::uint8_t { alone, in_batch };
  enum class Subscription : std::uint8_t { begins, ends };

  Answer answer(const Message& message, Request* request, Framing framing);
  Answer answer_request(const Message& message, Request& request, Framing framing);
  std::optional<Reply> reply_to(const Message& message, Request& request, Framing framing);
  std::optional<Reply> reply_when_open(const Message& message, Request& request);
  void hear(const Message& message);
  Reply initialize(const Json& params);
  Reply subscribe(const Json& params, Subscription subscription);

  const Memory& memory_;
  Outlet& outlet_;
  Notifications notifications_;
  PassKeeper passes_;
  std::optional<Revision> revision_;  // nothing: not initialized yet
  std::vector<std::function<void()>> afterwards_;
};

}  // namespace daybook::mcp
