// SPDX-License-Identifier: MIT
//
// A JSON value to be written: null, true or false, a number, text, an array, or an object whose
// members keep their order. Written in ASCII only, so that no control character of a note reaches a
// terminal through it; bytes that are not UTF-8 become U+FFFD. To the letter what
// nlohmann::ordered_json writes, whose header takes each file that includes it seconds to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace daybook::cli {

class Json {
 public:
  struct Member;

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
  /// Json::object({{"name", value}, …}), each name once.
  static Json object(std::initializer_list<Member> members);

  /// Only to an array.
  void push_back(Json element);
  /// The member of that name, made if it is missing. Only of an object; null becomes one.
  Json& operator[](std::string_view name);

  /// On lines that are indented by two blanks a level.
  std::string pretty() const;
  /// On one line, without blanks.
  std::string compact() const;

 private:
  enum class Layout : std::uint8_t { pretty, compact };
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  void append_to(std::string& out, Layout layout, std::size_t depth) const;

  std::
      variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>
          value_;
};

struct Json::Member {
  std::string name;
  mutable Json value;  // an initializer list is const, and large arrays are moved out of it
};

}  // namespace daybook::cli
