// SPDX-License-Identifier: MIT
//
// Bytes -> lower-case RFC 4648 base32 without padding. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace daybook::base {

std::string base32_lower(std::span<const std::uint8_t> bytes);

/// The five bits that a base32 letter stands for, or -1.
int base32_value(char letter);

}  // namespace daybook::base
