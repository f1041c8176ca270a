// SPDX-License-Identifier: MIT
#include "cli/json.hpp"

#include "daybook/base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace daybook::cli {
namespace {

bool is_plain(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte >= 0x20 && byte < 0x7F && letter != '"' && letter != '\\';
}

void append_escape(std::string& out, std::uint32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out.append({'\\',
              'u',
              kHex[unit >> 12U & 15U],
              kHex[unit >> 8U & 15U],
              kHex[unit >> 4U & 15U],
              kHex[unit & 15U]});
}

void append_escaped(std::string& out, char32_t character) {
  constexpr std::string_view kNamed = "\b\t\n\f\r\"\\";
  constexpr std::string_view kNames = "btnfr\"\\";
  const std::size_t named =
      character < 0x80 ? kNamed.find(static_cast<char>(character)) : std::string_view::npos;
  if (named != std::string_view::npos) {
    out.append({'\\', kNames[named]});
  } else if (character < 0x10000) {
    append_escape(out, character);
  } else {  // a surrogate pair
    append_escape(out, 0xD7C0U + (character >> 10U));
    append_escape(out, 0xDC00U + (character & 0x3FFU));
  }
}

/// How many bytes begin a character that is broken: one U+FFFD stands for all of them.
std::size_t broken_bytes(std::string_view text) {
  base::Utf8Validator validator;
  std::size_t count = 0;
  while (count < text.size() && validator.feed(text.substr(count, 1))) {
    ++count;
  }
  return std::max<std::size_t>(count, 1);
}

void append_quoted(std::string& out, std::string_view text) {
  out.push_back('"');
  while (!text.empty()) {
    const auto* const special = std::find_if_not(text.begin(), text.end(), is_plain);
    out.append(text.begin(), special);
    text.remove_prefix(static_cast<std::size_t>(special - text.begin()));
    if (text.empty()) {
      break;
    }
    const auto [character, size] = base::decode_utf8(text, 0);
    append_escaped(out, character);
    const bool is_broken = character == U'\uFFFD' && size == 1;
    text.remove_prefix(is_broken ? broken_bytes(text) : size);
  }
  out.push_back('"');
}

/// By nlohmann itself, since its digits are not always the fewest that would do, and answers keep
/// their bytes.
std::string double_text(double number) { return nlohmann::json(number).dump(); }

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

Json Json::array(std::initializer_list<Json> elements) {
  Json made;
  made.value_ = Array(elements);
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

void Json::push_back(Json element) {
  auto* array = std::get_if<Array>(&value_);
  if (array == nullptr) {
    std::abort();
  }
  array->push_back(std::move(element));
}

Json& Json::operator[](std::string_view name) {
  if (std::holds_alternative<std::nullptr_t>(value_)) {
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
      append_quoted(out, member.name);
      out.append(pretty ? ": " : ":");
      member.value.append_to(out, layout, depth + 1);
    });
    out.push_back('}');
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    append_quoted(out, *text);
  } else if (const auto* truth = std::get_if<bool>(&value_)) {
    out.append(*truth ? "true" : "false");
  } else if (const auto* integer = std::get_if<std::int64_t>(&value_)) {
    out.append(std::to_string(*integer));
  } else if (const auto* natural = std::get_if<std::uint64_t>(&value_)) {
    out.append(std::to_string(*natural));
  } else if (const auto* real = std::get_if<double>(&value_)) {
    out.append(double_text(*real));
  } else {
    out.append("null");
  }
}

}  // namespace daybook::cli
