// SPDX-License-Identifier: MIT
//
// What an endpoint for embeddings, or whoever answers in its place, sends. Either there is one
// vector for each text, all of one length and of finite numbers that are not all 0, or there are
// none and a reason. Vectors that are written as an answer are read as the same.
#include "model/embedding_json.hpp"
#include "require.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

namespace model = daybook::model;
using daybook::fuzz::require;
using nlohmann::json;

void require_whole(const std::vector<model::Vector>& vectors, std::size_t texts) {
  require(vectors.size() == texts, "there is one vector for each text");
  json data = json::array();
  std::size_t index = 0;
  for (const model::Vector& vector : vectors) {
    require(vector.size() == vectors.front().size(), "all are of one length");
    require(!vector.empty() && vector.size() <= model::kMostDimensions, "of a length in bounds");
    require(std::all_of(vector.begin(), vector.end(), [](float x) { return std::isfinite(x); }),
            "all numbers are finite");
    require(std::any_of(vector.begin(), vector.end(), [](float x) { return x != 0; }),
            "not all numbers are 0");
    data.push_back({{"index", index++}, {"embedding", vector}});
  }
  std::reverse(data.begin(), data.end());
  const auto again = model::embedding_answer(json{{"data", data}}.dump(), texts);
  require(again.ok() && *again == vectors, "what is written is read as the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::size_t texts = 1 + bytes[0] % 3U;
  const std::string_view body(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const auto answer = model::embedding_answer(body, texts);
  if (answer.ok()) {
    require_whole(*answer, texts);
  } else {
    require(!answer.error().message.empty(), "a refusal has a reason");
  }
  return 0;
}
