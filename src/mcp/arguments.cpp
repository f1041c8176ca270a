// SPDX-License-Identifier: MIT
#include "mcp/arguments.hpp"

#include <utility>

namespace daybook::mcp {

Json meant_arguments(const Json& given, const Json& schema) {
  const Json::Object* const members = given.members();
  const Json* const known = schema.find("properties");
  if (members == nullptr || known == nullptr) {
    return given;
  }
  Json meant = Json::object();
  for (const Json::Member& member : *members) {
    const Json* const property = known->find(member.name);
    if (property != nullptr && member.value.is_null()) {
      continue;
    }
    const bool is_number = member.name == "id" && member.value.integer().has_value();
    meant[member.name] = is_number ? Json(member.value.compact()) : member.value;
  }
  return meant;
}

const Json* given_cursor(const Json& params) {
  const Json* const cursor = params.find("cursor");
  const bool is_empty = cursor == nullptr || cursor->is_null() ||
                        (cursor->text() != nullptr && cursor->text()->empty());
  return is_empty ? nullptr : cursor;
}

std::string text_argument(const Json& arguments, std::string_view name) {
  return arguments.text_at(name);
}

std::int64_t number_argument(const Json& arguments, std::string_view name, std::int64_t usual) {
  const Json* argument = arguments.find(name);
  return argument == nullptr ? usual : argument->integer().value_or(usual);
}

bool has_argument(const Json& arguments, std::string_view name) {
  return arguments.find(name) != nullptr;
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
