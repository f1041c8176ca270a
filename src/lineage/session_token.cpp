// SPDX-License-Identifier: MIT
#include "daybook/lineage/session_token.hpp"

#include "daybook/base/base32.hpp"
#include "daybook/base/sha256.hpp"

#include <algorithm>

namespace daybook::lineage {

SessionToken SessionToken::derive(std::string_view agent_id, std::string_view identity) {
  std::string seed;
  seed.reserve(agent_id.size() + 1 + identity.size());
  seed.append(agent_id).append(1, ':').append(identity);
  const base::Digest digest = base::sha256(seed);
  SessionToken token;
  std::copy_n(digest.begin(), token.bits_.size(), token.bits_.begin());
  return token;
}

std::optional<SessionToken> SessionToken::parse(std::string_view text) {
  if (text.size() != kLength) {
    return std::nullopt;
  }
  SessionToken token;
  // Eight letters are forty bits are five bytes, twice.
  for (std::size_t half = 0; half < 2; ++half) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const int value = base::base32_value(text[half * 8 + i]);
      if (value < 0) {
        return std::nullopt;
      }
      bits = (bits << 5U) | static_cast<std::uint64_t>(value);
    }
    for (std::size_t i = 0; i < 5; ++i) {
      token.bits_[half * 5 + i] = static_cast<std::uint8_t>(bits >> (32 - 8 * i));
    }
  }
  return token;
}

std::string SessionToken::to_string() const { return base::base32_lower(bits_); }

bool is_valid_agent_id(std::string_view agent_id) {
  constexpr std::size_t kLongest = 64;
  if (agent_id.empty() || agent_id.size() > kLongest || agent_id == "." || agent_id == "..") {
    return false;
  }
  return std::all_of(agent_id.begin(), agent_id.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

}  // namespace daybook::lineage
