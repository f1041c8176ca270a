// SPDX-License-Identifier: MIT
#include "daybook/base/text_survey.hpp"

#include "support/random_text.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace daybook::base {
namespace {

constexpr std::size_t kLongest = 70;
constexpr std::size_t kAlignments = 16;

using Answers = std::tuple<bool, bool, bool, bool>;

Answers answers(std::string_view text) {
  const TextTraits traits = survey_text(text);
  return {traits.ascii,
          traits.has_carriage_return,
          traits.has_blank_at_line_end,
          traits.has_double_bracket};
}

Answers naive(const std::string& text) {
  const bool ascii = std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
  const auto has = [&text](std::string_view part) { return text.find(part) != std::string::npos; };
  return {ascii, has("\r"), has(" \n") || has("\t\n"), has("[[")};
}

/// The text at a chosen alignment, between bytes that would change every answer if they were read.
class Placed {
 public:
  Placed(std::string_view text, std::size_t alignment)
      : buffer_(kAlignments + alignment, ' '), size_(text.size()) {
    buffer_.back() = '[';
    start_ = buffer_.size();
    buffer_ += text;
    buffer_ += "\n[[\r\xFF \n";
    buffer_ += std::string(kAlignments, '[');
  }
  [[nodiscard]] std::string_view view() const {
    return std::string_view(buffer_).substr(start_, size_);
  }

 private:
  std::string buffer_;
  std::size_t start_ = 0;
  std::size_t size_;
};

bool right_at_every_alignment(const std::string& text) {
  const Answers expected = naive(text);
  for (std::size_t alignment = 0; alignment < kAlignments; ++alignment) {
    if (answers(Placed(text, alignment).view()) != expected) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("an empty text is ASCII and has nothing in it") {
  CHECK(answers("") == Answers{true, false, false, false});
  CHECK(answers(std::string_view()) == Answers{true, false, false, false});
}

TEST_CASE("each trait is seen alone") {
  CHECK(answers("plain\ntext\n") == Answers{true, false, false, false});
  CHECK(answers("caf\xC3\xA9") == Answers{false, false, false, false});
  CHECK(answers("a\rb") == Answers{true, true, false, false});
  CHECK(answers("a \nb") == Answers{true, false, true, false});
  CHECK(answers("a\t\nb") == Answers{true, false, true, false});
  CHECK(answers("see [[x]]") == Answers{true, false, false, true});
}

TEST_CASE("what only resembles a trait is none") {
  CHECK(answers("a \tb") == Answers{true, false, false, false});
  CHECK(answers("blank at the end ") == Answers{true, false, false, false});
  CHECK(answers("[ [x] [") == Answers{true, false, false, false});
  CHECK(answers("a \r\n") == Answers{true, true, false, false});  // the blank is before the CR
}

TEST_CASE("a trait is seen wherever it stands in a text of any length and alignment") {
  for (const std::string mark : {"\r", " \n", "\t\n", "[[", "\x80", "\xFF", "[", " ", "\n"}) {
    int wrong = 0;
    for (std::size_t size = mark.size(); size <= kLongest; ++size) {
      for (std::size_t at = 0; at + mark.size() <= size; ++at) {
        std::string text(size, 'x');
        text.replace(at, mark.size(), mark);
        wrong += right_at_every_alignment(text) ? 0 : 1;
      }
    }
    CAPTURE(mark);
    CHECK(wrong == 0);
  }
}

TEST_CASE("two halves of a trait far from each other do not make one") {
  int wrong = 0;
  for (std::size_t gap = 1; gap <= 40; ++gap) {
    for (const auto& [first, second] : {std::pair('[', '['), std::pair(' ', '\n')}) {
      const std::string text = std::string(1, first) + std::string(gap, 'x') + second;
      wrong += right_at_every_alignment(text) ? 0 : 1;
      wrong += naive(text) == Answers{true, false, false, false} ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("random texts are surveyed as a look at each byte would") {
  REQUIRE(rc::check("sparse and dense, every alignment", [] {
    const auto size = *rc::gen::inRange<std::size_t>(0, kLongest + 1);
    const auto specials = *rc::gen::inRange<std::size_t>(0, 40);
    std::string text(size, 'x');
    for (std::size_t i = 0; i < specials && size > 0; ++i) {
      text[*rc::gen::inRange<std::size_t>(0, size)] =
          *rc::gen::element('\r', '\n', '\n', ' ', ' ', '\t', '[', '[', ']', '\x80', '\xE4', 'a');
    }
    RC_ASSERT(right_at_every_alignment(text));
  }));
  REQUIRE(rc::check("one trait is missing", [] {
    const auto text = *support::text_made_of({"\n", " x", "\t", "[", "x", "[x", "\n\n"});
    RC_ASSERT(right_at_every_alignment(text));
  }));
}

TEST_CASE("every short text is surveyed as a look at each byte would") {
  int wrong = 0;
  support::every_text("x\r\n [\x80", 6, [&wrong](const std::string& text) {
    wrong += answers(text) == naive(text) ? 0 : 1;
    const std::string across = std::string(13, 'x') + text;  // over the edge of a block
    wrong += answers(across) == naive(across) ? 0 : 1;
  });
  CHECK(wrong == 0);
}

TEST_CASE("the first line end is found wherever it stands") {
  CHECK(find_line_end("") == std::string_view::npos);
  CHECK(find_line_end(std::string(1000, 'x')) == std::string_view::npos);
  for (const std::size_t at : {0U, 1U, 255U, 256U, 257U, 700U}) {
    for (const char end : {'\r', '\n'}) {
      CAPTURE(at, end);
      std::string text(1000, 'x');
      text[at] = end;
      text[at + 1] = '\n';
      text[at + 2] = '\r';
      CHECK(find_line_end(text) == at);
    }
  }
  REQUIRE(rc::check("as a look at each byte would", [] {
    const auto text = *support::text_made_of({"\n", "\r", std::string(200, 'x'), "x"});
    RC_ASSERT(find_line_end(text) == text.find_first_of("\r\n"));
  }));
}

}  // namespace daybook::base
