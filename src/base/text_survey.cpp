// SPDX-License-Identifier: MIT
#include "daybook/base/text_survey.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace daybook::base {
namespace {

/// `previous` is the byte before `text`, so that pairs across a boundary are seen.
void survey_bytes(std::string_view text, char previous, TextTraits& traits) {
  for (const char c : text) {
    traits.ascii = traits.ascii && static_cast<unsigned char>(c) < 0x80;
    traits.has_carriage_return = traits.has_carriage_return || c == '\r';
    traits.has_blank_at_line_end =
        traits.has_blank_at_line_end || (c == '\n' && (previous == ' ' || previous == '\t'));
    traits.has_double_bracket = traits.has_double_bracket || (c == '[' && previous == '[');
    previous = c;
  }
}

#ifdef __SSE2__

class BlockSurvey {
 public:
  void add(const char* at) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    high_ |= mask(block);
    returns_ |= equal(block, '\r');
    const std::uint32_t blanks = equal(block, ' ') | equal(block, '\t');
    const std::uint32_t brackets = equal(block, '[');
    // Bit i of a mask is byte i; shifted by one, a mask speaks of the byte before.
    line_end_blanks_ |= ((blanks << 1U) | last_was_blank_) & equal(block, '\n');
    bracket_pairs_ |= ((brackets << 1U) | last_was_bracket_) & brackets;
    last_was_blank_ = blanks >> 15U;
    last_was_bracket_ = brackets >> 15U;
  }

  TextTraits traits() const {
    return {high_ == 0, returns_ != 0, line_end_blanks_ != 0, bracket_pairs_ != 0};
  }

 private:
  static std::uint32_t mask(__m128i block) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(block));
  }
  static std::uint32_t equal(__m128i block, char wanted) {
    return mask(_mm_cmpeq_epi8(block, _mm_set1_epi8(wanted)));
  }

  std::uint32_t high_ = 0;
  std::uint32_t returns_ = 0;
  std::uint32_t line_end_blanks_ = 0;
  std::uint32_t bracket_pairs_ = 0;
  std::uint32_t last_was_blank_ = 0;
  std::uint32_t last_was_bracket_ = 0;
};

#endif

}  // namespace

TextTraits survey_text(std::string_view text) {
  TextTraits traits;
  std::size_t at = 0;
#ifdef __SSE2__
  BlockSurvey survey;
  for (; at + sizeof(__m128i) <= text.size(); at += sizeof(__m128i)) {
    survey.add(text.data() + at);
  }
  traits = survey.traits();
#endif
  survey_bytes(text.substr(at), at == 0 ? '\0' : text[at - 1], traits);
  return traits;
}

std::size_t find_line_end(std::string_view text) {
  // By windows: where one of the two never occurs, looking for it must not cost the whole text at
  // every line.
  constexpr std::size_t kWindow = 256;
  for (std::size_t at = 0; at < text.size(); at += kWindow) {
    std::string_view window = text.substr(at, kWindow);
    const std::size_t feed = window.find('\n');
    window = window.substr(0, feed);
    const std::size_t found = std::min(window.find('\r'), feed);
    if (found != std::string_view::npos) {
      return at + found;
    }
  }
  return std::string_view::npos;
}

}  // namespace daybook::base
