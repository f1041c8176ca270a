// SPDX-License-Identifier: MIT
#include "mcp/tool.hpp"

namespace daybook::mcp {

Json tool_json(const Tool& tool, bool knows_annotations, bool knows_output) {
  Json json = Json::object({{"name", tool.name}});
  if (knows_output) {
    json["title"] = tool.title;
  }
  json["description"] = tool.description;
  json["inputSchema"] = tool.input;
  if (knows_output) {
    json["outputSchema"] = tool.output;
  }
  if (knows_annotations) {
    json["annotations"] = Json::object({{"title", tool.title},
                                        {"readOnlyHint", tool.effect == Effect::reads},
                                        {"destructiveHint", tool.effect == Effect::destroys},
                                        {"idempotentHint", tool.idempotent},
                                        {"openWorldHint", false}});
  }
  return json;
}

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

std::string text_argument(const Json& arguments, std::string_view name) {
  return arguments.text_at(name);
}

std::int64_t number_argument(const Json& arguments, std::string_view name, std::int64_t usual) {
  const Json* argument = arguments.find(name);
  return argument == nullptr ? usual : argument->integer().value_or(usual);
}

bool flag_argument(const Json& arguments, std::string_view name) {
  const Json* argument = arguments.find(name);
  return argument != nullptr && argument->truth() != nullptr && *argument->truth();
}

std::vector<std::string> list_argument(const Json& arguments, std::string_view name) {
  std::vector<std::string> list;
  const Json* argument = arguments.find(name);
  if (argument != nullptr && argument->elements() != nullptr) {
    for (const Json& element : *argument->elements()) {
      list.push_back(*element.text());
    }
  }
  return list;
}

}  // namespace daybook::mcp
