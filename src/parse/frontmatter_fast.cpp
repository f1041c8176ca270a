// SPDX-License-Identifier: MIT
//
// The machine-written form, one field a line:
//
//   key: "json string"          key:                     key: ["a", b]
//   key: bare-word                - "json string"        key: []
//   key: null                     - bare-word            key:
//
// Only what yaml-cpp reads in exactly the same way is recognised; at the first doubt the whole text
// goes to yaml-cpp. tests/parse and fuzz/ compare the two.
#include "daybook/parse/frontmatter.hpp"

#include <array>

namespace daybook::parse {
namespace {

constexpr std::size_t kLongestKey = 128;  // yaml-cpp gives up on keys over 1,024

enum class Class : std::uint8_t { other, word, word_inside };

/// Characters of keys and bare words. `:` is allowed inside a value because no blank can follow.
constexpr std::array<Class, 256> kClasses = [] {
  std::array<Class, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    const bool alnum = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (alnum || c == '_') {
      classes[static_cast<std::size_t>(c)] = Class::word;
    } else if (c == '.' || c == '/' || c == '+' || c == '-') {
      classes[static_cast<std::size_t>(c)] = Class::word_inside;
    }
  }
  return classes;
}();

Class class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

bool is_null_word(std::string_view word) {
  return word == "null" || word == "Null" || word == "NULL";
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void append_utf8(std::string& out, unsigned code_point) {
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xC0U | (code_point >> 6U)));
    out.push_back(static_cast<char>(0x80U | (code_point & 0x3FU)));
  } else {
    out.push_back(static_cast<char>(0xE0U | (code_point >> 12U)));
    out.push_back(static_cast<char>(0x80U | ((code_point >> 6U) & 0x3FU)));
    out.push_back(static_cast<char>(0x80U | (code_point & 0x3FU)));
  }
}

enum class Context : std::uint8_t { block, flow };

class FastReader {
 public:
  FastReader(std::string_view yaml, Frontmatter& out) : rest_(yaml), out_(out) {}

  bool read() {
    while (!rest_.empty()) {
      if (!read_field()) {
        return false;
      }
    }
    return !out_.fields().empty();  // an empty mapping is not this reader's business
  }

 private:
  bool read_field() {
    const std::uint32_t line = line_;
    std::string_view key;
    if (!take_key(key)) {
      return false;
    }
    if (at_line_end()) {
      next_line();
      return read_block_list(key, line);
    }
    if (rest_.front() != ' ') {
      return false;
    }
    skip_blanks();
    if (at_line_end()) {  // `key:` followed by blanks
      next_line();
      return read_block_list(key, line);
    }
    if (rest_.front() == '[') {
      return read_flow_list(key, line) && end_line();
    }
    Scalar value;
    if (!take_scalar(value, Context::block) || !end_line()) {
      return false;
    }
    out_.add_scalar(key, line, value);
    return true;
  }

  bool take_key(std::string_view& key) {
    std::size_t size = 0;
    while (size < rest_.size() && class_of(rest_[size]) == Class::word) {
      ++size;
    }
    if (size == 0 || size > kLongestKey || size >= rest_.size() || rest_[size] != ':') {
      return false;
    }
    key = rest_.substr(0, size);
    rest_.remove_prefix(size + 1);
    return !is_null_word(key);
  }

  /// After `key:` alone on its line: `- item` lines of one indentation, or nothing for null.
  bool read_block_list(std::string_view key, std::uint32_t line) {
    std::size_t indent = 0;
    bool in_list = false;
    while (!rest_.empty()) {
      const std::size_t blanks = std::min(rest_.find_first_not_of(' '), rest_.size());
      const bool item =
          blanks + 1 < rest_.size() && rest_[blanks] == '-' && rest_[blanks + 1] == ' ';
      if (!item) {
        if (blanks > 0) {
          return false;
        }
        break;
      }
      if (in_list && blanks != indent) {
        return false;
      }
      if (!in_list) {
        in_list = true;
        indent = blanks;
        out_.begin_list(key, line);
      }
      rest_.remove_prefix(blanks + 2);
      skip_blanks();
      Scalar value;
      if (at_line_end() || rest_.front() == '-' || !take_scalar(value, Context::block) ||
          !end_line_in_list()) {
        return false;
      }
      out_.add_item(value);
    }
    if (!in_list) {
      out_.add_scalar(key, line, {{}, true});
    }
    return true;
  }

  bool read_flow_list(std::string_view key, std::uint32_t line) {
    out_.begin_list(key, line);
    rest_.remove_prefix(1);
    skip_blanks();
    if (take(']')) {
      return true;
    }
    while (true) {
      Scalar value;
      if (!take_scalar(value, Context::flow)) {
        return false;
      }
      out_.add_item(value);
      skip_blanks();
      if (take(']')) {
        return true;
      }
      if (!take(',')) {
        return false;
      }
      skip_blanks();
    }
  }

  bool take_scalar(Scalar& value, Context context) {
    if (rest_.empty()) {
      return false;
    }
    return rest_.front() == '"' ? take_quoted(value) : take_word(value, context);
  }

  bool take_word(Scalar& value, Context context) {
    const char first = rest_.front();
    const bool negative = first == '-' && rest_.size() > 1 && rest_[1] >= '0' && rest_[1] <= '9';
    if (class_of(first) != Class::word && first != '/' && !negative) {
      return false;
    }
    std::size_t size = 1;
    while (size < rest_.size()) {
      const char c = rest_[size];
      const bool inside = class_of(c) != Class::other || (c == ':' && context == Context::block);
      if (!inside) {
        break;
      }
      ++size;
    }
    if (rest_[size - 1] == ':') {
      return false;  // a nested key
    }
    value.text = rest_.substr(0, size);
    value.is_null = is_null_word(value.text);
    if (value.is_null) {
      value.text = {};
    }
    rest_.remove_prefix(size);
    return true;
  }

  bool take_quoted(Scalar& value) {
    std::size_t end = 1;
    bool escaped = false;
    while (end < rest_.size() && rest_[end] != '"') {
      const char c = rest_[end];
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        return false;
      }
      escaped = escaped || c == '\\';
      end += c == '\\' ? 2 : 1;
    }
    if (end >= rest_.size()) {
      return false;
    }
    const std::string_view inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    value = {inside, false};
    return !escaped || unescape(inside, value);
  }

  bool unescape(std::string_view inside, Scalar& value) {
    std::string text;
    text.reserve(inside.size());
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (inside[i] != '\\') {
        text.push_back(inside[i]);
      } else if (inside[++i] == 'u') {
        if (!append_unicode_escape(inside.substr(i + 1), text)) {
          return false;
        }
        i += 4;
      } else if (!append_simple_escape(inside[i], text)) {
        return false;
      }
    }
    value.text = out_.keep(std::move(text));
    return true;
  }

  static bool append_simple_escape(char escape, std::string& text) {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t index = kEscapes.find(escape);
    if (index == std::string_view::npos) {
      return false;
    }
    text.push_back(kMeanings[index]);
    return true;
  }

  /// Surrogates are errors in YAML and NUL is a trap: both are left to yaml-cpp.
  static bool append_unicode_escape(std::string_view digits, std::string& text) {
    if (digits.size() < 4) {
      return false;
    }
    unsigned code_point = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const int value = hex_value(digits[i]);
      if (value < 0) {
        return false;
      }
      code_point = code_point * 16 + static_cast<unsigned>(value);
    }
    if (code_point == 0 || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
      return false;
    }
    append_utf8(text, code_point);
    return true;
  }

  /// Ends a line after a value. A following indented line would continue the value.
  bool end_line() {
    if (!end_line_in_list()) {
      return false;
    }
    return rest_.empty() || rest_.front() != ' ';
  }

  bool end_line_in_list() {
    skip_blanks();
    if (!at_line_end()) {
      return false;
    }
    next_line();
    return true;
  }

  bool at_line_end() const {
    return rest_.empty() || rest_.front() == '\n' || rest_.starts_with("\r\n");
  }

  void next_line() {
    if (!rest_.empty()) {
      rest_.remove_prefix(rest_.front() == '\r' ? 2 : 1);
      ++line_;
    }
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  Frontmatter& out_;
  std::uint32_t line_ = 2;  // of the file: the opening fence is line 1
};

}  // namespace

FastRead read_frontmatter_fast(std::string_view yaml, Frontmatter& out) {
  out.clear();
  return FastReader(yaml, out).read() ? FastRead::done : FastRead::not_recognised;
}

}  // namespace daybook::parse
