// SPDX-License-Identifier: MIT
#include "daybook/base/utf8.hpp"

#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <bit>
#include <string>
#include <vector>

namespace daybook::base {
namespace {

using namespace std::string_literals;

/// The definition, by arithmetic: decode first, then ask whether that was allowed.
struct Naive {
  bool valid = false;
  char32_t code_point = 0;
  std::size_t size = 1;
};

Naive naive_character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto ones = static_cast<std::size_t>(std::countl_one(byte(at)));
  if (ones == 0) {
    return {true, byte(at), 1};
  }
  if (ones == 1 || ones > 4 || at + ones > text.size()) {
    return {};
  }
  char32_t code_point = byte(at) & ((1U << (7 - ones)) - 1U);
  for (std::size_t i = 1; i < ones; ++i) {
    if (std::countl_one(byte(at + i)) != 1) {
      return {};
    }
    code_point = code_point * 64 + byte(at + i) % 64;
  }
  const char32_t least = ones == 2 ? 0x80 : ones == 3 ? 0x800 : 0x10000;
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < least || surrogate || code_point > 0x10FFFF) {
    return {};
  }
  return {true, code_point, ones};
}

std::size_t naive_first_invalid(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Naive character = naive_character(text, at);
    if (!character.valid) {
      return at;
    }
    at += character.size;
  }
  return kAllValid;
}

std::string utf8_of(char32_t c) {
  const auto tail = [c](unsigned shift) { return static_cast<char>(0x80U | ((c >> shift) & 63U)); };
  if (c < 0x80) {
    return {static_cast<char>(c)};
  }
  if (c < 0x800) {
    return {static_cast<char>(0xC0U | (c >> 6U)), tail(0)};
  }
  if (c < 0x10000) {
    return {static_cast<char>(0xE0U | (c >> 12U)), tail(6), tail(0)};
  }
  return {static_cast<char>(0xF0U | (c >> 18U)), tail(12), tail(6), tail(0)};
}

/// Whole characters of each length, halves of them, and bytes that fit nowhere.
rc::Gen<std::string> broken_text() {
  return support::text_made_of({"a",
                                "plain ascii text",
                                "\xC3\xA9",
                                "\xE4\xBC\x9A",
                                "\xF0\x9F\x98\x80",
                                "\xC3",
                                "\xE4\xBC",
                                "\xE4",
                                "\xF0\x9F\x98",
                                "\xF0\x9F",
                                "\xF0",
                                "\x80",
                                "\xBF",
                                "\xFF",
                                "\xC0\xAF",
                                "\xED\xA0\x80",
                                "\xF4\x90\x80\x80",
                                "\xED",
                                "\xE0",
                                "\xF4"});
}

/// Mostly whole, so that long valid texts and late errors come up.
rc::Gen<std::string> good_text() {
  return support::text_made_of(
      {"a", "0123456789", "\xC3\xA9", "\xE4\xBC\x9A", "\xED\x9F\xBF", "\xF0\x9F\x98\x80", "\n"});
}

}  // namespace

TEST_CASE("well-formed UTF-8 is valid") {
  const std::vector<std::string> texts{
      "",
      "plain",
      "\0"s,
      "a\0b"s,
      "\x7F",
      "\xC2\x80",          // U+0080, the first of two bytes
      "\xDF\xBF",          // U+07FF
      "\xE0\xA0\x80",      // U+0800, the first of three
      "\xED\x9F\xBF",      // U+D7FF, before the surrogates
      "\xEE\x80\x80",      // U+E000, after them
      "\xEF\xBB\xBF",      // a BOM
      "\xEF\xBF\xBD",      // U+FFFD is a character like others
      "\xEF\xBF\xBF",      // U+FFFF, a noncharacter but valid
      "\xF0\x90\x80\x80",  // U+10000, the first of four
      "\xF4\x8F\xBF\xBF",  // U+10FFFF, the last of all
      "会话 \xF0\x9F\x98\x80 é",
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK(first_invalid_utf8(text) == kAllValid);
    CHECK(is_valid_utf8(text));
    Utf8Validator stream;
    CHECK(stream.feed(text));
    CHECK(stream.finish());
  }
}

TEST_CASE("malformed UTF-8 is invalid from its first byte on") {
  const std::vector<std::string> characters{
      "\x80",  // a continuation byte alone
      "\xBF",
      "\xC0\x80",  // overlong NUL
      "\xC0\xAF",  // overlong slash
      "\xC1\xBF",
      "\xE0\x80\xAF",      // overlong slash in three
      "\xE0\x9F\xBF",      // overlong U+07FF
      "\xF0\x80\x80\xAF",  // overlong slash in four
      "\xF0\x8F\xBF\xBF",  // overlong U+FFFF
      "\xED\xA0\x80",      // U+D800, the first surrogate
      "\xED\xAF\xBF",
      "\xED\xBF\xBF",              // U+DFFF, the last one
      "\xED\xA0\xBD\xED\xB8\x80",  // a pair of surrogates (CESU-8)
      "\xF4\x90\x80\x80",          // U+110000
      "\xF5\x80\x80\x80",
      "\xF7\xBF\xBF\xBF",
      "\xF8\x88\x80\x80\x80",      // five bytes
      "\xFC\x84\x80\x80\x80\x80",  // six
      "\xFE",
      "\xFF",
      "\xC3",  // cut short
      "\xC3"
      "a",             // ... by another character
      "\xC3\xC3\xA9",  // ... by the same again
      "\xE4\xBC",
      "\xE4\xBC"
      "a",
      "\xE4"
      "a\xBC",
      "\xF0\x9F\x98",
      "\xF0\x9F\x98"
      "a",
      "\xF0\x9F"
      "a",
      "\xF0"
      "a",
  };
  for (const std::string& character : characters) {
    for (const std::string& before : {""s, "a"s, "0123456789abcdef"s, "é"s, "会"s}) {
      const std::string text = before + character;
      CAPTURE(text);
      CHECK(first_invalid_utf8(text) == before.size());
      CHECK_FALSE(is_valid_utf8(text));
      CHECK(first_invalid_utf8(text + "tail") == before.size());
    }
  }
}

TEST_CASE("an invalid byte is found at every place of a long text") {
  for (std::size_t size = 1; size <= 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = '\xFF';
      CAPTURE(size, at);
      CHECK(first_invalid_utf8(text) == at);
    }
  }
}

TEST_CASE("every code point but the surrogates is valid and decodes to itself") {
  int wrong = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const std::string text = utf8_of(c);
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    const DecodedCharacter decoded = decode_utf8(text, 0);
    const bool right =
        surrogate ? !is_valid_utf8(text) && decoded.code_point == 0xFFFD && decoded.size == 1
                  : is_valid_utf8(text) && decoded.code_point == c && decoded.size == text.size();
    wrong += right ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("every sequence of three bytes is judged as the definition says") {
  int wrong = 0;
  std::string text(3, '\0');
  for (unsigned bytes = 0; bytes < (1U << 24U); bytes += bytes < (0xC0U << 16U) ? 251 : 1) {
    text[0] = static_cast<char>(bytes >> 16U);
    text[1] = static_cast<char>((bytes >> 8U) & 255U);
    text[2] = static_cast<char>(bytes & 255U);
    wrong += first_invalid_utf8(text) == naive_first_invalid(text) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("random bytes are judged as the definition says") {
  REQUIRE(rc::check("broken text", [] {
    const auto text = *broken_text();
    RC_ASSERT(first_invalid_utf8(text) == naive_first_invalid(text));
  }));
  REQUIRE(rc::check("any bytes", [](const std::string& text) {
    RC_ASSERT(first_invalid_utf8(text) == naive_first_invalid(text));
  }));
  REQUIRE(rc::check("a late error", [] {
    const auto good = *good_text();
    const auto text = good + *broken_text();
    RC_ASSERT(is_valid_utf8(good));
    RC_ASSERT(first_invalid_utf8(text) == naive_first_invalid(text));
  }));
}

TEST_CASE("a stream in random pieces is judged like the whole") {
  const auto judge_in_pieces = [](const std::string& text) {
    const std::size_t expected = first_invalid_utf8(text);
    Utf8Validator stream;
    bool still_valid = true;
    for (const std::string& piece : support::random_pieces(text)) {
      const bool answer = stream.feed(piece);
      RC_ASSERT(still_valid || !answer);  // once wrong, always wrong
      still_valid = answer;
    }
    RC_ASSERT(stream.finish() == (expected == kAllValid));
    if (expected != kAllValid) {
      RC_ASSERT(stream.error_offset() == expected);
      RC_ASSERT(!stream.finish());
    }
  };
  REQUIRE(rc::check("broken text", [&judge_in_pieces] { judge_in_pieces(*broken_text()); }));
  REQUIRE(rc::check("good text", [&judge_in_pieces] { judge_in_pieces(*good_text()); }));
  REQUIRE(rc::check("good text with one broken end", [&judge_in_pieces] {
    const auto good = *good_text();
    judge_in_pieces(good + *broken_text());
  }));
}

TEST_CASE("every byte may come alone") {
  const auto fed_bytewise = [](std::string_view text) {
    Utf8Validator stream;
    for (const char c : text) {
      stream.feed({&c, 1});
    }
    return stream.finish() ? kAllValid : static_cast<std::size_t>(stream.error_offset());
  };
  CHECK(fed_bytewise("aé会\xF0\x9F\x98\x80z") == kAllValid);
  CHECK(fed_bytewise("ab\xE4\xBC") == 2);
  CHECK(fed_bytewise("ab\xE4\xBCx") == 2);
  CHECK(fed_bytewise("abc\xF0\x9F\x98\xFF") == 3);
  CHECK(fed_bytewise("\xED\xA0\x80") == 0);
}

TEST_CASE("an error is known with the piece that holds it and not before") {
  Utf8Validator stream;
  CHECK(stream.feed("good \xE4"));  // may still become a character
  CHECK_FALSE(stream.feed("x"));
  CHECK(stream.error_offset() == 5);
  CHECK_FALSE(stream.feed("and more"));
  CHECK_FALSE(stream.finish());
  CHECK(stream.error_offset() == 5);
}

TEST_CASE("a stream that ends within a character is invalid only at its end") {
  Utf8Validator stream;
  CHECK(stream.feed("ok "));
  CHECK(stream.feed("\xF0\x9F"));
  CHECK(stream.feed("\x98"));
  CHECK_FALSE(stream.finish());
  CHECK(stream.error_offset() == 3);
}

TEST_CASE("characters are decoded at any offset") {
  const std::string text = "aé会\xF0\x9F\x98\x80";
  const auto character = [&text](std::size_t offset) {
    const DecodedCharacter decoded = decode_utf8(text, offset);
    return std::pair(decoded.code_point, decoded.size);
  };
  CHECK(character(0) == std::pair(U'a', std::size_t{1}));
  CHECK(character(1) == std::pair(U'é', std::size_t{2}));
  CHECK(character(3) == std::pair(U'会', std::size_t{3}));
  CHECK(character(6) == std::pair(U'\U0001F600', std::size_t{4}));
  CHECK(character(2) == std::pair(U'\uFFFD', std::size_t{1}));  // inside é
}

TEST_CASE("an invalid byte decodes to the replacement character one byte long") {
  for (const std::string& text : {"\xFF"s, "\xC3"s, "\xE4\xBC"s, "\xC0\xAF"s, "\xED\xA0\x80"s}) {
    CHECK(decode_utf8(text, 0).code_point == U'\uFFFD');
    CHECK(decode_utf8(text, 0).size == 1);
  }
}

TEST_CASE("decoding walks over any text as the definition says") {
  REQUIRE(rc::check("broken text", [] {
    const auto text = *broken_text();
    for (std::size_t at = 0; at < text.size();) {
      const DecodedCharacter decoded = decode_utf8(text, at);
      const Naive expected = naive_character(text, at);
      RC_ASSERT(decoded.size == expected.size);
      RC_ASSERT(decoded.code_point == (expected.valid ? expected.code_point : U'\uFFFD'));
      at += decoded.size;
    }
  }));
}

TEST_CASE("a cut falls between characters, at the place or before it") {
  const std::string text = "aé会\xF0\x9F\x98\x80";
  const std::vector<std::size_t> begins{0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
  for (std::size_t at = 0; at < begins.size(); ++at) {
    CAPTURE(at);
    CHECK(character_begin(text, at) == begins[at]);
  }
  CHECK(character_begin(text, 11) == 11);
  CHECK(character_begin("", 0) == 0);
  CHECK(character_begin("\x80\x80\x80", 2) == 0);
}

TEST_CASE("whatever the text, a cut before a place leaves no byte that goes on behind it") {
  REQUIRE(rc::check("broken text", [] {
    const auto text = *broken_text();
    for (std::size_t at = 0; at <= text.size(); ++at) {
      const std::size_t begin = character_begin(text, at);
      RC_ASSERT(begin <= at);
      RC_ASSERT(begin == 0 || begin == text.size() || !continues_character(text[begin]));
    }
  }));
  REQUIRE(rc::check("good text", [] {
    const auto text = *good_text();
    for (std::size_t at = 0; at <= text.size(); ++at) {
      RC_ASSERT(is_valid_utf8(std::string_view(text).substr(0, character_begin(text, at))));
      RC_ASSERT(at - character_begin(text, at) < 4);
    }
  }));
}

TEST_CASE("characters are counted, not bytes") {
  CHECK(count_characters("") == 0);
  CHECK(count_characters("tide") == 4);
  CHECK(count_characters("aé会\xF0\x9F\x98\x80") == 4);
  CHECK(count_characters("\x80\xBF") == 0);
  REQUIRE(rc::check("good text", [] {
    const auto text = *good_text();
    std::size_t characters = 0;
    for (std::size_t at = 0; at < text.size(); at += decode_utf8(text, at).size) {
      ++characters;
    }
    RC_ASSERT(count_characters(text) == characters);
  }));
}

}  // namespace daybook::base
