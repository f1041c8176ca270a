// SPDX-License-Identifier: MIT
//
// A JSON value that is read and written: answers of commands, messages of an agent's client and the
// answers to them. Read strictly and within bounds: UTF-8, each name once in an object, at most
// kDeepest levels and kMostValues values, so that a message of a megabyte cannot become one of a
// gigabyte. Written in ASCII only, so that nothing in a note can end a message or reach a terminal
// as a control character; bytes that are not UTF-8 become U+FFFD. To the letter what
// nlohmann::ordered_json writes, whose header takes each file that includes it seconds to compile.
// Members keep their order. Values; linear; any thread.
#pragma once

#include "daybook/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace daybook::base {

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  static constexpr std::size_t kDeepest = 64;
  static constexpr std::size_t kMostValues = 50'000;

  Json();  // null

  // Not explicit, so that a member can be written as {"name", value}.
  Json(std::nullptr_t);
  Json(bool truth);
  Json(int number);
  Json(unsigned number);
  Json(long number);
  Json(unsigned long number);
  Json(long long number);
  Json(unsigned long long number);
  Json(double number);  // null when it is not finite
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);
  Json(const std::vector<std::string>& texts);
  Json(const void*) = delete;  // would be true

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> elements = {});
  static Json array(Array elements);
  /// Json::object({{"name", value}, …}), each name once.
  static Json object(std::initializer_list<Member> members = {});

  /// Half of a character, as JavaScript writes it for a text that was cut in the middle of an
  /// emoji: strictly it is no JSON.
  enum class HalfCharacters : std::uint8_t { refused, replaced };

  /// usage, saying what is wrong and at which byte. Never any of the text itself.
  static Result<Json> parse(std::string_view text, HalfCharacters halves = HalfCharacters::refused);

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  const bool* truth() const { return std::get_if<bool>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const Array* elements() const { return std::get_if<Array>(&value_); }
  const Object* members() const { return std::get_if<Object>(&value_); }
  /// A number without a fraction that fits.
  std::optional<std::int64_t> integer() const;
  bool is_number() const;
  /// `null`, `a boolean`, `an integer`, `a number`, `a text`, `an array`, `an object`.
  std::string_view kind_name() const;
  /// The member of that name; null when there is none, or this is no object.
  const Json* find(std::string_view name) const;
  /// The same as text; empty when it is none.
  std::string text_at(std::string_view name) const;

  /// Only to an array.
  void push_back(Json element);
  /// The member of that name, made if it is missing. Only of an object; null becomes one.
  Json& operator[](std::string_view name);

  bool operator==(const Json& other) const;

  /// Bytes that it takes in memory, itself included.
  std::size_t memory() const;

  /// On lines that are indented by two blanks a level.
  std::string pretty() const;
  /// On one line, without blanks.
  std::string compact() const;

 private:
  friend class JsonBuilder;
  enum class Layout : std::uint8_t { pretty, compact };

  void append_to(std::string& out, Layout layout, std::size_t depth) const;

  std::
      variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>
          value_;
};

struct Json::Member {
  std::string name;
  mutable Json value;  // an initializer list is const, and large arrays are moved out of it

  bool operator==(const Member& other) const { return name == other.name && value == other.value; }
};

}  // namespace daybook::base
