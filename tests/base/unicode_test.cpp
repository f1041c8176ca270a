// SPDX-License-Identifier: MIT
#include "daybook/base/unicode.hpp"

#include "daybook/base/utf8.hpp"
#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

namespace daybook::base {
namespace {

rc::Gen<std::string> accented_text() {
  return support::text_made_of({"a",
                                "E",
                                "e",
                                "\u0301",
                                "\u0327",
                                "\u0323",
                                "\u00E9",
                                "\u00C9",
                                "\u1112",
                                "\u1161",
                                "\u11AB",
                                "\uD55C",
                                "\u212B",
                                "\u00DF",
                                "会",
                                "\u03A3",
                                "\u03C2",
                                " ",
                                "\n"});
}

const std::vector<std::string> kNotUtf8{
    "\xFF", "caf\xC3", "E\u0301\xC3", "ABC\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80"};

}  // namespace

TEST_CASE("text without its accents is the same however they were spelt") {
  for (const auto& [given, expected] :
       std::vector<std::pair<std::string, std::string>>{{"caf\u00E9", "cafe"},
                                                        {"cafe\u0301", "cafe"},
                                                        {"Br\u00FCcke", "Brucke"},
                                                        {"\uD55C", "\uD55C"},
                                                        {"会话", "会话"},
                                                        {"plain", "plain"},
                                                        {"caf\xC3", "caf\xC3"}}) {
    CAPTURE(given);
    CHECK(without_accents(given) == expected);
  }
}

TEST_CASE("texts that look the same are the same in normal form C") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"e\u0301", "\u00E9"},               // é in two parts
      {"cafe\u0301.md", "caf\u00E9.md"},   // as macOS spells file names
      {"\u1112\u1161\u11AB", "\uD55C"},    // Hangul: letters -> syllable
      {"\uD558\u11AB", "\uD55C"},          // a syllable and its last letter
      {"\u212B", "\u00C5"},                // the sign Ångström is the letter Å
      {"q\u0307\u0323", "q\u0323\u0307"},  // marks in canonical order
      {"a\u0327\u0301", "\u00E1\u0327"},   // composes over a mark between
      {"\u0958", "\u0915\u093C"},          // excluded from composition
      {"\uFB01", "\uFB01"},                // a ligature is no other spelling: NFC, not NFKC
      {"会话", "会话"},
      {"", ""},
  };
  for (const auto& [given, expected] : cases) {
    CAPTURE(given);
    CHECK(to_nfc(given) == expected);
    CHECK(to_nfc(expected) == expected);
  }
}

TEST_CASE("ASCII is its own normal form") {
  std::string ascii;
  for (char c = 0; c < 127; ++c) {
    ascii += c;
  }
  ascii += '\x7F';
  CHECK(to_nfc(ascii) == ascii);
}

TEST_CASE("a NUL inside a text does not end it") {
  const std::string text("e\u0301\0e\u0301", 7);
  CHECK(to_nfc(text) == std::string("\u00E9\0\u00E9", 5));
}

TEST_CASE("text that is not UTF-8 stays as it is") {
  for (const std::string& text : kNotUtf8) {
    CHECK(to_nfc(text) == text);
    CHECK(fold_case(text) == text);
  }
}

TEST_CASE("normalising twice is normalising once") {
  REQUIRE(rc::check("idempotent, and valid stays valid", [] {
    const auto text = *accented_text();
    const std::string once = to_nfc(text);
    RC_ASSERT(to_nfc(once) == once);
    RC_ASSERT(is_valid_utf8(once));
  }));
}

TEST_CASE("case is folded away in every alphabet") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\u00C9", "\u00E9"},                          // É
      {"E\u0301", "\u00E9"},                         // É in two parts
      {"\u00DF", "ss"},                              // ß
      {"STRA\u00DFE", "strasse"},                    // ...
      {"\u1E9E", "ss"},                              // ẞ
      {"\u03A3\u03C3\u03C2", "\u03C3\u03C3\u03C3"},  // the three sigmas
      {"\u0414\u041D\u0415\u0412\u041D\u0418\u041A", "\u0434\u043D\u0435\u0432\u043D\u0438\u043A"},
      {"会话", "会话"},
      {"Caf\u00C9 Plan.MD", "caf\u00E9 plan.md"},
  };
  for (const auto& [given, expected] : cases) {
    CAPTURE(given);
    CHECK(fold_case(given) == expected);
  }
}

TEST_CASE("folding ASCII changes its capitals and nothing else") {
  for (int c = 0; c < 128; ++c) {
    const std::string given(1, static_cast<char>(c));
    const bool capital = c >= 'A' && c <= 'Z';
    const std::string expected(1, static_cast<char>(capital ? c + 32 : c));
    CAPTURE(c);
    CHECK(fold_case(given) == expected);
    // ... nor beside a letter that is not ASCII, which takes the other road.
    CHECK(fold_case(given + "会") == expected + "会");
  }
}

TEST_CASE("both spellings of an accent fold to the same") {
  REQUIRE(rc::check("fold_case sees through the normal form", [] {
    const auto text = *accented_text();
    RC_ASSERT(fold_case(text) == fold_case(to_nfc(text)));
    RC_ASSERT(is_valid_utf8(fold_case(text)));
  }));
}

TEST_CASE("scripts without blanks between words are known") {
  for (const char32_t c : {U'会', U'话', U'々', U'\u3007', U'あ',         U'ん',        U'ア',
                           U'ン', U'ー', U'ก',  U'ส',      U'\u0E31',     U'เ',         U'ກ',
                           U'ຮ',  U'ក',  U'က',  U'\u3400', U'\U00020000', U'\U0002A6DF'}) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK(is_unspaced_script(c));
  }
}

TEST_CASE("scripts with blanks between words and punctuation are told apart from them") {
  for (const char32_t c :
       {U'a',  U'Z',  U'é',      U'ж',      U'α',      U'ع',      U'א',
        U'한', U'1',  U' ',      U'.',      U'。',     U'、',     U'「',
        U'　', U'！', U'\u0E3F', U'\u0E50', U'\u2028', U'\uFFFD', U'\U0001F600'}) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK_FALSE(is_unspaced_script(c));
  }
}

TEST_CASE("half-width kana are kana") {
  CHECK(is_unspaced_script(U'\uFF76'));  // ｶ
  CHECK(is_unspaced_script(U'\uFF9D'));  // ﾝ
}

TEST_CASE("punctuation between letters of a script without blanks is no letter of it") {
  CHECK_FALSE(is_unspaced_script(U'\u30FB'));  // ・ between katakana words
  CHECK_FALSE(is_unspaced_script(U'\u104A'));  // ၊ Burmese comma
  CHECK_FALSE(is_unspaced_script(U'\u104B'));  // ။ Burmese full stop
}

TEST_CASE("letters and digits of any script make words") {
  for (const char32_t c : {U'a',
                           U'Z',
                           U'0',
                           U'9',
                           U'é',
                           U'ж',
                           U'会',
                           U'あ',
                           U'ก',
                           U'한',
                           U'ع',
                           U'٣',
                           U'Ⅷ',
                           U'²',
                           U'ª'}) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK(is_word_character(c));
  }
  for (const char32_t c : {U' ',
                           U'.',
                           U'-',
                           U'_',
                           U'+',
                           U'$',
                           U'"',
                           U'—',
                           U'。',
                           U'\u00A0',
                           U'\u0301',
                           U'\u0000',
                           U'\u007F',
                           U'\uFFFD',
                           U'\U0001F600'}) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK_FALSE(is_word_character(c));
  }
}

TEST_CASE("of ASCII exactly the letters and digits make words") {
  const std::string expected = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string actual;
  for (char32_t c = 0; c < 128; ++c) {
    if (is_word_character(c)) {
      actual += static_cast<char>(c);
    }
    CHECK_FALSE(is_unspaced_script(c));
  }
  CHECK(actual == expected);
}

}  // namespace daybook::base
