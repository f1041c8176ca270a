// SPDX-License-Identifier: MIT
#include "mcp/schema_words.hpp"

#include <utility>

namespace daybook::mcp {

Json text_schema(std::string_view description, int most, int least) {
  Json schema = Json::object({{"type", "string"}, {"description", description}});
  if (least > 0) {
    schema["minLength"] = least;
  }
  schema["maxLength"] = most;
  return schema;
}

Json integer_schema(std::string_view description, std::int64_t least, std::int64_t most) {
  return Json::object(
      {{"type", "integer"}, {"description", description}, {"minimum", least}, {"maximum", most}});
}

Json flag_schema(std::string_view description) {
  return Json::object({{"type", "boolean"}, {"description", description}});
}

Json choice_schema(std::string_view description, std::span<const std::string_view> names) {
  return Json::object({{"type", "string"},
                       {"description", description},
                       {"enum", std::vector<std::string>(names.begin(), names.end())}});
}

Json list_schema(std::string_view description, Json items, int most) {
  return Json::object({{"type", "array"},
                       {"description", description},
                       {"items", std::move(items)},
                       {"maxItems", most}});
}

Json object_schema(Json properties, const std::vector<std::string>& required) {
  Json schema = Json::object({{"type", "object"}, {"properties", std::move(properties)}});
  if (!required.empty()) {
    schema["required"] = required;
  }
  schema["additionalProperties"] = false;
  return schema;
}

Json answer_schema(Json properties) {
  std::vector<std::string> names;
  for (const Json::Member& property : *properties.members()) {
    names.push_back(property.name);
  }
  return object_schema(std::move(properties), names);
}

/// Not a list of types, which is less widely understood.
Json nullable(std::string_view type) {
  return Json::object({{"anyOf", Json::array({typed(type), typed("null")})}});
}

Json typed(std::string_view type) { return Json::object({{"type", type}}); }

Json list_of(Json items) { return Json::object({{"type", "array"}, {"items", std::move(items)}}); }

void add_freshness_schema(Json& properties) {
  properties["fresh"] = nullable("boolean");
  properties["last_sweep"] = nullable("string");
  properties["generation"] = typed("integer");
}

}  // namespace daybook::mcp
