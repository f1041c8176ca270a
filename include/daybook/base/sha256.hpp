// SPDX-License-Identifier: MIT
//
// Bytes -> SHA-256 digest, through OpenSSL's EVP. The algorithm is fetched once a process and the
// context is reused from one message to the next, because fetching costs more than hashing a note.
// One Sha256 belongs to one thread. Cannot fail for want of anything but memory, which aborts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace daybook::base {

using Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::string_view bytes);

  /// The digest of everything since the last finish(); ready for the next message afterwards.
  Digest finish();

  /// Forgets what was fed since the last finish().
  void reset();

  /// Remembers this point of the message. One mark at a time.
  void mark();
  /// Goes back to the mark, as if nothing had been fed since.
  void return_to_mark();

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

/// The digest of one message, with a context that each thread keeps.
Digest sha256(std::string_view bytes);

/// Lower-case hexadecimal, 64 characters.
std::string to_hex(const Digest& digest);

/// Exactly 64 lower-case hexadecimal characters, else nothing.
std::optional<Digest> digest_from_hex(std::string_view hex);

}  // namespace daybook::base
