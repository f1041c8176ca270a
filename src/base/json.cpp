// SPDX-License-Identifier: MIT
#include "daybook/base/json.hpp"

#include "base/json_number.hpp"
#include "daybook/base/json_string.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace daybook::base {
namespace {

/// What a text takes besides itself; a short one nothing.
std::size_t outside(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
}

}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(bool truth) : value_(truth) {}
Json::Json(int number) : value_(static_cast<std::int64_t>(number)) {}
Json::Json(unsigned number) : value_(static_cast<std::uint64_t>(number)) {}
Json::Json(long number) : value_(static_cast<std::int64_t>(number)) {}
Json::Json(unsigned long number) : value_(static_cast<std::uint64_t>(number)) {}
Json::Json(long long number) : value_(static_cast<std::int64_t>(number)) {}
Json::Json(unsigned long long number) : value_(static_cast<std::uint64_t>(number)) {}
Json::Json(double number) : value_(number) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(const std::vector<std::string>& texts) : value_(Array(texts.begin(), texts.end())) {}

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::array(std::initializer_list<Json> elements) { return array(Array(elements)); }

Json Json::array(Array elements) {
  Json made;
  made.value_ = std::move(elements);
  return made;
}

Json Json::object(std::initializer_list<Member> members) {
  Object object;
  object.reserve(members.size());
  for (const Member& member : members) {
    object.push_back({member.name, std::move(member.value)});
  }
  Json made;
  made.value_ = std::move(object);
  return made;
}

std::optional<std::int64_t> Json::integer() const {
  if (const auto* number = std::get_if<std::int64_t>(&value_)) {
    return *number;
  }
  if (const auto* number = std::get_if<std::uint64_t>(&value_)) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return *number <= kMost ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
  }
  constexpr double kExact = 9'007'199'254'740'992.0;
  const auto* number = std::get_if<double>(&value_);  // 5.0 is an integer of JSON Schema
  if (number != nullptr && std::abs(*number) <= kExact && std::trunc(*number) == *number) {
    return static_cast<std::int64_t>(*number);
  }
  return std::nullopt;
}

bool Json::is_number() const {
  return std::holds_alternative<std::int64_t>(value_) ||
         std::holds_alternative<std::uint64_t>(value_) || std::holds_alternative<double>(value_);
}

std::string_view Json::kind_name() const {
  constexpr std::array<std::string_view, 8> kNames{"null",
                                                   "a boolean",
                                                   "an integer",
                                                   "an integer",
                                                   "a number",
                                                   "a text",
                                                   "an array",
                                                   "an object"};
  return kNames.at(value_.index());
}

const Json* Json::find(std::string_view name) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) {
    return nullptr;
  }
  const auto found = std::find_if(
      object->begin(), object->end(), [name](const Member& member) { return member.name == name; });
  return found == object->end() ? nullptr : &found->value;
}

std::string Json::text_at(std::string_view name) const {
  const Json* member = find(name);
  const std::string* text = member == nullptr ? nullptr : member->text();
  return text == nullptr ? std::string() : *text;
}

void Json::push_back(Json element) {
  auto* array = std::get_if<Array>(&value_);
  if (array == nullptr) {
    std::abort();
  }
  array->push_back(std::move(element));
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) {
    value_ = Object();
  }
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) {
    std::abort();
  }
  const auto found = std::find_if(
      object->begin(), object->end(), [name](const Member& member) { return member.name == name; });
  return found != object->end() ? found->value
                                : object->emplace_back(Member{std::string(name), {}}).value;
}

bool Json::operator==(const Json& other) const {
  if (is_number() && other.is_number()) {
    const auto one = integer();
    const auto two = other.integer();
    return one || two ? one == two : value_ == other.value_;
  }
  return value_ == other.value_;
}

std::size_t Json::memory() const {
  std::size_t bytes = sizeof(Json);
  if (const auto* text = std::get_if<std::string>(&value_)) {
    bytes += outside(*text);
  } else if (const auto* array = std::get_if<Array>(&value_)) {
    bytes += (array->capacity() - array->size()) * sizeof(Json);
    for (const Json& element : *array) {
      bytes += element.memory();
    }
  } else if (const auto* object = std::get_if<Object>(&value_)) {
    bytes += object->capacity() * sizeof(Member) - object->size() * sizeof(Json);
    for (const Member& member : *object) {
      bytes += outside(member.name) + member.value.memory();
    }
  }
  return bytes;
}

std::string Json::pretty() const {
  std::string out;
  append_to(out, Layout::pretty, 0);
  return out;
}

std::string Json::compact() const {
  std::string out;
  append_to(out, Layout::compact, 0);
  return out;
}

void Json::append_to(std::string& out, Layout layout, std::size_t depth) const {
  const bool pretty = layout == Layout::pretty;
  const auto begin_line = [&out, pretty](std::size_t level) {
    if (pretty) {
      out.append("\n").append(2 * level, ' ');
    }
  };
  const auto append_items = [&](const auto& items, const auto& append_item) {
    std::string_view separator;
    for (const auto& item : items) {
      out.append(separator);
      begin_line(depth + 1);
      append_item(item);
      separator = ",";
    }
    if (!items.empty()) {
      begin_line(depth);
    }
  };
  if (const auto* array = std::get_if<Array>(&value_)) {
    out.push_back('[');
    append_items(*array, [&](const Json& element) { element.append_to(out, layout, depth + 1); });
    out.push_back(']');
  } else if (const auto* object = std::get_if<Object>(&value_)) {
    out.push_back('{');
    append_items(*object, [&](const Member& member) {
      append_json_string(out, member.name);
      out.append(pretty ? ": " : ":");
      member.value.append_to(out, layout, depth + 1);
    });
    out.push_back('}');
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    append_json_string(out, *text);
  } else if (const auto* truth = std::get_if<bool>(&value_)) {
    out.append(*truth ? "true" : "false");
  } else if (const auto* integer = std::get_if<std::int64_t>(&value_)) {
    out.append(std::to_string(*integer));
  } else if (const auto* natural = std::get_if<std::uint64_t>(&value_)) {
    out.append(std::to_string(*natural));
  } else if (const auto* real = std::get_if<double>(&value_)) {
    out.append(json_number(*real));
  } else {
    out.append("null");
  }
}

}  // namespace daybook::base
