// SPDX-License-Identifier: MIT
#include "mcp/json_rpc.hpp"

#include "mcp/id_search.hpp"

#include <utility>

namespace daybook::mcp {
namespace {

Message wrong(Json id, int code, std::string why) {
  Message message;
  message.id = std::move(id);
  message.error = {code, std::move(why), nullptr};
  return message;
}

bool is_response(const Json& json) {
  return json.find("method") == nullptr &&
         (json.find("result") != nullptr || json.find("error") != nullptr);
}

Message read_object(Json&& json) {
  const Json* const id = json.find("id");
  const Json known = id != nullptr && is_id(*id) ? *id : Json();
  if (json.text_at("jsonrpc") != "2.0") {
    return wrong(known, rpc::kInvalidRequest, "\"jsonrpc\" must be \"2.0\"");
  }
  if (id != nullptr && known.is_null()) {
    return wrong(nullptr,
                 rpc::kInvalidRequest,
                 id->is_number()
                     ? std::string("\"id\" must be a whole number of 64 bits with sign")
                     : "\"id\" must be a text or an integer, not " + std::string(id->kind_name()));
  }
  const Json* const method = json.find("method");
  if (method == nullptr || method->text() == nullptr) {
    return wrong(known,
                 rpc::kInvalidRequest,
                 method == nullptr ? "there is no \"method\"" : "\"method\" must be a text");
  }
  Message message;
  message.id = known;
  message.method = *method->text();
  const Json* const params = json.find("params");
  if (params != nullptr && !params->is_null()) {
    if (params->members() == nullptr) {
      return wrong(known,
                   rpc::kInvalidParams,
                   "\"params\" must be an object, not " + std::string(params->kind_name()));
    }
    message.params = std::move(json["params"]);
  }
  message.kind = id == nullptr ? Message::Kind::notification : Message::Kind::request;
  return message;
}

Message read_message(Json&& json) {
  if (json.members() == nullptr) {
    return wrong(nullptr,
                 rpc::kInvalidRequest,
                 "a message is an object, not " + std::string(json.kind_name()));
  }
  if (is_response(json)) {
    Message message;
    message.kind = Message::Kind::response;
    return message;
  }
  const Json* const method = json.find("method");
  const bool notifies =
      json.find("id") == nullptr && method != nullptr && method->text() != nullptr;
  Message message = read_object(std::move(json));
  if (notifies && message.kind == Message::Kind::wrong) {
    message.kind = Message::Kind::dropped;
  }
  return message;
}

Json envelope(const Json& id) { return Json::object({{"jsonrpc", "2.0"}, {"id", id}}); }

}  // namespace

Incoming read_messages(std::string_view line) {
  Incoming incoming;
  auto json = Json::parse(line, Json::HalfCharacters::replaced);
  if (!json) {
    incoming.messages.push_back(wrong(
        id_in(line), rpc::kParseError, "the line is not one JSON value: " + json.error().message));
    return incoming;
  }
  const Json::Array* const batch = json->elements();
  if (batch == nullptr) {
    incoming.messages.push_back(read_message(std::move(*json)));
    return incoming;
  }
  if (batch->empty() || batch->size() > kMostInBatch) {
    incoming.messages.push_back(
        wrong(nullptr,
              rpc::kInvalidRequest,
              batch->empty() ? "an empty batch"
                             : "a batch of more than " + std::to_string(kMostInBatch)));
    return incoming;
  }
  incoming.is_batch = true;
  for (const Json& one : *batch) {
    incoming.messages.push_back(read_message(Json(one)));
  }
  return incoming;
}

std::string result_line(const Json& id, const Json& result) {
  Json answer = envelope(id);
  answer["result"] = result;
  return answer.compact();
}

std::string error_line(const Json& id, const RpcError& error) {
  Json answer = envelope(id);
  answer["error"] = Json::object({{"code", error.code}, {"message", error.message}});
  if (!error.data.is_null()) {
    answer["error"]["data"] = error.data;
  }
  return answer.compact();
}

std::string notification_line(std::string_view method, const Json& params) {
  Json line = Json::object({{"jsonrpc", "2.0"}, {"method", method}});
  if (!params.is_null()) {
    line["params"] = params;
  }
  return line.compact();
}

}  // namespace daybook::mcp
