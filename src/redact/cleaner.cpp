// SPDX-License-Identifier: MIT
#include "redact/cleaner.hpp"

#include "daybook/base/utf8.hpp"
#include "redact/characters.hpp"

#include <algorithm>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace daybook::redact {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::size_t kMostSequence = 32;

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte < 0x7F) || c == '\t' || c == '\n';
}

/// Offset of the first byte that needs a closer look: no plain one, or a newline behind a blank.
std::size_t plain_size(std::string_view text) {
  std::size_t at = 0;
#ifdef __SSE2__
  char before = 0;
  while (at + 16 <= text.size()) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const auto mask = [&block](char c) {
      return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(c))));
    };
    // Signed: bytes beyond ASCII are below 0x20, too.
    const auto low =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_cmplt_epi8(block, _mm_set1_epi8(0x20))));
    const unsigned newlines = mask('\n');
    const unsigned tabs = mask('\t');
    const unsigned blanks =
        ((mask(' ') | tabs) << 1U) | (before == ' ' || before == '\t' ? 1U : 0U);
    const unsigned odd = (low & ~newlines & ~tabs) | mask(0x7F) | (newlines & blanks);
    if (odd != 0) {
      return at + static_cast<std::size_t>(__builtin_ctz(odd));
    }
    at += 16;
    before = text[at - 1];
  }
#endif
  while (at < text.size() && is_plain(text[at]) &&
         !(text[at] == '\n' && at > 0 && is(text[at - 1], kBlank))) {
    ++at;
  }
  return at;
}

std::size_t announced_size(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0xC2 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 1;
}

}  // namespace

void Cleaner::feed(std::string_view piece, std::string& sink) {
  if (carried_.empty()) {
    take(piece, sink);
    return;
  }
  const std::string joined = carried_ + std::string(piece);
  carried_.clear();
  take(joined, sink);
}

void Cleaner::finish(std::string& sink) {
  last_ = true;
  feed({}, sink);
  blanks_.clear();
}

void Cleaner::take(std::string_view piece, std::string& sink) {
  while (!piece.empty()) {
    if (sequence_ != Sequence::none && swallowed(piece.front())) {
      piece.remove_prefix(1);
      continue;
    }
    if (after_return_) {
      after_return_ = false;
      if (piece.front() == '\n') {
        piece.remove_prefix(1);
        continue;
      }
    }
    const std::size_t run = plain_size(piece);
    plain(piece.substr(0, run), sink);
    piece.remove_prefix(run);
    if (!piece.empty()) {
      piece.remove_prefix(special(piece, sink));
    }
  }
}

/// Holds blanks back until it is known whether something follows them on their line.
void Cleaner::plain(std::string_view run, std::string& sink) {
  if (!blanks_.empty()) {
    std::size_t size = 0;
    while (size < run.size() && is(run[size], kBlank)) {
      ++size;
    }
    blanks_.append(
        run.substr(0, std::min(size, kMostBlanks - std::min(kMostBlanks, blanks_.size()))));
    run.remove_prefix(size);
    if (run.empty()) {
      return;
    }
    if (run.front() != '\n') {
      sink.append(blanks_);
    }
    blanks_.clear();
  }
  std::size_t size = run.size();
  while (size > 0 && is(run[size - 1], kBlank)) {
    --size;
  }
  sink.append(run.substr(0, size));
  blanks_.append(run.substr(size));
}

void Cleaner::newline(std::string& sink) {
  blanks_.clear();
  sink.push_back('\n');
}

/// Takes what stands at the front and needs a closer look; returns its size.
std::size_t Cleaner::special(std::string_view rest, std::string& sink) {
  const char first = rest.front();
  if (first == '\n') {
    newline(sink);
    return 1;
  }
  if (first == '\r') {
    newline(sink);
    after_return_ = true;
    return 1;
  }
  if (is(first, kOther)) {
    return beyond_ascii(rest, sink);
  }
  if (first == 0x1B) {
    sequence_ = Sequence::escape;
    sequence_size_ = 0;
  }
  ++removed_;
  return 1;
}

std::size_t Cleaner::beyond_ascii(std::string_view rest, std::string& sink) {
  std::size_t taken = 0;
  sink.append(blanks_);
  blanks_.clear();
  while (taken < rest.size() && is(rest[taken], kOther)) {
    if (announced_size(rest[taken]) > rest.size() - taken && !last_) {
      carried_ = rest.substr(taken);
      return rest.size();
    }
    const std::size_t size = base::decode_utf8(rest, taken).size;
    if (size == 1) {
      sink.append(kReplacement);
      ++replaced_;
    } else {
      sink.append(rest.substr(taken, size));
    }
    taken += size;
  }
  return taken;
}

/// Does this byte belong to the terminal sequence that has begun?
bool Cleaner::swallowed(char c) {
  if (sequence_ == Sequence::escape) {
    sequence_ = c == '[' ? Sequence::csi : Sequence::none;
    removed_ += c == '[' ? 1 : 0;
    return c == '[';
  }
  const bool parameter = c >= 0x20 && c <= 0x3F;
  const bool final = c >= 0x40 && c <= 0x7E;
  if (!parameter || ++sequence_size_ > kMostSequence) {
    sequence_ = Sequence::none;
  }
  const bool belongs = (parameter && sequence_ == Sequence::csi) || final;
  removed_ += belongs ? 1 : 0;
  return belongs;
}

}  // namespace daybook::redact
