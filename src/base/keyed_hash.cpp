// SPDX-License-Identifier: MIT
#include "daybook/base/keyed_hash.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace daybook::base {
namespace {

constexpr std::uint64_t kOddA = 0x9E37'79B9'7F4A'7C15;
constexpr std::uint64_t kOddB = 0xC2B2'AE3D'27D4'EB4F;

/// The upper half of a product depends on every bit of both factors.
std::uint64_t fold(std::uint64_t left, std::uint64_t right) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(left) * right;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

}  // namespace

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  return fold(hash ^ kOddA, value ^ kOddB ^ (hash << 1U | hash >> 63U));
}

std::uint64_t keyed_hash(std::string_view bytes, std::uint64_t key) {
  std::uint64_t hash = mix(key, bytes.size());
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    hash = mix(hash ^ key, word);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) {  // an empty view may point nowhere, which memcpy does not allow
    std::memcpy(&rest, bytes.data(), bytes.size());
  }
  return mix(hash ^ key, rest);
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (::getentropy(&number, sizeof number) != 0) {
    std::abort();  // no randomness: nothing that is meant to be unguessable can be made
  }
  return number;
}

}  // namespace daybook::base
