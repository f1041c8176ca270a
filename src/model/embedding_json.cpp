// SPDX-License-Identifier: MIT
#include "model/embedding_json.hpp"

#include "model/json_depth.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace daybook::model {
namespace {

using nlohmann::json;

Error not_understood(std::string why) {
  return {ErrorKind::damaged,
          "the answer of the embedding model " + std::move(why),
          {},
          "embeddings.base_url must be that of an OpenAI-compatible endpoint, up to and with its "
          "/v1, and embeddings.model a model for embeddings."};
}

const json* member(const json& of, const char* name) {
  if (!of.is_object()) {
    return nullptr;
  }
  const auto found = of.find(name);
  return found == of.end() ? nullptr : &*found;
}

Result<Vector> vector_of(const json& numbers) {
  if (!numbers.is_array() || numbers.empty() || numbers.size() > kMostDimensions) {
    return not_understood("holds a vector that is none, or has more than 8192 numbers");
  }
  Vector vector;
  vector.reserve(numbers.size());
  double sum = 0;
  for (const json& number : numbers) {
    const float value = number.is_number() ? number.get<float>() : NAN;
    if (!std::isfinite(value)) {
      return not_understood("holds a vector with something else than finite numbers");
    }
    sum += static_cast<double>(value) * value;
    vector.push_back(value);
  }
  if (!(sum > 0)) {
    return not_understood("holds a vector of zeros");
  }
  return vector;
}

Result<std::vector<Vector>> vectors_of(const json& data, std::size_t texts) {
  std::vector<Vector> vectors(texts);
  for (const json& item : data) {
    const json* const index = member(item, "index");
    const json* const numbers = member(item, "embedding");
    if (index == nullptr || !index->is_number_unsigned() || index->get<std::uint64_t>() >= texts ||
        numbers == nullptr) {
      return not_understood("does not say which text a vector is of");
    }
    Vector& place = vectors[index->get<std::size_t>()];
    if (!place.empty()) {
      return not_understood("holds two vectors of the same text");
    }
    TRY_ASSIGN(place, vector_of(*numbers));
    if (place.size() != vectors.front().size() && !vectors.front().empty()) {
      return not_understood("holds vectors of several lengths");
    }
  }
  for (const Vector& vector : vectors) {
    if (vector.size() != vectors.front().size()) {
      return not_understood("holds vectors of several lengths");
    }
  }
  return vectors;
}

}  // namespace

std::string embedding_request(const std::string& model, std::span<const std::string> texts) {
  json input = json::array();
  for (const std::string& text : texts) {
    input.push_back(text);
  }
  const json body{{"model", model}, {"input", std::move(input)}, {"encoding_format", "float"}};
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<std::vector<Vector>> embedding_answer(std::string_view body, std::size_t texts) {
  if (is_too_deep(body)) {
    return not_understood("is nested too deeply");
  }
  const json whole = json::parse(body, nullptr, false);
  if (whole.is_discarded()) {
    return not_understood("is not JSON");
  }
  const json* const data = member(whole, "data");
  if (data == nullptr || !data->is_array() || data->size() != texts) {
    return not_understood("does not hold one vector for each of " + std::to_string(texts) +
                          " texts");
  }
  return vectors_of(*data, texts);
}

}  // namespace daybook::model
