// SPDX-License-Identifier: MIT
#include "redact/nibble_filter.hpp"

#include <span>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace daybook::redact {
namespace {

constexpr std::size_t kGroups = 8;

/// Of pairs of bytes. A group is good if its first bytes share their halves with few others that
/// are frequent before its second ones: `- ` and `;\n` must not fit.
enum class PairGroup : std::uint8_t {
  separators,        // of keys
  tag_ends,          // >
  after_sentence,    // blanks and the marks from ! to /, before digits
  after_no_ascii,    // bytes beyond ASCII and controls, before digits
  after_brackets,    // [ ] { | } `, before digits
  after_statement,   // ; and ?, before digits
  addresses,         // @
  options_or_calls,  // -- (" ('
  in_words,          // none of these: told by more bytes, or rare
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

PairGroup group_before_digit(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (first == ';' || first == '?') {
    return PairGroup::after_statement;
  }
  if (first == '\n' || first == '\t' || (byte >= 0x20 && byte < 0x30)) {
    return PairGroup::after_sentence;
  }
  return byte < 0x20 || byte >= 0x80 ? PairGroup::after_no_ascii : PairGroup::after_brackets;
}

PairGroup group_of_pair(char first, char second) {
  switch (first) {
    case ':':
    case '=':
      return PairGroup::separators;
    case '>':
      return PairGroup::tag_ends;
    case '@':
      return PairGroup::addresses;
    default:
      break;
  }
  if (is_digit(second)) {
    return group_before_digit(first);
  }
  return first == '(' || (first == '-' && second == '-') ? PairGroup::options_or_calls
                                                         : PairGroup::in_words;
}

/// Of words by their first byte: those of many trials that marked least in prose, code and JSON.
/// Any group is right for what an operator's literals begin with.
std::size_t group_of_word(char first) {
  constexpr std::array<std::string_view, kGroups> kFirsts{
      "1px", "afiln", "EIP\\ery", "$AO", "Ggh", "Lsw", "#-MNQS", "Bbd"};
  for (std::size_t group = 0; group < kGroups; ++group) {
    if (kFirsts[group].find(first) != std::string_view::npos) {
      return group;
    }
  }
  return 0;
}

}  // namespace

void NibbleFilter::add(std::string_view beginning) {
  const PairGroup pair =
      beginning.size() == 2 ? group_of_pair(beginning[0], beginning[1]) : PairGroup::in_words;
  const bool word = pair == PairGroup::in_words;
  const std::span<Byte> bytes = word ? std::span<Byte>(words_) : std::span<Byte>(pairs_);
  const std::size_t group = word ? group_of_word(beginning[0]) : static_cast<std::size_t>(pair);
  const auto bit = static_cast<std::uint8_t>(1U << group);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i < beginning.size()) {
      const auto byte = static_cast<unsigned char>(beginning[i]);
      bytes[i].low[byte & 15U] |= bit;
      bytes[i].high[byte >> 4U] |= bit;
      continue;
    }
    for (std::size_t half = 0; half < bytes[i].low.size(); ++half) {
      bytes[i].low[half] |= bit;
      bytes[i].high[half] |= bit;
    }
  }
}

#ifdef __x86_64__

#define DAYBOOK_AVX2 __attribute__((target("avx2")))

namespace {

constexpr std::size_t kVector = sizeof(__m256i);

/// The tables of a byte in registers: each of the two lanes of a vector looks into its own copy.
struct Look {
  __m256i low;
  __m256i high;
};

DAYBOOK_AVX2 inline __m256i in_both_lanes(const std::array<std::uint8_t, 16>& table) {
  return _mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}

/// Bytes by their halves.
DAYBOOK_AVX2 inline Look halves_at(const char* at) {
  const __m256i half = _mm256_set1_epi8(0x0F);
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  return {_mm256_and_si256(bytes, half), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half)};
}

/// The groups that each of the bytes may be of.
DAYBOOK_AVX2 inline __m256i groups(const Look& tables, const Look& halves) {
  return _mm256_and_si256(_mm256_shuffle_epi8(tables.low, halves.low),
                          _mm256_shuffle_epi8(tables.high, halves.high));
}

struct Looks {
  std::array<Look, 2> pairs;
  std::array<Look, 4> words;
};

/// A bit for each of as many places as a vector has bytes.
DAYBOOK_AVX2 inline std::uint32_t marks(const Looks& looks, const char* at) {
  const Look first = halves_at(at);
  const Look second = halves_at(at + 1);
  const __m256i pair =
      _mm256_and_si256(groups(looks.pairs[0], first), groups(looks.pairs[1], second));
  const __m256i word = _mm256_and_si256(
      _mm256_and_si256(groups(looks.words[0], first), groups(looks.words[1], second)),
      _mm256_and_si256(groups(looks.words[2], halves_at(at + 2)),
                       groups(looks.words[3], halves_at(at + 3))));
  const __m256i none = _mm256_cmpeq_epi8(_mm256_or_si256(pair, word), _mm256_setzero_si256());
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(none));
}

}  // namespace

bool NibbleFilter::usable() {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  return has_avx2;
}

DAYBOOK_AVX2 void NibbleFilter::mark(const char* at,
                                     std::size_t blocks,
                                     std::uint64_t* masks) const {
  Looks looks;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    looks.pairs[i] = {in_both_lanes(pairs_[i].low), in_both_lanes(pairs_[i].high)};
  }
  for (std::size_t i = 0; i < words_.size(); ++i) {
    looks.words[i] = {in_both_lanes(words_[i].low), in_both_lanes(words_[i].high)};
  }
  for (std::size_t n = 0; n < blocks; ++n, at += kBlock) {
    masks[n] = marks(looks, at) | (std::uint64_t{marks(looks, at + kVector)} << kVector);
  }
}

#else

bool NibbleFilter::usable() { return false; }

void NibbleFilter::mark(const char*, std::size_t, std::uint64_t*) const {}

#endif

}  // namespace daybook::redact
