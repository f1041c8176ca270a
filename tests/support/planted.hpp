// SPDX-License-Identifier: MIT
//
// Secrets and personal data to be planted into texts. None of them is or was anybody's: what is
// random in them is drawn from a fixed sequence when the test runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace daybook::support {

enum class Splits : std::uint8_t { anywhere, never };

struct Planted {
  std::string name;
  std::string before;  ///< that may stay, and says what it is
  std::string secret;
  std::string random;  ///< the part of it of which no eight characters may stay
  std::string after;
  Splits splits = Splits::anywhere;
};

/// Another seed draws other secrets of the same shapes.
std::vector<Planted> planted(std::uint64_t seed = 20261116);

/// The first eight characters in a row of what was random that the text still has; none: empty.
std::string left_over(const std::string& text, const std::string& random);

}  // namespace daybook::support
