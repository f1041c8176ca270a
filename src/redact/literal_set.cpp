// SPDX-License-Identifier: MIT
#include "redact/literal_set.hpp"

#include "daybook/redact/literals.hpp"

#include <algorithm>
#include <cstring>

namespace daybook::redact {
namespace {

std::uint32_t head_of(std::string_view text) {
  std::uint32_t head = 0;
  std::memcpy(&head, text.data(), sizeof head);
  return head;
}

}  // namespace

LiteralSet::LiteralSet(const std::vector<std::string>& literals) {
  for (const std::string& literal : literals) {
    if (literal_problem(literal).empty()) {
      by_head_[head_of(literal)].push_back(literal);
    }
  }
  for (auto& [head, same] : by_head_) {
    std::sort(same.begin(), same.end(), [](std::string_view a, std::string_view b) {
      return a.size() > b.size();
    });
  }
}

std::size_t LiteralSet::match(std::string_view text) const {
  if (text.size() < sizeof(std::uint32_t)) {
    return 0;
  }
  const auto found = by_head_.find(head_of(text));
  if (found == by_head_.end()) {
    return 0;
  }
  for (const std::string_view literal : found->second) {
    if (text.starts_with(literal)) {
      return literal.size();
    }
  }
  return 0;
}

std::vector<std::uint32_t> LiteralSet::heads() const {
  std::vector<std::uint32_t> heads;
  heads.reserve(by_head_.size());
  for (const auto& [head, same] : by_head_) {
    heads.push_back(head);
  }
  return heads;
}

}  // namespace daybook::redact
