// SPDX-License-Identifier: MIT
#include "redact/candidates.hpp"

#include "redact/characters.hpp"

#include <algorithm>
#include <bit>

namespace daybook::redact {
namespace {

constexpr unsigned kBytes = 256;

std::uint32_t pair_of(unsigned first, unsigned second) { return first | (second << 8U); }

std::uint32_t pair_of(std::string_view text) {
  return pair_of(static_cast<unsigned char>(text[0]), static_cast<unsigned char>(text[1]));
}

/// As many bytes as there are, and zeros behind them.
std::uint32_t packed(const char* bytes, std::size_t size) {
  std::uint32_t four = 0;
  std::memcpy(&four, bytes, size);
  return four;
}

template <typename Table>
void set(Table& bits, std::uint32_t index) {
  bits[index >> 6U] |= std::uint64_t{1} << (index & 63U);
}

}  // namespace

Candidates::Candidates(Pii pii) : buckets_(1) {
  // A key's separator, unless nothing can follow it there; and the end of an opening tag.
  for (unsigned second = 0; second < kBytes; ++second) {
    const auto next = static_cast<char>(second);
    if (next != '\n') {
      add_direct('=', second);
    }
    if (next != '\n' && next != ':') {
      add_direct(':', second);
    }
    if (!is(next, kBlank) &&
        std::string_view("\n<>(),;:=&|)").find(next) == std::string_view::npos) {
      add_direct('>', second);
    }
  }
  // Client secrets of Azure, options, tokens of Discord and Twilio.
  for (const std::string_view pair : {"Q~",
                                      "--",
                                      "-p",
                                      "-u",
                                      "(\"",
                                      "('",
                                      "SK",
                                      "AC",
                                      "MT",
                                      "Mj",
                                      "Mz",
                                      "ND",
                                      "NT",
                                      "Nj",
                                      "Nz",
                                      "OD",
                                      "OT"}) {
    add_direct(static_cast<unsigned char>(pair[0]), static_cast<unsigned char>(pair[1]));
  }
  for (const std::string_view beginning :
       {"eyJ",  "SG.",  "Bear", "bear", "BEAR", "PASS", "IDEN", "iden", "#def",
        "-u ",  "pass", "ENV ", "$6$",  "$5$",  "$1$",  "$y$",  "$gy$", "$7$",
        "$2a$", "$2b$", "$2x$", "$2y$", "$apr", "$sha", "$arg"}) {
    add_beginning(beginning);
  }
  for (const PrefixToken& token : prefix_tokens()) {
    if (token.prefix.size() > 2) {
      add_beginning(token.prefix.substr(0, 4));
    }
    std::uint8_t& bucket = bucket_of_[pair_of(token.prefix)];
    if (bucket == 0) {
      bucket = static_cast<std::uint8_t>(buckets_.size());
      buckets_.emplace_back();
    }
    buckets_[bucket].push_back(&token);
  }
  if (pii == Pii::redacted) {
    add_numbers();
    for (unsigned second = 0; second < kBytes; ++second) {
      if (is(static_cast<char>(second), kAlnum | kOther)) {
        add_direct('@', second);
      }
    }
  }
}

const Candidates& Candidates::shared(Pii pii) {
  if (pii == Pii::redacted) {
    static const Candidates with_pii(Pii::redacted);
    return with_pii;
  }
  static const Candidates without_pii(Pii::kept);
  return without_pii;
}

void Candidates::add(const LiteralSet& literals) {
  for (const std::uint32_t head : literals.heads()) {
    std::array<char, 4> bytes{};
    std::memcpy(bytes.data(), &head, sizeof head);
    add_beginning({bytes.data(), bytes.size()});
  }
}

void Candidates::add_direct(unsigned first, unsigned second) {
  const std::uint32_t pair = pair_of(first, second);
  set(pairs_, pair);
  set(direct_, pair);
  const std::array<char, 2> bytes{static_cast<char>(first), static_cast<char>(second)};
  filter_.add({bytes.data(), bytes.size()});
}

/// Of three or four characters; a missing fourth may be any.
void Candidates::add_beginning(std::string_view text) {
  set(pairs_, pair_of(text));
  filter_.add(text);
  std::array<char, 4> four{};
  std::copy(text.begin(), text.end(), four.begin());
  heads_.add(packed(four.data(), four.size()));
  for (unsigned last = 0; last < (text.size() > 3 ? 1 : kBytes); ++last) {
    four[3] = text.size() > 3 ? text[3] : static_cast<char>(last);
    set(fours_, hash(packed(four.data(), four.size())));
  }
}

/// A number begins where a digit follows what does not bind it to something else (see numbers.cpp),
/// or behind an escaped newline.
void Candidates::add_numbers() {
  constexpr std::string_view kBinding = "./-#$%@\\^~&<";
  for (unsigned first = 0; first < kBytes; ++first) {
    const auto character = static_cast<char>(first);
    if (is(character, kWord) || kBinding.find(character) != std::string_view::npos) {
      continue;
    }
    for (unsigned digit = '0'; digit <= '9'; ++digit) {
      add_direct(first, digit);
    }
  }
  for (const char escape : {'n', 'r', 't'}) {
    for (char digit = '0'; digit <= '9'; ++digit) {
      add_beginning(std::string{'\\', escape, digit});
    }
  }
}

bool Candidates::is_beginning(const char* at) const {
  return heads_.holds(packed(at, 4)) || heads_.holds(packed(at, 3));
}

void Candidates::mark(const char* at, std::size_t blocks, std::uint64_t* masks) const {
  filter_.mark(at, blocks, masks);
  for (std::size_t n = 0; n < blocks; ++n, at += NibbleFilter::kBlock) {
    // No branch but for beginnings: where the filter was wrong cannot be foretold.
    std::uint64_t sure = 0;
    std::uint64_t beginnings = 0;
    for (std::uint64_t left = masks[n]; left != 0; left &= left - 1) {
      const int place = std::countr_zero(left);
      std::uint16_t pair = 0;
      std::memcpy(&pair, at + place, sizeof pair);
      const std::uint32_t four = packed(at + place, 4);
      sure |= std::uint64_t{has(direct_, pair)} << place;
      beginnings |= std::uint64_t{has(fours_, hash(four))} << place;
    }
    for (std::uint64_t left = beginnings & ~sure; left != 0; left &= left - 1) {
      const int place = std::countr_zero(left);
      sure |= std::uint64_t{is_beginning(at + place)} << place;
    }
    masks[n] = sure;
  }
}

const std::vector<const PrefixToken*>& Candidates::tokens_of(char first, char second) const {
  return buckets_[bucket_of_[pair_of(static_cast<unsigned char>(first),
                                     static_cast<unsigned char>(second))]];
}

}  // namespace daybook::redact
