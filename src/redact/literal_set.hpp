// SPDX-License-Identifier: MIT
//
// The operator's literals, found by their first four bytes, the longest first. Points into the
// policy's strings. Pure once made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace daybook::redact {

class LiteralSet {
 public:
  explicit LiteralSet(const std::vector<std::string>& literals);

  bool empty() const { return by_head_.empty(); }
  /// Size of the longest one that the text begins with; 0: none.
  std::size_t match(std::string_view text) const;
  std::vector<std::uint32_t> heads() const;

 private:
  std::unordered_map<std::uint32_t, std::vector<std::string_view>> by_head_;
};

}  // namespace daybook::redact
