// SPDX-License-Identifier: MIT
#include "mcp/json_rpc.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace daybook::mcp {
namespace {

using Kind = Message::Kind;

Message only(const std::string& line) {
  Incoming incoming = read_messages(line);
  REQUIRE(incoming.messages.size() == 1);
  return incoming.messages.front();
}

}  // namespace

TEST_CASE("Requests, notifications and responses are told apart") {
  const Message request = only(R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}})");
  CHECK(request.kind == Kind::request);
  CHECK(request.id == Json("a"));
  CHECK(request.method == "m");
  CHECK(request.params == *Json::parse(R"({"x":1})"));
  CHECK(only(R"({"jsonrpc":"2.0","method":"m"})").kind == Kind::notification);
  CHECK(only(R"({"jsonrpc":"2.0","id":7,"result":{}})").kind == Kind::response);
  CHECK(only(R"({"jsonrpc":"2.0","id":7,"error":{}})").kind == Kind::response);
}

TEST_CASE("A message that is none becomes its error, with its id if it has one") {
  struct Case {
    std::string line;
    int code;
    std::string id;
  };
  for (const Case& one : std::vector<Case>{
           {"nonsense", rpc::kParseError, "null"},
           {"{\"jsonrpc\":\"2.0\",", rpc::kParseError, "null"},
           {"1", rpc::kInvalidRequest, "null"},
           {"\"text\"", rpc::kInvalidRequest, "null"},
           {"{}", rpc::kInvalidRequest, "null"},
           {R"({"jsonrpc":"1.0","id":3,"method":"m"})", rpc::kInvalidRequest, "3"},
           {R"({"id":3,"method":"m"})", rpc::kInvalidRequest, "3"},
           {R"({"jsonrpc":"2.0","id":null,"method":"m"})", rpc::kInvalidRequest, "null"},
           {R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", rpc::kInvalidRequest, "null"},
           {R"({"jsonrpc":"2.0","id":[1],"method":"m"})", rpc::kInvalidRequest, "null"},
           {R"({"jsonrpc":"2.0","id":3})", rpc::kInvalidRequest, "3"},
           {R"({"jsonrpc":"2.0","id":3,"method":5})", rpc::kInvalidRequest, "3"},
           {R"({"jsonrpc":"2.0","id":3,"method":"m","params":[1]})", rpc::kInvalidParams, "3"},
           {R"({"jsonrpc":"2.0","method":5})", rpc::kInvalidRequest, "null"},
           {R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"m"})",
            rpc::kInvalidRequest,
            "null"},
           {"[]", rpc::kInvalidRequest, "null"}}) {
    INFO(one.line);
    const Message message = only(one.line);
    CHECK(message.kind == Kind::wrong);
    CHECK(message.error.code == one.code);
    CHECK(message.id.compact() == one.id);
  }
}

TEST_CASE("Nothing is said about a notification or a response, whatever is wrong with it") {
  for (const char* line : {R"({"jsonrpc":"2.0","method":"m","params":[1]})",
                           R"({"jsonrpc":"2.0","method":"m","params":"x"})",
                           R"({"jsonrpc":"1.0","method":"m"})",
                           R"({"method":"m"})"}) {
    INFO(line);
    const Message message = only(line);
    CHECK(message.kind == Kind::dropped);
    CHECK_FALSE(message.error.message.empty());
  }
  for (const char* line : {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})",
                           R"({"jsonrpc":"2.0","error":{}})",
                           R"({"id":1.5,"result":{}})"}) {
    INFO(line);
    CHECK(only(line).kind == Kind::response);
  }
}

TEST_CASE("Parameters that are null are none") {
  const Message request = only(R"({"jsonrpc":"2.0","id":3,"method":"m","params":null})");
  CHECK(request.kind == Kind::request);
  CHECK(request.params == Json::object());
  CHECK(only(R"({"jsonrpc":"2.0","method":"m","params":null})").kind == Kind::notification);
}

TEST_CASE("Half of a character, as JavaScript writes a text that was cut, loses no request") {
  const Message request = only(
      R"({"jsonrpc":"2.0","id":"\ud83d","method":"m","params":{"x":"cut \ud83d","y":"\udc00"}})");
  CHECK(request.kind == Kind::request);
  CHECK(request.id == Json("\xEF\xBF\xBD"));
  CHECK(request.params.text_at("x") == "cut \xEF\xBF\xBD");
  CHECK(request.params.text_at("y") == "\xEF\xBF\xBD");
  const Message whole =
      only(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"\ud83d\ude00 \\ud83d"}})");
  CHECK(whole.params.text_at("x") == "\xF0\x9F\x98\x80 \\ud83d");
}

TEST_CASE("Whoever waits for an answer gets the error of a line that cannot be kept") {
  const auto id_of = [](const std::string& line) {
    const Message message = only(line);
    CHECK(message.kind == Kind::wrong);
    CHECK(message.error.code == rpc::kParseError);
    return message.id.compact();
  };
  CHECK(id_of(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1,"a":2}})") == "7");
  CHECK(id_of(R"({"method":"m","params":{"id":5,"a":)" + std::string(100, '[') +
              std::string(100, ']') + R"(},"id" : "x\"y" })") == R"("x\"y")");
  CHECK(id_of(R"({"jsonrpc":"2.0","id":-8,"method":"m)") == "-8");
  // What is no id of a request, or not the only one, is not taken for it.
  CHECK(id_of(R"({"id":1,"id":2,"method":"m"})") == "null");
  CHECK(id_of(R"({"params":{"id":1},"method":"id","x":})") == "null");
  CHECK(id_of(R"([{"id":1},])") == "null");
  CHECK(id_of("{\"id\":") == "null");
  CHECK(id_of("{\"id") == "null");
}

TEST_CASE("A batch is bounded, and each of its messages is judged by itself") {
  const Incoming batch =
      read_messages(R"([{"jsonrpc":"2.0","id":1,"method":"a"},5,{"jsonrpc":"2.0","method":"b"}])");
  CHECK(batch.is_batch);
  REQUIRE(batch.messages.size() == 3);
  CHECK(batch.messages[0].kind == Kind::request);
  CHECK(batch.messages[1].kind == Kind::wrong);
  CHECK(batch.messages[2].kind == Kind::notification);

  std::string many = "[1";
  for (std::size_t i = 0; i < kMostInBatch; ++i) {
    many.append(",1");
  }
  CHECK(only(many + "]").error.code == rpc::kInvalidRequest);
}

TEST_CASE("Answers are one line each, whatever is in them") {
  const std::string line = result_line(Json(1), Json::object({{"text", "a\nb\r\xE2\x80\xA8"}}));
  CHECK(line == R"({"jsonrpc":"2.0","id":1,"result":{"text":"a\nb\r\u2028"}})");
  CHECK(error_line(nullptr, {-1, "no", nullptr}) ==
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}})");
  CHECK(notification_line("n", nullptr) == R"({"jsonrpc":"2.0","method":"n"})");
}

}  // namespace daybook::mcp
