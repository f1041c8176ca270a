// SPDX-License-Identifier: MIT
//
// What a client of the MCP server sends. However the bytes are cut into pieces, the same lines come
// out and none is kept that is too long; each line is messages or errors, within bounds; a request
// has an id; what is answered is one line of ASCII that is read again as the same value; arguments
// are judged in few words without control characters.
#include "mcp/json_rpc.hpp"
#include "mcp/line_reader.hpp"
#include "mcp/schema.hpp"
#include "require.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using daybook::fuzz::require;
using namespace daybook::mcp;

constexpr std::size_t kLongest = 300;
constexpr std::size_t kMostFaultText = 8000;

std::vector<std::string> lines_of(std::string_view bytes, std::size_t piece) {
  LineReader reader(kLongest);
  std::vector<std::string> lines;
  const auto take = [&lines](const LineReader::Line& line) {
    require(line.text.size() <= kLongest, "no line is longer than the longest");
    require(line.text.find('\n') == std::string_view::npos, "a line holds no end of a line");
    lines.push_back(line.too_long ? std::string("\n") : std::string(line.text));
  };
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(bytes.substr(at, piece), take);
  }
  reader.finish(take);
  return lines;
}

bool is_plain(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

void require_line(const std::string& line) {
  require(is_plain(line), "an answer is one line of ASCII");
  require(Json::parse(line).ok(), "an answer is JSON");
}

const Json& schema() {
  static const Json made = *Json::parse(
      R"({"type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":20},)"
      R"("n":{"type":"integer","minimum":1,"maximum":5},"yes":{"type":"boolean"},)"
      R"("kinds":{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":2}},)"
      R"("required":["query"],"additionalProperties":false})");
  return made;
}

void try_message(const Message& message) {
  const bool is_request = message.kind == Message::Kind::request;
  require(!is_request || !message.id.is_null(), "a request has an id");
  require(message.params.members() != nullptr, "params are an object");
  require_line(error_line(message.id, {rpc::kInternalError, message.method, message.params}));
  const std::string faults = faults_of(message.params, schema());
  require(
      is_plain(faults) ||
          std::none_of(faults.begin(),
                       faults.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }),
      "faults hold no control characters");
  require(faults.size() < kMostFaultText, "faults are told in few words");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = lines_of(bytes, std::max<std::size_t>(size, 1));
  require(lines_of(bytes, 1) == whole && lines_of(bytes, 7) == whole,
          "pieces give what the whole gives");
  if (const auto json = Json::parse(bytes)) {
    const std::string written = json->compact();
    require(is_plain(written), "what is written is ASCII");
    const auto again = Json::parse(written);
    require(again && *again == *json, "what is written is read as the same");
  }
  for (const std::string& line : whole) {
    const Incoming incoming = read_messages(line);
    require(!incoming.messages.empty() && incoming.messages.size() <= kMostInBatch,
            "a line is some messages");
    for (const Message& message : incoming.messages) {
      try_message(message);
    }
  }
  return 0;
}
