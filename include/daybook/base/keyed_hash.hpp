// SPDX-License-Identifier: MIT
//
// Bytes and a secret key -> 64 bits, for tables of our own. Without the key nobody can name two
// paths that collide on purpose; for anything that leaves the process there is SHA-256. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace daybook::base {

std::uint64_t keyed_hash(std::string_view bytes, std::uint64_t key);

/// One more number into a hash.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value);

/// From the system's source of randomness.
std::uint64_t random_number();

}  // namespace daybook::base
