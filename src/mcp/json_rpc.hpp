// SPDX-License-Identifier: MIT
//
// A line -> JSON-RPC 2.0 messages, and the lines that answer them. Strict: a message that is none
// becomes its error, with the id that it has if it has one; but nothing is ever said about a wrong
// notification or response, because nobody waits for an answer to one. Pure; values; any thread.
#pragma once

#include "daybook/base/json.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace daybook::mcp {

using base::Json;

/// Codes of JSON-RPC, and those that the protocol adds.
namespace rpc {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kResourceNotFound = -32002;
/// Too much is waiting to be answered: the client may ask again.
inline constexpr int kOverloaded = -32000;
}  // namespace rpc

/// So many messages may come in one line.
inline constexpr std::size_t kMostInBatch = 100;

struct RpcError {
  int code = rpc::kInternalError;
  std::string message;
  Json data = nullptr;  ///< null: none
};

struct Message {
  enum class Kind : std::uint8_t {
    request,
    notification,
    response,  ///< to something that was asked: nothing is ever asked, so it is dropped
    wrong,     ///< `error` says why
    dropped,   ///< a notification that is wrong: `error` says why, and nobody is told
  };
  Kind kind = Kind::wrong;
  Json id;  ///< of a request a text or an integer; else null
  std::string method;
  Json params = Json::object();
  RpcError error;
};

struct Incoming {
  std::vector<Message> messages;
  bool is_batch = false;
};

Incoming read_messages(std::string_view line);

/// One line each, without its end.
std::string result_line(const Json& id, const Json& result);
std::string error_line(const Json& id, const RpcError& error);
std::string notification_line(std::string_view method, const Json& params);

}  // namespace daybook::mcp
