// SPDX-License-Identifier: MIT
//
// Four bytes as a number -> is it one of those that were added? Zero never is. A table with open
// addressing, of which at most a quarter is taken: a look costs a few instructions, however many
// literals the operator has. Pure once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace daybook::redact {

class HeadSet {
 public:
  bool holds(std::uint32_t head) const { return head != kEmpty && slots_[slot_of(head)] == head; }

  void add(std::uint32_t head) {
    if (head == kEmpty || holds(head)) {
      return;
    }
    if (++count_ * 4 > slots_.size()) {
      std::vector<std::uint32_t> old(slots_.size() * 2);
      old.swap(slots_);
      for (const std::uint32_t known : old) {
        if (known != kEmpty) {
          slots_[slot_of(known)] = known;
        }
      }
    }
    slots_[slot_of(head)] = head;
  }

 private:
  static constexpr std::uint32_t kEmpty = 0;

  /// Where it stands, or would stand.
  std::size_t slot_of(std::uint32_t head) const {
    std::size_t slot = (head * 0x9E3779B1U) >> 8U;
    while (true) {
      slot &= slots_.size() - 1;
      if (slots_[slot] == head || slots_[slot] == kEmpty) {
        return slot;
      }
      ++slot;
    }
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1024);  // a power of two
  std::size_t count_ = 0;
};

}  // namespace daybook::redact
