// SPDX-License-Identifier: MIT
#include "harness/json_view.hpp"

#include "harness/byte_marks.hpp"

namespace daybook::harness {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The value of four hexadecimal digits at `at`, or -1.
std::int32_t hex4(std::string_view raw, std::size_t at) {
  if (at + 4 > raw.size()) {
    return -1;
  }
  std::int32_t value = 0;
  for (const char c : raw.substr(at, 4)) {
    value <<= 4;
    if (is_digit(c)) {
      value += c - '0';
    } else if (c >= 'a' && c <= 'f') {
      value += c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      value += c - 'A' + 10;
    } else {
      return -1;
    }
  }
  return value;
}

struct Escape {
  std::uint32_t code_point = 0;  // U+FFFD for one that is none
  std::size_t size = 1;          // bytes behind the backslash
};

Escape read_unicode_escape(std::string_view raw, std::size_t at) {
  const std::int32_t first = hex4(raw, at + 1);
  if (first < 0) {
    return {0xFFFD, 1};
  }
  if (first < 0xD800 || first > 0xDFFF) {
    return {static_cast<std::uint32_t>(first), 5};
  }
  if (first < 0xDC00 && raw.substr(at + 5, 2) == "\\u") {
    const std::int32_t second = hex4(raw, at + 7);
    if (second >= 0xDC00 && second <= 0xDFFF) {
      return {0x10000U + ((static_cast<std::uint32_t>(first) & 0x3FFU) << 10U) +
                  (static_cast<std::uint32_t>(second) & 0x3FFU),
              11};
    }
  }
  return {0xFFFD, 5};
}

/// `at` is the place behind the backslash.
Escape read_escape(std::string_view raw, std::size_t at) {
  if (at >= raw.size()) {
    return {0xFFFD, 0};
  }
  switch (raw[at]) {
    case '"':
    case '\\':
    case '/':
      return {static_cast<unsigned char>(raw[at]), 1};
    case 'b':
      return {'\b', 1};
    case 'f':
      return {'\f', 1};
    case 'n':
      return {'\n', 1};
    case 'r':
      return {'\r', 1};
    case 't':
      return {'\t', 1};
    case 'u':
      return read_unicode_escape(raw, at);
    default:
      return {0xFFFD, 0};  // the character itself is kept
  }
}

std::size_t utf8_size(std::uint32_t code_point) {
  return code_point < 0x80 ? 1U : code_point < 0x800 ? 2U : code_point < 0x10000 ? 3U : 4U;
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto tail = [](std::uint32_t bits) { return static_cast<char>(0x80U | (bits & 0x3FU)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += {static_cast<char>(0xC0U | (c >> 6U)), tail(c)};
  } else if (c < 0x10000) {
    out += {static_cast<char>(0xE0U | (c >> 12U)), tail(c >> 6U), tail(c)};
  } else {
    out += {static_cast<char>(0xF0U | (c >> 18U)), tail(c >> 12U), tail(c >> 6U), tail(c)};
  }
}

/// Calls `plain` with stretches without escapes and `special` with each escape's code point.
template <typename Plain, typename Special>
void each_stretch(std::string_view raw, Plain plain, Special special) {
  std::size_t at = 0;  // behind the last escape
  const auto escape_at = [&](std::size_t backslash) {
    if (backslash < at) {
      return;  // the second of two
    }
    if (backslash > at) {
      plain(raw.substr(at, backslash - at));
    }
    const Escape escape = read_escape(raw, backslash + 1);
    special(escape.code_point);
    at = backslash + 1 + escape.size;
  };
  std::size_t looked = 0;
  for (; raw.size() - looked >= kMarkedBytes; looked += kMarkedBytes) {
    for (std::uint32_t marks = byte_marks(raw.data() + looked, '\\'); marks != 0;
         marks &= marks - 1) {
      escape_at(looked + first_mark(marks));
    }
  }
  for (; looked < raw.size(); ++looked) {
    if (raw[looked] == '\\') {
      escape_at(looked);
    }
  }
  if (at < raw.size()) {
    plain(raw.substr(at));
  }
}

/// Whether an odd number of backslashes stands before the quote. Their runs lie between two quotes
/// each, so counting them back costs no more than the text's length.
bool is_escaped(const char* from, const char* quote) {
  const char* run = quote;
  while (run > from && run[-1] == '\\') {
    --run;
  }
  return (quote - run) % 2 != 0;
}

}  // namespace

bool JsonWalker::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

bool JsonWalker::pass_value(JsonView& view, int depth) {
  skip_blanks();
  if (at_ >= text_.size() || depth > kMostJsonDepth) {
    return false;
  }
  const std::size_t begin = at_;
  switch (text_[at_]) {
    case '"':
      return pass_string(view);
    case '{':
      if (!pass_object(depth)) {
        return false;
      }
      view = {JsonKind::object, text_.substr(begin, at_ - begin)};
      return true;
    case '[':
      if (!pass_array(depth)) {
        return false;
      }
      view = {JsonKind::array, text_.substr(begin, at_ - begin)};
      return true;
    case 't':
      return pass_word("true", JsonKind::boolean, view);
    case 'f':
      return pass_word("false", JsonKind::boolean, view);
    case 'n':
      return pass_word("null", JsonKind::null, view);
    default:
      return pass_number(view);
  }
}

bool JsonWalker::pass_object(int depth) {
  JsonView ignored;
  return members([&](std::string_view) { return pass_value(ignored, depth + 1); });
}

bool JsonWalker::pass_array(int depth) {
  JsonView ignored;
  return elements([&] { return pass_value(ignored, depth + 1); });
}

bool JsonWalker::pass_string(JsonView& view) {
  if (at_ >= text_.size() || text_[at_] != '"') {
    return false;
  }
  const char* const begin = text_.data() + at_ + 1;
  const char* const end = text_.data() + text_.size();
  const char* from = begin;  // behind the last quote
  const auto ends_at = [&](const char* quote) {
    if (is_escaped(from, quote)) {
      from = quote + 1;
      return false;
    }
    view = {JsonKind::string, {begin, static_cast<std::size_t>(quote - begin)}};
    at_ = static_cast<std::size_t>(quote + 1 - text_.data());
    return true;
  };
  const char* at = begin;
  for (; static_cast<std::size_t>(end - at) >= kMarkedBytes; at += kMarkedBytes) {
    for (std::uint32_t quotes = byte_marks(at, '"'); quotes != 0; quotes &= quotes - 1) {
      if (ends_at(at + first_mark(quotes))) {
        return true;
      }
    }
  }
  for (; at < end; ++at) {
    if (*at == '"' && ends_at(at)) {
      return true;
    }
  }
  return false;
}

bool JsonWalker::pass_word(std::string_view word, JsonKind kind, JsonView& view) {
  if (text_.substr(at_, word.size()) != word) {
    return false;
  }
  view = {kind, text_.substr(at_, word.size())};
  at_ += word.size();
  return true;
}

std::size_t JsonWalker::digits() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) {
    ++at_;
  }
  return at_ - begin;
}

bool JsonWalker::pass_number(JsonView& view) {
  const auto take = [&](std::string_view wanted) {
    const bool there = at_ < text_.size() && wanted.find(text_[at_]) != std::string_view::npos;
    at_ += there ? 1 : 0;
    return there;
  };
  const std::size_t begin = at_;
  take("-");
  if (!take("0") && digits() == 0) {
    return false;
  }
  if (take(".") && digits() == 0) {
    return false;
  }
  if (take("eE")) {
    take("+-");
    if (digits() == 0) {
      return false;
    }
  }
  view = {JsonKind::number, text_.substr(begin, at_ - begin)};
  return true;
}

JsonView read_json(std::string_view text, std::size_t* failed_at) {
  JsonWalker walker(text);
  JsonView view;
  if (!walker.value(view) || !walker.at_end()) {
    view = {};
  }
  if (failed_at != nullptr) {
    *failed_at = walker.offset();
  }
  return view;
}

void append_decoded(std::string_view raw, std::string& out) {
  each_stretch(
      raw,
      [&](std::string_view plain) { out += plain; },
      [&](std::uint32_t code_point) { append_utf8(code_point, out); });
}

std::string decoded(std::string_view raw) {
  std::string text;
  append_decoded(raw, text);
  return text;
}

std::uint64_t decoded_size(std::string_view raw) {
  std::uint64_t size = 0;
  each_stretch(
      raw,
      [&](std::string_view plain) { size += plain.size(); },
      [&](std::uint32_t code_point) { size += utf8_size(code_point); });
  return size;
}

bool key_is(std::string_view raw, std::string_view name) {
  return raw == name || (raw.size() <= 6 * name.size() &&
                         raw.find('\\') != std::string_view::npos && decoded(raw) == name);
}

JsonView member(const JsonView& object, std::string_view name) {
  JsonView found;
  if (object.is_object()) {
    JsonWalker walker(object.raw);
    JsonView value;
    walker.members([&](std::string_view key) {
      const bool passed = walker.value(value);
      found = passed && key_is(key, name) ? value : JsonView{};
      return passed && found.kind == JsonKind::none;  // what is behind it does not matter
    });
  }
  return found;
}

std::string member_text(const JsonView& object, std::string_view name) {
  const JsonView view = member(object, name);
  return view.is_string() ? decoded(view.raw) : std::string();
}

}  // namespace daybook::harness
