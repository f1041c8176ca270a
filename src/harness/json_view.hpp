// SPDX-License-Identifier: MIT
//
// JSON text -> views into it, without copying: members of an object and elements of an array are
// visited as raw slices, and what nobody asks for is only passed over. Strict about structure,
// scalars and depth; the inside of a string is looked at when it is decoded. Linear: a string is
// found by its quotes, 32 bytes at a time. Pure; any thread; views live as long as the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace daybook::harness {

enum class JsonKind : std::uint8_t { none, object, array, string, number, boolean, null };

struct JsonView {
  JsonKind kind = JsonKind::none;
  std::string_view raw;  ///< the value as written; of a string what is between its quotes

  bool is_string() const { return kind == JsonKind::string; }
  bool is_object() const { return kind == JsonKind::object; }
  bool is_array() const { return kind == JsonKind::array; }
  bool is_true() const { return kind == JsonKind::boolean && raw == "true"; }
};

inline constexpr int kMostJsonDepth = 128;

/// Walks over one JSON text. After a failure only offset() means something: where it was found.
class JsonWalker {
 public:
  explicit JsonWalker(std::string_view text) : text_(text) {}

  /// Passes over one value, which is so many levels below the first.
  bool value(JsonView& view, int depth = 0) { return pass_value(view, depth); }
  /// Walks into the object that is next. `pass(raw key)` has to pass over that member's value, or
  /// walk into it, and says whether it could.
  template <typename Pass>
  bool members(Pass pass);
  /// Walks into the array that is next; `pass()` has to pass over one element.
  template <typename Pass>
  bool elements(Pass pass);
  /// Only blanks are left.
  bool at_end();
  /// Takes this character after blanks if it is there.
  bool accept(char wanted) {
    const bool there = is_next(wanted);
    at_ += there ? 1U : 0U;
    return there;
  }

  /// Whether this character is next after blanks.
  bool is_next(char wanted) {
    skip_blanks();
    return at_ < text_.size() && text_[at_] == wanted;
  }

  std::size_t offset() const { return at_; }
  /// What was passed over since that offset.
  std::string_view text_since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) {
      ++at_;
    }
  }

 private:
  // Harnesses write none, so the first comparison is the only one.
  static bool is_blank(char c) {
    return static_cast<unsigned char>(c) <= ' ' &&
           (c == ' ' || c == '\n' || c == '\t' || c == '\r');
  }
  bool pass_value(JsonView& view, int depth);
  bool pass_string(JsonView& view);
  bool pass_number(JsonView& view);
  bool pass_word(std::string_view word, JsonKind kind, JsonView& view);
  bool pass_object(int depth);
  bool pass_array(int depth);
  std::size_t digits();

  std::string_view text_;
  std::size_t at_ = 0;
};

template <typename Pass>
bool JsonWalker::members(Pass pass) {
  if (!accept('{')) {
    return false;
  }
  if (accept('}')) {
    return true;
  }
  JsonView key;
  do {
    skip_blanks();
    if (!pass_string(key) || !accept(':') || !pass(key.raw)) {
      return false;
    }
  } while (accept(','));
  return accept('}');
}

template <typename Pass>
bool JsonWalker::elements(Pass pass) {
  if (!accept('[')) {
    return false;
  }
  if (accept(']')) {
    return true;
  }
  do {
    if (!pass()) {
      return false;
    }
  } while (accept(','));
  return accept(']');
}

/// The whole text as one value; kind none if it is no JSON. `failed_at`: where it stops being JSON.
JsonView read_json(std::string_view text, std::size_t* failed_at = nullptr);

/// Decodes what is between the quotes, appending. Escapes that are none, and lone surrogates,
/// become U+FFFD. Bytes that are no UTF-8 are left to the caller.
void append_decoded(std::string_view raw, std::string& out);
std::string decoded(std::string_view raw);

/// Bytes that append_decoded would append, as UTF-8.
std::uint64_t decoded_size(std::string_view raw);

/// A key that no sensible writer escapes: equal as written, or equal when decoded.
bool key_is(std::string_view raw, std::string_view name);

/// Calls `visit(raw key, view)` for each member of an object. False if the text is none after all;
/// the members before the fault have been visited then.
template <typename Visit>
bool each_member(const JsonView& object, Visit visit) {
  JsonWalker walker(object.raw);
  JsonView value;
  return object.is_object() && walker.members([&](std::string_view key) {
    if (!walker.value(value)) {
      return false;
    }
    visit(key, value);
    return true;
  }) && walker.at_end();
}

template <typename Visit>
bool each_element(const JsonView& array, Visit visit) {
  JsonWalker walker(array.raw);
  JsonView value;
  return array.is_array() && walker.elements([&] {
    if (!walker.value(value)) {
      return false;
    }
    visit(value);
    return true;
  }) && walker.at_end();
}

/// The member of that name (the first, of duplicates), or a view of kind none.
JsonView member(const JsonView& object, std::string_view name);
/// Its text decoded; empty if it is missing or no string.
std::string member_text(const JsonView& object, std::string_view name);

}  // namespace daybook::harness
