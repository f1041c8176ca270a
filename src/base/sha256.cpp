// SPDX-License-Identifier: MIT
#include "daybook/base/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdlib>

namespace daybook::base {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return fetched;
}

void require(int openssl_result) {
  if (openssl_result != 1) {
    std::abort();  // SHA-256 cannot fail but for want of memory or a broken OpenSSL.
  }
}

EVP_MD_CTX* new_context() {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  if (context == nullptr) {
    std::abort();
  }
  return context;
}

/// Of each digit its value, of all else one that no digit has.
constexpr std::uint8_t kNoDigit = 0xF0;
constexpr std::array<std::uint8_t, 256> kNibbles = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::uint8_t value = 0; value < 16; ++value) {
    values[static_cast<std::uint8_t>(kHexDigits[value])] = value;
  }
  return values;
}();

std::uint8_t nibble(char digit) { return kNibbles[static_cast<std::uint8_t>(digit)]; }

}  // namespace

struct Sha256::Contexts {
  EVP_MD_CTX* live = new_context();
  EVP_MD_CTX* marked = nullptr;  // made at the first mark(): hardly any message needs one

  Contexts() { require(EVP_DigestInit_ex2(live, algorithm(), nullptr)); }
  ~Contexts() {
    EVP_MD_CTX_free(live);
    EVP_MD_CTX_free(marked);
  }
  Contexts(const Contexts&) = delete;
  Contexts& operator=(const Contexts&) = delete;
};

Sha256::Sha256() : contexts_(std::make_unique<Contexts>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
  require(EVP_DigestUpdate(contexts_->live, bytes.data(), bytes.size()));
}

Digest Sha256::finish() {
  Digest digest{};
  require(EVP_DigestFinal_ex(contexts_->live, digest.data(), nullptr));
  reset();
  return digest;
}

void Sha256::reset() { require(EVP_DigestInit_ex2(contexts_->live, algorithm(), nullptr)); }

void Sha256::mark() {
  if (contexts_->marked == nullptr) {
    contexts_->marked = new_context();
  }
  require(EVP_MD_CTX_copy_ex(contexts_->marked, contexts_->live));
}

void Sha256::return_to_mark() { require(EVP_MD_CTX_copy_ex(contexts_->live, contexts_->marked)); }

Digest sha256(std::string_view bytes) {
  thread_local Sha256 hasher;
  hasher.update(bytes);
  return hasher.finish();
}

std::string to_hex(const Digest& digest) {
  std::string hex;
  hex.reserve(digest.size() * 2);
  for (const std::uint8_t byte : digest) {
    hex.push_back(kHexDigits[byte >> 4U]);
    hex.push_back(kHexDigits[byte & 15U]);
  }
  return hex;
}

std::optional<Digest> digest_from_hex(std::string_view hex) {
  Digest digest{};
  if (hex.size() != digest.size() * 2) {
    return std::nullopt;
  }
  std::uint8_t strange = 0;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const std::uint8_t high = nibble(hex[2 * i]);
    const std::uint8_t low = nibble(hex[2 * i + 1]);
    strange |= high | low;
    digest[i] = static_cast<std::uint8_t>((high << 4U) | low);
  }
  return (strange & kNoDigit) == 0 ? std::optional(digest) : std::nullopt;
}

}  // namespace daybook::base
