// SPDX-License-Identifier: MIT
#include "base/json_number.hpp"
#include "daybook/base/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace daybook::base {

/// Builds the value while nlohmann reads, and ends the reading where a bound is passed.
class JsonBuilder {
 public:
  bool null() { return put(Json()); }
  bool boolean(bool value) { return put(Json(value)); }
  bool number_integer(std::int64_t value) { return put(Json(value)); }
  bool number_unsigned(std::uint64_t value) { return put(Json(value)); }
  bool number_float(double value, const std::string& /*text*/) { return put(Json(value)); }
  bool string(std::string& value) { return put(Json(std::move(value))); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*size*/) { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) { return open(Json::array()); }
  bool key(std::string& name) {
    name_ = std::move(name);
    return true;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool end_object() {
    const bool once = names_are_unique(std::get<Json::Object>(open_.back()->value_));
    open_.pop_back();
    return once || fail("a name comes twice in an object");
  }
  bool parse_error(std::size_t offset,
                   const std::string& /*last*/,
                   const nlohmann::json::exception& /*why*/) {
    return fail("no JSON at byte " + std::to_string(offset));
  }

  Result<Json> take(bool complete) && {
    if (complete && trouble_.empty()) {
      return std::move(root_);
    }
    return Error{ErrorKind::usage, trouble_, {}, {}};
  }

 private:
  static bool names_are_unique(const Json::Object& object) {
    std::vector<std::string_view> names;
    names.reserve(object.size());
    for (const Json::Member& member : object) {
      names.push_back(member.name);
    }
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
  }

  /// Where the next value goes; null when there are too many.
  Json* place() {
    if (++values_ > Json::kMostValues) {
      fail("more than " + std::to_string(Json::kMostValues) + " values");
      return nullptr;
    }
    if (open_.empty()) {
      return &root_;
    }
    if (auto* array = std::get_if<Json::Array>(&open_.back()->value_)) {
      return &array->emplace_back();
    }
    return &std::get<Json::Object>(open_.back()->value_)
                .emplace_back(Json::Member{std::move(name_), {}})
                .value;
  }

  bool put(Json value) {
    Json* const into = place();
    if (into == nullptr) {
      return false;
    }
    *into = std::move(value);
    return true;
  }

  /// What is open stays where it is: nothing is added to its container before it is closed.
  bool open(Json container) {
    if (open_.size() == Json::kDeepest) {
      return fail("more than " + std::to_string(Json::kDeepest) + " levels");
    }
    Json* const into = place();
    if (into == nullptr) {
      return false;
    }
    *into = std::move(container);
    open_.push_back(into);
    return true;
  }

  bool fail(std::string trouble) {
    trouble_ = std::move(trouble);
    return false;
  }

  Json root_;
  std::vector<Json*> open_;
  std::string name_;
  std::string trouble_;
  std::size_t values_ = 0;
};

namespace {

constexpr std::size_t kEscape = 6;  // \uXXXX

/// The code unit of an escape that begins there; nothing when it is none.
std::optional<unsigned> code_unit(std::string_view text, std::size_t at) {
  if (at > text.size() || text.size() - at < kEscape || text[at] != '\\' || text[at + 1] != 'u') {
    return std::nullopt;
  }
  unsigned unit = 0;
  const char* const end = text.data() + at + kEscape;
  const auto read = std::from_chars(text.data() + at + 2, end, unit, 16);
  return read.ec == std::errc() && read.ptr == end ? std::optional(unit) : std::nullopt;
}

bool is_high(std::optional<unsigned> unit) { return unit && (*unit & 0xFC00U) == 0xD800U; }
bool is_low(std::optional<unsigned> unit) { return unit && (*unit & 0xFC00U) == 0xDC00U; }

/// Each half without its other half becomes \ufffd, which is as long.
std::string without_halves(std::string_view text) {
  std::string whole(text);
  for (std::size_t at = whole.find('\\'); at < whole.size(); at = whole.find('\\', at)) {
    const auto unit = code_unit(whole, at);
    if (!unit) {
      at += 2;  // what is escaped is never the beginning of another escape
    } else if (is_high(unit) && is_low(code_unit(whole, at + kEscape))) {
      at += 2 * kEscape;
    } else {
      if (is_high(unit) || is_low(unit)) {
        whole.replace(at, kEscape, "\\ufffd");
      }
      at += kEscape;
    }
  }
  return whole;
}

}  // namespace

Result<Json> Json::parse(std::string_view text, HalfCharacters halves) {
  if (halves == HalfCharacters::replaced && text.find("\\u") != std::string_view::npos) {
    return parse(without_halves(text));
  }
  JsonBuilder builder;
  try {
    const bool complete = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    return std::move(builder).take(complete);
  } catch (const nlohmann::json::exception&) {  // a number that is too large
    return Error{ErrorKind::usage, "a number that cannot be kept", {}, {}};
  }
}

/// By nlohmann itself, since its digits are not always the fewest that would do, and answers keep
/// their bytes.
std::string json_number(double number) { return nlohmann::json(number).dump(); }

}  // namespace daybook::base
