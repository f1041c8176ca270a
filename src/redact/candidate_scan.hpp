// SPDX-License-Identifier: MIT
//
// A text -> one after the other the places that Candidates says need a closer look. Looks ahead by
// some blocks at once where the processor can, and keeps what it saw there until the places are
// asked for. Borrows candidates and text. One CandidateScan belongs to one thread.
#pragma once

#include "redact/candidates.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace daybook::redact {

class CandidateScan {
 public:
  /// Places in [begin, end); `text_end` bounds what is read.
  CandidateScan(const Candidates& candidates,
                const char* begin,
                const char* end,
                const char* text_end)
      : candidates_(candidates),
        begin_(begin),
        marked_end_(begin),
        end_(end),
        text_end_(text_end),
        by_blocks_(NibbleFilter::usable()) {}

  /// The first place from `at` on, or the end. `at` never goes back.
  const char* next(const char* at) {
    while (true) {
      while (at < marked_end_) {
        const auto offset = static_cast<std::size_t>(at - begin_);
        const std::uint64_t mask = masks_[offset / kBlock] >> (offset % kBlock);
        if (mask != 0) {
          return at + std::countr_zero(mask);
        }
        at += kBlock - offset % kBlock;
      }
      if (!mark_from(at)) {
        return candidates_.next(at, end_, text_end_);
      }
    }
  }

 private:
  static constexpr std::size_t kBlock = NibbleFilter::kBlock;
  static constexpr std::ptrdiff_t kBehind = NibbleFilter::kBehind;
  static constexpr std::size_t kBlocks = 4;  // at once, so that the filter's tables stay at hand

  /// Marks the blocks that begin here; false: there is no whole one.
  bool mark_from(const char* at) {
    const std::ptrdiff_t size = std::min(end_ - at, text_end_ - at - kBehind);
    if (!by_blocks_ || size < static_cast<std::ptrdiff_t>(kBlock)) {
      return false;
    }
    const std::size_t blocks = std::min(static_cast<std::size_t>(size) / kBlock, ahead_);
    ahead_ = kBlocks;
    candidates_.mark(at, blocks, masks_.data());
    begin_ = at;
    marked_end_ = at + blocks * kBlock;
    return true;
  }

  const Candidates& candidates_;
  const char* begin_;  // of what masks_ is about
  const char* marked_end_;
  const char* end_;
  const char* text_end_;
  std::array<std::uint64_t, kBlocks> masks_{};
  std::size_t ahead_ = 1;  // blocks; where much is found, a scan ends soon
  bool by_blocks_;
};

}  // namespace daybook::redact
