// SPDX-License-Identifier: MIT
//
// A note -> the texts that are embedded of it: its sentence, and what its body says in pieces of a
// length that models read whole. Redacted first and cut then, so that no half of a secret is left.
// Pure.
#pragma once

#include "daybook/redact/sanitizer.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace daybook::service {

/// About a thousand tokens; the largest models take eight times as many.
inline constexpr std::size_t kPassageBytes = 4096;
inline constexpr std::size_t kBodyPassages = 3;
/// About 250 tokens, which the smallest models take.
inline constexpr std::size_t kShortPassageBytes = 1024;

/// At least one, and none is empty.
std::vector<std::string> passages_of(std::string_view sentence,
                                     std::string_view body,
                                     const redact::Policy& policy);

/// The beginning of each, for a model that takes less; empty if none of them is any longer.
std::vector<std::string> shortened(const std::vector<std::string>& passages);

}  // namespace daybook::service
