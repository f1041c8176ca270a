// SPDX-License-Identifier: MIT
#include "state/token_blob.hpp"

#include "daybook/base/base32.hpp"

#include <algorithm>
#include <charconv>
#include <span>

namespace daybook::state {

TokenBytes to_bytes(const lineage::SessionToken& token) {
  constexpr unsigned kBitsOfLetter = 5;
  constexpr unsigned kBitsOfByte = 8;
  TokenBytes bytes{};
  std::size_t place = 0;
  std::uint32_t held = 0;
  unsigned held_bits = 0;
  for (const char letter : token.to_string()) {
    held = (held << kBitsOfLetter) | static_cast<std::uint32_t>(base::base32_value(letter));
    held_bits += kBitsOfLetter;
    if (held_bits >= kBitsOfByte) {
      held_bits -= kBitsOfByte;
      bytes[place++] = static_cast<std::uint8_t>(held >> held_bits);
    }
  }
  return bytes;
}

lineage::SessionToken token_from_blob(std::string_view blob) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(blob.data()), blob.size());
  return lineage::SessionToken::parse(base::base32_lower(bytes)).value_or(lineage::SessionToken());
}

base::Digest digest_from_blob(std::string_view blob) {
  base::Digest digest{};
  if (blob.size() == digest.size()) {
    std::copy(blob.begin(), blob.end(), digest.begin());
  }
  return digest;
}

std::string pack_texts(const std::vector<std::string>& texts) {
  std::string packed;
  for (const std::string& text : texts) {
    packed.append(std::to_string(text.size())).append(":").append(text);
  }
  return packed;
}

std::vector<std::string> unpack_texts(std::string_view packed) {
  std::vector<std::string> texts;
  while (!packed.empty()) {
    std::size_t size = 0;
    const auto [end, problem] = std::from_chars(packed.data(), packed.data() + packed.size(), size);
    const auto digits = static_cast<std::size_t>(end - packed.data());
    if (problem != std::errc() || digits == packed.size() || size > packed.size() - digits - 1) {
      break;
    }
    texts.emplace_back(packed.substr(digits + 1, size));
    packed.remove_prefix(digits + 1 + size);
  }
  return texts;
}

}  // namespace daybook::state
